import Foundation
import SharedMaterial
import Testing

@testable import Pinyin

/// The committed table and what it was made from.
@Suite struct TableTests {
  private struct Overrides: Decodable {
    var characters: [String: String]?
    var single, compound, words: [String: String]
  }

  /// Returns pinyin as the table writes it: no tones, no blanks, v for ü.
  private func letters(_ text: String) -> String {
    text.decomposedStringWithCanonicalMapping.unicodeScalars.reduce(into: "") { letters, scalar in
      if scalar.value == 0x308 {
        letters = letters.dropLast() + "v"
      } else if scalar.isASCII, scalar.properties.isAlphabetic {
        letters.unicodeScalars.append(scalar)
      }
    }
  }

  private func check(_ data: Data) throws {
    let overrides = try JSONDecoder().decode(Overrides.self, from: data)
    var failures: [String] = []
    func compare(_ text: String, _ value: String, isPerson: Bool) {
      let found = Readings.name(text, isPerson: isPerson).compactMap { $0?.letters.description }.joined()
      if !found.hasPrefix(letters(value)) { failures.append("\(text) reads \(found), expected \(value)") }
    }
    for (text, value) in overrides.characters ?? [:] {
      #expect(Readings.primary(text.unicodeScalars.first!)?.marked == value)
    }
    for (text, value) in overrides.single {
      let reading = Readings.name(text + "一", role: .family(count: 1))[0]
      if reading?.letters.description != letters(value) { failures.append("\(text) is not \(value) as a surname") }
      #expect(Readings.all(text.unicodeScalars.first!).contains { $0.letters.description == letters(value) })
    }
    for (text, value) in overrides.compound { compare(text + "一", value, isPerson: true) }
    for (text, value) in overrides.words { compare(text, value, isPerson: false) }
    for failure in failures { print("override not honored: " + failure) }
    #expect(failures.isEmpty)
  }

  @Test func overridesAreInTheTable() throws { try check(Fixtures.data("Resources/pinyin/overrides.json")) }
  @Test func startingOverridesAreInTheTable() throws {
    try check(Fixtures.data("Tests/Fixtures/Pinyin/starting-overrides.json"))
  }
  @Test(.enabled(if: SharedMaterial.pinyinOverrides.isNamed, "PINYIN_OVERRIDES is not set"))
  func namedOverridesAreInTheTable() throws { try check(Data(contentsOf: SharedMaterial.pinyinOverrides.url)) }

  /// Fails if the script or the overrides were changed, but the table was not made again.
  @Test func theTableIsUpToDateWithItsInputs() throws {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for path in ["Resources/pinyin/make-readings.py", "Resources/pinyin/overrides.json"] {
      for byte in try Fixtures.data(path) { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    #expect(digest == ReadingTable.inputsDigest, "run python3 Resources/pinyin/make-readings.py")
  }

  @Test func coversTheCommonIdeographs() {
    var missing = 0
    for value in UInt32(0x4E00)...0x9FA5 where Readings.primary(Unicode.Scalar(value)!) == nil { missing += 1 }
    #expect(missing < 20, "\(missing) of the URO have no reading")
    let compatible = (UInt32(0xF900)...0xFAD9).filter { Readings.primary(Unicode.Scalar($0)!) == nil }
    #expect(compatible.count < 25)
  }

  @Test func everyReadingIsASyllable() {
    for value in UInt32(0x2E80)...0x323AF {
      guard let scalar = Unicode.Scalar(value), !ReadingTable.entry(value).isEmpty else { continue }
      for syllable in Readings.all(scalar) {
        #expect((1...6).contains(syllable.letters.count) && (1...5).contains(syllable.tone))
        #expect(Syllable(letters: syllable.letters, tone: syllable.tone) == syllable)
      }
      #expect(Readings.all(scalar).first == Readings.primary(scalar))
      #expect(Set(Readings.all(scalar)).count == Readings.all(scalar).count)
    }
  }
}
