import Testing

@testable import Pinyin

@Suite struct LatinFoldingTests {
  private func fold(_ text: String) -> String {
    text.unicodeScalars.map { LatinFolding.fold($0)?.description ?? "?" }.joined()
  }

  @Test(arguments: [
    ("Müller", "muller"), ("Øystein", "oystein"), ("Łukasz", "lukasz"), ("Đorđe", "dorde"), ("Straße ẞ", "strasse ss"),
    ("Æsir", "aesir"),
    ("Þór", "thor"), ("Ｔｏｍ１２＋", "tom12+"), ("e\u{301}lan", "elan"), ("Ðð", "dd"), ("ıİ", "ii"), ("Œuvre", "oeuvre"),
    ("ﬃ", "ffi"),
    ("Ⓩ𝓛", "zl"), ("Ŋŋ", "nn"), ("Əə", "ee"), ("ŉ", "n"), ("ǅ", "dz"), ("Ⅳ", "iv"), ("Đặng", "dang"), ("ſ", "s"),
    ("O'Brien-2", "o'brien-2"),
    ("李", "?"), ("Яあ😀한", "????"), ("", ""),
  ])
  func folds(text: String, expected: String) { #expect(fold(text) == expected) }

  @Test func everyEuropeanLetterFolds() {
    for value in UInt32(0xC0)...0x24F where value != 0xD7 && value != 0xF7 {
      let scalar = Unicode.Scalar(value)!
      let folded = LatinFolding.fold(scalar)
      // Clicks, tone letters and letters of phonetic notation have no Latin base.
      if (0x1BB...0x1C3).contains(value)
        || [0x184, 0x185, 0x18D, 0x19B, 0x1A7, 0x1A8, 0x1AA, 0x238, 0x239, 0x241, 0x242].contains(value)
      {
        continue
      }
      #expect(folded?.isEmpty == false, "U+\(String(value, radix: 16)) \(scalar)")
      for letter in folded ?? ASCIILetters(packed: 0) { #expect((0x61...0x7A).contains(letter)) }
    }
  }
}
