import Testing

@testable import Pinyin

@Suite struct ScriptSectionTests {
  private func title(_ name: String) -> String? { ScriptSection(beginning: name)?.title }

  /// The letters are in the order of ICU, which the order of names depends on.
  @Test func lettersAreInTheOrderOfICU() {
    let weights = ScriptSection.letterWeights
    #expect(weights.count == ScriptSection.titles.count && weights.count > 800)
    for index in weights.indices.dropFirst() {
      #expect(
        weights[index - 1].lexicographicallyPrecedes(weights[index]),
        "\(ScriptSection.titles[index - 1]) before \(ScriptSection.titles[index])")
    }
    // In UTF-8, every section takes two bytes.
    #expect(ScriptSection.first + weights.count < 0x800)
    #expect(Set(ScriptSection.titles).count == weights.count)
  }

  @Test(arguments: [
    ("Анна", "А"), ("ёж", "Е"), ("Йод", "Й"), ("Їжак", "І"), ("Ґалаґан", "Г"), ("Әлия", "А"), ("Άννα", "Α"),
    ("ὠδή", "Ω"),
    ("გიორგი", "გ"), ("Արամ", "Ա"), ("דוד", "ד"), ("אברהם", "א"), ("أحمد", "ا"), ("آمنة", "ا"), ("محمد", "م"),
    ("پویا", "پ"),
    ("کاوه", "ك"), ("یاسر", "ي"), ("राम", "र"), ("ਸਿੰਘ", "ਸ"), ("முருகன்", "ம"), ("สมชาย", "ส"), ("เจน", "จ"), ("김", "ㄱ"),
    ("까치", "ㄱ"), ("이", "ㅇ"), ("がま", "か"), ("ｶﾞﾏ", "か"), ("ヤマダ", "や"), ("ん", "わ"), ("ㄅ", "ㄅ"), ("አበበ", "አ"),
  ])
  func sections(_ name: String, _ expected: String) {
    #expect(title(name) == expected)
    let key = NameCollation().sortKey(of: SortableName(displayName: name))
    #expect(NameCollation.scriptSection(of: key)?.title == expected)
    #expect(NameCollation().section(of: SortableName(displayName: name)) == .other)
  }

  @Test(arguments: ["", "Anna", "李强", "42", "☎", "«Анна»", "฿", "٣", "\u{301}", "ꓐ"])
  func noSection(_ name: String) {
    #expect(title(name) == nil)
    #expect(NameCollation.scriptSection(of: NameCollation().sortKey(of: SortableName(displayName: name))) == nil)
  }

  /// Sorted by key, the sections ascend: no name of another section is among those of a section.
  @Test func keysAreInTheOrderOfTheSections() {
    var seed: UInt64 = 77
    func next(_ bound: UInt32) -> UInt32 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt32(seed >> 33) % bound
    }
    var keys: [[UInt8]] = []
    for _ in 0..<20_000 {
      var name = ""
      let start: UInt32 = [0x370, 0x400, 0x531, 0x5D0, 0x620, 0x900, 0xB80, 0xE00, 0x10A0, 0x3040, 0xAC00, 0x1780][
        Int(next(12))]
      for _ in 0..<(1 + next(4)) {
        if let scalar = Unicode.Scalar(start + next(0x80)) { name.unicodeScalars.append(scalar) }
      }
      keys.append(NameCollation().sortKey(of: SortableName(displayName: name)))
    }
    keys.sort { $0.lexicographicallyPrecedes($1) }
    let sections = keys.compactMap(NameCollation.scriptSection)
    #expect(sections.count > 15_000)
    #expect(zip(sections, sections.dropFirst()).allSatisfy { $0 <= $1 })
  }

  /// Inside a script the order is that of ICU, whatever the sections are.
  @Test func theOrderInAScriptIsThatOfICU() {
    let names = ["Анна", "Ёж", "Елена", "Еж", "Жанна", "Ґалаґан", "Гоголь", "Їжак", "Іван", "Яна", "Әлия", "Алия"]
    func weights(_ name: String) -> [UInt8] {
      Array(name.utf16).withUnsafeBufferPointer { units in
        [UInt8](unsafeUninitializedCapacity: 256) { key, count in
          count = Collator.root.sortKey(of: units, into: key)
        }
      }
    }
    let byICU = names.sorted { weights($0).lexicographicallyPrecedes(weights($1)) }
    let byKey = names.sorted {
      NameCollation().sortKey(of: SortableName(displayName: $0))
        .lexicographicallyPrecedes(NameCollation().sortKey(of: SortableName(displayName: $1)))
    }
    #expect(byKey == byICU)
  }
}
