import Testing

@testable import Pinyin

/// Sections and order of a locale: letters stand where its readers look for them.
struct LocaleIndexTests {
  /// Returns the names in order, each with the title of its section: `Å Åsa`.
  private func sorted(_ names: [String], _ locale: String) throws -> [String] {
    let index = try #require(LocaleIndex(locale))
    let collation = NameCollation(index)
    return names.map { ($0, collation.sortKey(of: SortableName(displayName: $0))) }
      .sorted { $0.1.lexicographicallyPrecedes($1.1) }
      .map { "\(index.titles[Int($0.1[0])]) \($0.0)" }
  }

  private func titles(_ locale: String) throws -> String {
    try #require(LocaleIndex(locale)).titles.joined(separator: " ")
  }

  @Test func swedishLettersAreAfterZ() throws {
    #expect(try titles("sv") == "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z Å Ä Ö #")
    #expect(
      try sorted(["Östen", "Ärla", "Åsa", "Zoë", "Olof", "Anna", "Émile", "42", "Андрей", "张伟", "Ølholm"], "sv")
        == [
          "A Anna", "E Émile", "O Olof", "Z 张伟", "Z Zoë", "Å Åsa", "Ä Ärla", "Ö Ølholm", "Ö Östen", "# Андрей", "# 42",
        ])
    // The standard order is another one.
    #expect(NameCollation().section(of: SortableName(displayName: "Åsa")) == .a)
  }

  @Test func danishAaIsÅ() throws {
    #expect(try titles("da").hasSuffix("X Y Z Æ Ø Å #"))
    #expect(
      try sorted(["Aagaard", "Åse", "Østergaard", "Ærø", "Zita", "Adam"], "da")
        == ["A Adam", "Z Zita", "Æ Ærø", "Ø Østergaard", "Å Aagaard", "Å Åse"])
  }

  @Test func spanishÑIsAfterN() throws {
    #expect(try titles("es").contains("M N Ñ O"))
    #expect(
      try sorted(["Ñandú", "Nuria", "Núñez", "Óscar", "Llanos", "Luis"], "es")
        == ["L Llanos", "L Luis", "N Núñez", "N Nuria", "Ñ Ñandú", "O Óscar"])
  }

  @Test func czechChIsAfterH() throws {
    #expect(try titles("cs") == "A B C Č D E F G H CH I J K L M N O P Q R Ř S Š T U V W X Y Z Ž #")
    #expect(
      try sorted(["Chalupa", "Cibulka", "Čapek", "Hus", "Ivan", "Žižka", "Zeman", "Řehoř", "Růžena"], "cs")
        == [
          "C Cibulka", "Č Čapek", "H Hus", "CH Chalupa", "I Ivan", "R Růžena", "Ř Řehoř", "Z Zeman", "Ž Žižka",
        ])
  }

  @Test func hungarianLettersOfSeveralCharacters() throws {
    #expect(try titles("hu").hasPrefix("A B C CS D DZ DZS E F G GY H"))
    #expect(
      try sorted(["Dzsenifer", "Ádám", "Csaba", "Cecil"], "hu") == ["A Ádám", "C Cecil", "CS Csaba", "DZS Dzsenifer"])
  }

  @Test func chineseByStrokes() throws {
    #expect(try titles("zh-u-co-stroke").hasPrefix("1 2 3 4 5 6 7 8 9 10 11 12"))
    #expect(try titles("zh-u-co-stroke").hasSuffix("48 A B C D E F G H I J K L M N O P Q R S T U V W X Y Z #"))
    #expect(
      try sorted(["陳大文", "王小明", "丁一", "李四", "Ann", "林美", "☎"], "zh-u-co-stroke")
        == ["2 丁一", "4 王小明", "7 李四", "8 林美", "11 陳大文", "A Ann", "# ☎"])
    #expect(try titles("zh-TW") == titles("zh-u-co-stroke"))
  }

  @Test func chineseByZhuyin() throws {
    #expect(try titles("zh-u-co-zhuyin").hasPrefix("ㄅ ㄆ ㄇ ㄈ ㄉ ㄊ"))
    #expect(
      try sorted(["周杰", "王小明", "白先", "林美", "Ann", "陳大文"], "zh-u-co-zhuyin")
        == ["ㄅ 白先", "ㄌ 林美", "ㄓ 周杰", "ㄔ 陳大文", "ㄨ 王小明", "A Ann"])
  }

  /// Chinese without an order of its own, and other scripts.
  @Test func pinyinStaysTheOrder() throws {
    #expect(try sorted(["曾国藩", "Bob", "白先", "阿明"], "zh") == ["A 阿明", "B 白先", "B Bob", "Z 曾国藩"])
    #expect(try titles("ru").contains("А Б В Г Д Е"))
    #expect(try sorted(["Яна", "Ёж", "Ann", "Андрей"], "ru").first == "А Андрей")
  }

  @Test func aTypedLetterHasASection() throws {
    let index = try #require(LocaleIndex("sv"))
    func title(_ text: String) -> String? { index.section(beginning: text).map { index.titles[$0] } }
    #expect(title("å") == "Å" && title("É") == "E" && title("a") == "A" && title("1") == nil && title("") == nil)
  }

  @Test(arguments: ["", "xx", "sv-", "nonsense", "zh-u-co-bogus", "latin", "s'v", "sv\u{0}"])
  func anUnknownLocaleHasNoIndex(locale: String) { #expect(LocaleIndex(locale) == nil) }

  @Test(arguments: ["en", "fr", "de-CH", "nb", "de-u-co-phonebk", "ja", "ko", "ar", "th"])
  func everyKnownLocaleHasAToZ(locale: String) throws {
    let titles = try #require(LocaleIndex(locale)).titles
    #expect(titles.last == "#" && titles.contains("A") && titles.contains("Z") && titles.count < 255)
    #expect(Set(titles).count == titles.count)
  }
}
