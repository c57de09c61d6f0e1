import Testing

@testable import Pinyin

@Suite struct SyllableTests {
  @Test(arguments: [
    ("li", 3, "lǐ"), ("xiao", 3, "xiǎo"), ("lv", 4, "lǜ"), ("lve", 4, "lüè"), ("gui", 4, "guì"), ("liu", 2, "liú"),
    ("ou", 1, "ōu"),
    ("zhuang", 1, "zhuāng"), ("ma", 5, "ma"), ("ma", 0, "ma"), ("m", 2, "ḿ"), ("ng", 4, "ǹg"), ("er", 2, "ér"),
    ("xiong", 2, "xióng"),
  ])
  func marks(letters: String, tone: Int, marked: String) throws {
    let syllable = try #require(Syllable(letters: letters, tone: tone))
    #expect(syllable.marked == marked)
    #expect(syllable.letters.description == letters && syllable.tone == tone)
  }

  @Test func onlySyllablesOfMandarin() {
    for text in ["", "x", "lix", "lee", "zhuangg", "abcdefghij", "LI", "lü"] {
      #expect(Syllable(letters: text) == nil, "\(text)")
    }
    #expect(Syllable(letters: "li", tone: 6) == nil && Syllable(letters: "li", tone: -1) == nil)
  }

  @Test func order() throws {
    let parts = [("li", 1), ("li", 3), ("li", 5), ("lia", 3), ("lin", 1), ("lu", 4), ("lv", 3), ("ma", 1)]
    let syllables = try parts.map { try #require(Syllable(letters: $0.0, tone: $0.1)) }
    #expect(syllables == syllables.sorted())
  }

  @Test func initials() throws {
    for (letters, count) in [("zhang", 2), ("chen", 2), ("shi", 2), ("zeng", 1), ("an", 1), ("hua", 1), ("e", 1)] {
      #expect(try #require(Syllable(letters: letters)).initialCount == count)
    }
  }

  @Test(arguments: [
    ("Zēng", "zēng"), ("zeng1 guo2", "zēng guó"), ("ouyang", "ou yang"), ("Xi'an", "xi an"), ("xian", "xian"),
    ("lü", "lü"), ("lu\u{308}", "lü"),
    ("lv3", "lǚ"), ("ze\u{304}ng", "zēng"), ("guófān", "guó fān"), ("fangan", "fang an"), ("Yamada", "ya ma da"),
    ("ÀN", "àn"),
  ])
  func pinyinText(text: String, expected: String) throws {
    #expect(try #require(PinyinText.syllables(in: text)).map(\.marked).joined(separator: " ") == expected)
  }

  @Test func otherTextIsNotPinyin() {
    for text in [
      "", " ", "Smith", "曾", "zeng 曾", "1", "zéng\u{301}é\u{304}x", "kyo",
      String(repeating: "xian", count: 5_000) + "q",
    ] {
      #expect(PinyinText.syllables(in: text) == nil, "\(text.prefix(20))")
    }
  }

  @Test func transcriptions() {
    #expect(transcription(of: "李小龙", isPerson: true) == "lǐ xiǎo lóng")
    #expect(transcription(of: "李 小龙", isPerson: true) == "lǐ xiǎo lóng")
    #expect(transcription(of: "Tom张伟2", isPerson: true) == "Tom zhāng wěi 2")
    #expect(transcription(of: "长孙·José!", isPerson: true) == "zhǎng sūn José")
    #expect(transcription(of: "曾氏", isPerson: false) == "céng shì")
    #expect(transcription(of: "Tom", isPerson: true) == "")
    #expect(transcription(of: "", isPerson: true) == "")
  }
}
