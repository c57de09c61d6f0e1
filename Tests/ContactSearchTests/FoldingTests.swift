import Testing

@testable import ContactSearch

/// Letters and signs that people cannot tell apart or cannot type find each other; different ones do not. Each name is
/// compared on its own, and found in an index.
@Suite struct FoldingTests {
  private func finds(_ query: String, _ name: String, phone: String = "") -> Bool {
    var document = SearchDocument(id: 1, name: name)
    if !phone.isEmpty { document.phones = [phone] }
    let index = SearchIndex()
    index.upsert([document, SearchDocument(id: 2, name: "Zzyzx 吴 Ωρίων")])
    let isFound = index.search(SearchQuery(query)).contains { $0.id == 1 }
    #expect(isFound == (SearchQuery(query).matches(in: document) != nil), "\(query) in \(name)")
    return isFound
  }

  private func check(_ names: [String]) {
    for query in names { for name in names { #expect(finds(query, name), "\(query) in \(name)") } }
  }

  @Test(arguments: [
    ["فاطمة", "فاطمه"], ["مصطفى", "مصطفي"], ["علی", "علي", "على"], ["کریمی", "كريمي"], ["ٱلحسن", "الحسن"],
    ["ہارون", "هارون"], ["ھانی", "هانی"], ["حبيبۀ", "حبيبه"], ["ﻋﻠﻲ", "علي"], ["علی\u{200C}رضا", "علیرضا"],
  ])
  func arabicAndPersianLetters(names: [String]) { check(names) }

  @Test(arguments: [
    ["Ґалаґан", "Галаган"], ["Єрмак", "Ермак"], ["Қасым", "Касым"], ["Ұлан", "Улан"], ["Әлия", "Алия"],
    ["צ׳רני", "צ'רני"],
    ["חיים", "חיימ"], ["O'Brien", "OʻBrien", "OʼBrien", "OʹBrien", "OꞌBrien", "O՚Brien", "O′Brien", "O`Brien"],
    ["D'Angelo", "D׳Angelo", "Dʿangelo", "D＇Angelo", "D‛Angelo"], ["צה״ל", "צה\"ל"],
    ["Jean-Pierre", "Jean‐Pierre", "Jean‑Pierre", "Jean–Pierre", "Jean−Pierre", "Jean－Pierre", "Jean־Pierre"],
  ])
  func letterAndSignVariants(names: [String]) { check(names) }

  @Test(arguments: [
    ["高橋", "髙橋"], ["山崎", "山﨑", "山嵜"], ["吉田", "𠮷田"], ["渡辺", "渡邊", "渡邉"], ["斎藤", "齋藤"], ["斉藤", "齊藤"], ["沢田", "澤田"],
    ["桜井", "櫻井"], ["竜崎", "龍崎"], ["島田", "嶋田", "嶌田"], ["山田", "⼭田"], ["刘", "劉"], ["茂ヶ崎", "茂ケ崎"], ["佐々木", "佐々木"],
  ])
  func shapesOfACharacter(names: [String]) { check(names) }

  @Test(arguments: [
    ("Халаган", "Галаган"), ("تابت", "ثابت"), ("ياسم", "باسم"), ("oa'brien", "O'Brien"), ("o'xbrien", "O'Brien"),
    ("jean-xpierre", "Jean-Pierre"), ("士田", "土田"), ("京木", "高木"), ("高本", "高木"), ("カルロサ", "カルロス"),
  ])
  func differentLetters(query: String, name: String) { #expect(!finds(query, name)) }

  @Test(arguments: [
    ("ㄱㅊㅅ", true), ("ㄱㅊ", true), ("ㄱ", true), ("김ㅊㅅ", true), ("김철ㅅ", true), ("ㅊㅅ", true), ("ᄀᄎᄉ", true), ("ﾡﾺﾵ", true),
    ("ㅂㅊㅅ", false), ("ㄱㅅㅊ", false), ("ㅎ", false), ("김ㅅ", false), ("ㄱㅊㅅㅅ", false),
  ])
  func koreanInitials(query: String, isFound: Bool) {
    #expect(finds(query, "김철수") == isFound)
    #expect(!finds(query, "王小明") && !finds(query, "Kim Cheolsu"))
  }

  @Test(arguments: [
    ("ㄨㄤˊ", true), ("ㄨㄤ", true), ("ㄨㄤˊㄒㄧㄠˇㄇㄧㄥˊ", true), ("ㄨㄤㄒㄧㄠㄇㄧㄥ", true), ("ㄨㄒㄇ", true), ("ㄨㄤㄒ", true), ("ㄒㄧㄠ", true),
    ("ㄨ", true),
    ("ㄌㄧˇ", false), ("ㄓㄤ", false), ("ㄨㄤㄌㄧ", false), ("ㄨㄌㄇ", false), ("ㄨㄤㄠ", false), ("ㄤ", false),
  ])
  func zhuyin(query: String, isFound: Bool) {
    #expect(finds(query, "王小明") == isFound)
    #expect(!finds(query, "Wang Xiaoming"))
  }

  @Test(arguments: [
    ("ㄓㄤㄏㄨㄟˋㄇㄟˋ", "張惠妹"), ("ㄌㄩˇ", "呂布"), ("ㄒㄩㄝˊ", "學良"), ("ㄕ", "石"), ("ㄦ", "二"), ("ㄩㄥˇ", "永"), ("ㄐㄩㄣ", "君"),
    ("ㄌㄧㄡˊ", "劉"),
    ("ㄅㄛ", "波"), ("ㄙㄨㄟˊ", "隨"), ("ㄊㄨㄥˊ", "同"), ("˙ㄗ", "子"), ("ㄧㄝˋ", "葉"),
  ])
  func zhuyinSyllables(query: String, name: String) { #expect(finds(query, name)) }

  /// What stands in the contact is found by typing it.
  @Test(arguments: ["1-800-FLOWERS", "0190-KANN", "555-HELP ext. 5", "*123#", "*100*2#", "+49 30 123 w 7", "030／12－34"])
  func phoneTexts(phone: String) {
    #expect(finds(phone, "Ann", phone: phone))
    #expect(finds("\"\(phone.lowercased())\"", "Ann", phone: phone))
    #expect(finds("tel:" + phone.prefix(5), "Ann", phone: phone))
    #expect(!finds(phone + "x", "Ann", phone: phone))
  }

  @Test func aNumberWithLettersIsHighlightedWhole() {
    var document = SearchDocument(id: 1, name: "Blumen")
    document.phones = ["+1", "1-800-FLOWERS"]
    let matches = SearchQuery("1-800-flowers").matches(in: document)
    #expect(matches?.map(\.field) == [.phone(1)])
    #expect(matches?.first?.ranges == [0..<13])
  }

  /// A name with the family name first is found as it is displayed.
  @Test func aCommaAfterAName() {
    #expect(finds("Smith, John", "John Smith") && finds("smith,", "John Smith"))
    #expect(finds(",", "a,b") && !finds("smith,j", "Smith"))
  }
}
