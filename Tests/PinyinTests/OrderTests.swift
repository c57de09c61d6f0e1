import Testing

@testable import Pinyin

/// Returns whether the first bytes precede the second as in `memcmp`; a prefix comes first.
func precedes(_ first: [UInt8], _ second: [UInt8]) -> Bool { first.lexicographicallyPrecedes(second) }

@Suite struct OrderTests {
  private let collation = NameCollation()

  private func key(_ name: String) -> [UInt8] { collation.sortKey(of: SortableName(displayName: name)) }

  /// Each list is in order, with no ties.
  @Test(arguments: [
    // By section first; # is last.
    ["阿明", "Adam", "白", "Bob", "张", "Zoë", "Я", "1"],
    // Han before Latin; syllable, then tone, then character; all of one surname together.
    ["黎明", "李强", "李小龙", "里程", "力宏", "林", "刘", "Li", "Li Qiang", "Lindström"],
    ["妈", "麻", "马", "骂"],
    ["卢", "鲁", "路", "吕", "Lu"],
    ["曾国藩", "曾国荃", "赵"],
    // The surname's reading, not the usual one.
    ["单", "沈"],
    // Shorter first.
    ["王", "王一", "王一一"],
    // Latin by ICU: accents and case after letters.
    ["Muller", "Müller", "Mullers", "Mum"], ["anna", "Anna", "Annabel"], ["Tom", "Ｔｏｍ", "Tom Li"],
    // Numbers by value.
    ["Room 2", "Room 10", "Room 100"], ["张伟2", "张伟10"], ["2", "10", "100", "+8613800000000"],
    // Mixed names: after the same beginning Han first.
    ["Tom", "Tom张", "Tom Adams", "Tomas"], ["AAA", "AAA建材王哥", "AAAA"],
    ["李", "李小", "李Ａnna2", "李Tom"],
    ["李Tom小", "李Tom a", "李Tomas"],
    // In #: other scripts one after the other, numbers, symbols, nothing visible.
    [
      "Άννα", "Βασίλης", "Ωμέγα", "Анна", "Ёлкина", "Иван Иванов", "Иван Петров", "Яна", "გიორგი", "Արամ", "דוד",
      "أحمد", "محمد",
      "राम", "เจน", "สมชาย", "김민준", "박지성", "さくら", "ヤマダ", "9", "10号", "?", "☎", "\u{200B}",
    ],
  ])
  func inOrder(_ names: [String]) {
    for (first, second) in zip(names, names.dropFirst()) {
      #expect(precedes(key(first), key(second)), "\(first) before \(second): \(key(first)) \(key(second))")
    }
  }

  @Test func separatorsCountOnlyInTies() {
    #expect(key("李 小龙") != key("李小龙"))
    for other in ["李 小龙", "李·小龙", "李小龙 "] {
      #expect(precedes(key("李小虎"), key(other)) && precedes(key(other), key("李小路")))
    }
    #expect(precedes(key("Tom 张"), key("Tom李四")) == false)
  }

  @Test func phoneticFields() {
    func key(_ display: String, _ family: String, _ given: String, _ said: String, _ saidGiven: String = "") -> [UInt8]
    {
      collation.sortKey(
        of: SortableName(
          displayName: display, family: family, given: given, phoneticFamily: said, phoneticGiven: saidGiven))
    }
    // Pinyin keeps a Han name among Han names, tone and character included.
    #expect(key("曾国藩", "曾", "国藩", "Zeng") == self.key("曾国藩"))
    #expect(key("曾国藩", "", "", "zēng", "guófān") == self.key("曾国藩"))
    #expect(precedes(key("解放", "解", "放", "Jie"), self.key("Jill")))
    #expect(key("解放", "解", "放", "Jie")[0] == Section.j.rawValue)
    // A Latin phonetic name that is not pinyin sorts as Latin.
    #expect(precedes(self.key("杨"), key("山田太郎", "山田", "太郎", "Yamada", "Taro")))
    #expect(key("山田太郎", "山田", "太郎", "Yamada", "Taro") == self.key("Yamada Taro"))
  }

  @Test func keysAreBoundedAndStable() {
    let long = String(repeating: "李小龙", count: 40_000)
    for text in [
      long, String(repeating: "a", count: 100_000), String(repeating: "9", count: 100_000),
      String(repeating: "\u{301}", count: 9_999),
    ] {
      let found = key(text)
      #expect((2...NameCollation.maximumKeyLength).contains(found.count))
      #expect(found == key(text))
    }
    #expect(key(long).count == NameCollation.maximumKeyLength)
    #expect(key("王小明").count <= 14)
  }

  @Test func extremes() {
    let texts = [
      "", "\u{301}", "\u{0}", "\u{10FFFF}", "\u{3FFFD}", String(repeating: "\u{200B}", count: 100_000),
      String(repeating: "长", count: 100_000),
    ]
    for text in texts {
      for name in [
        SortableName(displayName: text), SortableName(family: text, given: text),
        SortableName(displayName: text, family: text),
        SortableName(phoneticFamily: text, phoneticGiven: text),
        SortableName(kind: .organization, organization: text, phone: text),
      ] {
        let found = collation.sortKey(of: name)
        #expect(found.count >= 2 && found[0] == collation.section(of: name).rawValue)
      }
      #expect(Readings.name(text, isPerson: true).count == text.unicodeScalars.count)
      _ = transcription(of: text, isPerson: true)
    }
    #expect(key("") == [Section.other.rawValue, 5])
  }

  /// Many odd names, all with well-formed keys.
  @Test func anyScalars() {
    var seed: UInt64 = 20_250_101
    print("seed \(seed)")
    func next(_ bound: UInt32) -> UInt32 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt32(seed >> 33) % bound
    }
    let kinds: [() -> UInt32] = [
      { next(0x80) }, { 0x4E00 + next(0x5200) }, { 0x20000 + next(0x12000) }, { next(0x110000) },
      { 0x300 + next(0x70) }, { 0xFF00 + next(0xFF) },
      { 0x1F300 + next(0x400) },
    ]
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<next(12) {
        if let scalar = Unicode.Scalar(kinds[Int(next(UInt32(kinds.count)))]()) { text.unicodeScalars.append(scalar) }
      }
      let name = SortableName(
        displayName: text, family: next(4) == 0 ? String(text.prefix(1)) : "", phoneticFamily: next(9) == 0 ? text : "")
      let found = collation.sortKey(of: name)
      #expect(found.count >= 2 && found.count <= NameCollation.maximumKeyLength)
      #expect(found[0] == collation.section(of: name).rawValue)
      #expect(Readings.name(text, isPerson: true).count == text.unicodeScalars.count)
      _ = transcription(of: text, isPerson: false)
    }
  }

  @Test func versionNamesItsParts() {
    #expect(NameCollation.version.contains("pinyin-\(String(ReadingTable.contentsDigest, radix: 16))"))
    #expect(NameCollation.version.contains("icu-\(ICU.version.major)."))
  }
}
