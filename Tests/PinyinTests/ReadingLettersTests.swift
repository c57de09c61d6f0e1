import Pinyin
import Testing

@Suite struct ReadingLettersTests {
  /// Letters for the index, compared with the readings one by one.
  @Test(arguments: ["单田芳", "长孙无忌", "重庆单位", "李小龙 Bruce", "佐々木", "Ann", ""], [true, false])
  func areThoseOfTheName(text: String, isPerson: Bool) {
    var letters: [UInt64] = [1, 2, 3]
    Readings.letters(of: text.unicodeScalars.map(\.value), isPerson: isPerson, into: &letters)
    #expect(letters == Readings.name(text, isPerson: isPerson).map { $0?.letters.packed ?? 0 })
  }
}
