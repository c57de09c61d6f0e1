import Testing

@testable import Pinyin

@Suite struct ReadingsTests {
  private func all(_ character: Unicode.Scalar) -> [String] { Readings.all(character).map(\.marked) }

  private func name(_ text: String, isPerson: Bool = true) -> String {
    Readings.name(text, isPerson: isPerson).map { $0?.marked ?? "-" }.joined(separator: " ")
  }

  @Test func primaryReadings() {
    #expect(Readings.primary("李")?.marked == "lǐ")
    #expect(Readings.primary("女")?.letters.description == "nv")
    #expect(Readings.primary("女")?.tone == 3)
    #expect(Readings.primary("子")?.marked == "zǐ")
    #expect(Readings.primary("龘")?.marked == "dá")
    #expect(Readings.primary("〇")?.marked == "líng")
    for other in "aØ1あア한Я😀。\u{301}".unicodeScalars { #expect(Readings.primary(other) == nil, "\(other)") }
  }

  /// ICU's first reading is an old or rare one for some characters (罗 luō, 佛 fú): the standard of 2013 and the
  /// overrides correct it.
  @Test func usualReadingsOfToday() {
    let expected = [
      "罗": "luó", "卓": "zhuó", "绩": "jì", "迹": "jì", "佛": "fó", "勒": "lè", "拓": "tuò", "靓": "liàng", "徵": "zhēng",
      "地": "dì", "嬛": "huán", "阚": "kàn",
      "隗": "wěi", "羅": "luó", "績": "jì",
    ]
    for (text, reading) in expected { #expect(Readings.primary(text.unicodeScalars.first!)?.marked == reading) }
    #expect(all("隗").contains { $0.hasPrefix("ku") })
  }

  @Test func traditionalCompatibilityAndExtensions() {
    #expect(Readings.primary("曉")?.marked == "xiǎo")
    #expect(Readings.primary("\u{F90A}")?.marked == "jīn")
    #expect(Readings.primary("\u{2F800}") == Readings.primary("丽"))
    #expect(Readings.primary("\u{20000}")?.marked == "hē")
    #expect(Readings.primary("\u{3447}") != nil)
    #expect(Readings.primary("\u{2A70E}") != nil)
    // A code point that is not assigned yet.
    #expect(Readings.primary("\u{3FFFD}") == nil)
  }

  @Test func heteronyms() {
    #expect(all("行") == ["xíng", "háng", "héng"])
    #expect(all("樂") == ["lè", "yuè"])
    #expect(all("李") == ["lǐ"])
    #expect(all("仇").contains("qiú") && all("翟").contains("dí") && all("翟").contains("zhái"))
    #expect(all("能").contains("nài") && all("么").contains("yāo") && all("贠").contains("yùn"))
    #expect(all("a").isEmpty)
  }

  @Test(arguments: [
    ("单田芳", "shàn tián fāng"), ("長孫無忌", "zhǎng sūn wú jì"), ("万俟卨", "mò qí xiè"), ("李小龙", "lǐ xiǎo lóng"),
    ("单位", "dān wèi"), ("张重庆", "zhāng chóng qìng"), ("李长春", "lǐ cháng chūn"), ("张校长", "zhāng xiào zhǎng"),
    ("Tom 曾", "- - - - céng"), (" 曾国藩", "- zēng guó fān"), ("佐々木", "zuǒ zuǒ mù"), ("乐乐", "lè lè"),
    ("尉迟恭", "yù chí gōng"),
    ("", ""), ("岑参", "cén shēn"), ("任正非", "rén zhèng fēi"), ("行长", "háng zhǎng"),
  ])
  func names(text: String, expected: String) { #expect(name(text) == expected) }

  @Test func organizationsHaveNoSurname() {
    #expect(name("曾氏集团", isPerson: false) == "céng shì jí tuán")
    #expect(name("长江", isPerson: false) == "cháng jiāng")
    #expect(name("宁波银行", isPerson: false) == "níng bō yín háng")
    #expect(name("重", isPerson: false) == "zhòng")
  }

  @Test func aFamilyFieldIsASurname() {
    let readings = Readings.name("解放", role: .family(count: 1))
    #expect(readings.map { $0?.marked } == ["xiè", "fàng"])
    #expect(Readings.name("解放军", role: .family(count: 3))[0]?.marked == "jiě")
    #expect(Readings.name("单于", role: .family(count: 1))[0]?.marked == "shàn")
    #expect(Readings.name("單于車", role: .family(count: 2))[0]?.marked == "chán")
  }
}
