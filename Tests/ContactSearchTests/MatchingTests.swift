import Testing

@testable import ContactSearch

/// Which names, numbers and addresses a term matches, and what is highlighted.
@Suite struct MatchingTests {
  private func check(
    _ query: String, _ name: String, _ expected: [[Int]]?, options: SearchOptions = SearchOptions(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let matches = SearchQuery(query, options: options).matches(in: SearchDocument(id: 1, name: name))
    let ranges = matches.map { $0.first?.ranges.map { [$0.lowerBound, $0.upperBound] } ?? [] }
    #expect(ranges == expected, "\(query) in \(name)", sourceLocation: sourceLocation)
  }

  @Test func readings() {
    check("chongqing", "重庆", [[0, 2]])
    check("zhongqing", "重庆", [[0, 2]])
    check("cq", "重庆", [[0, 2]])
    check("zhq", "重庆", [[0, 2]])
    check("hq", "重庆", nil)
    check("moqi", "万俟卨", [[0, 2]])
    check("lv", "吕布", [[0, 1]])
    check("lu", "吕布", [[0, 1]])
    check("lyu", "吕布", [[0, 1]])
    check("lü", "吕布", [[0, 1]])
    check("lǚbù", "吕布", [[0, 2]])
    check("xi'an", "西安", [[0, 2]])
    check("xi’an", "先", nil)
    check("xi'an", "先生", nil)
    check("xian", "先", [[0, 1]])
    check("xi'a", "先", nil)
    check("xi'", "先", [[0, 1]])
    check("x'an", "西安", [[0, 2]])
    check("fang'an", "方案", [[0, 2]])
    check("fan'gan", "反感", [[0, 2]])
    check("fan'gan", "方案", nil)
    check("\"xi'an\"", "先", nil)
    check("\"xi'an\"", "西安", [[0, 2]])
    check("xi'an", "Xian", [[0, 4]])
    check("ＬＩ", "李强", [[0, 1]])
    check("iqiang", "李强", nil)
    check("zhangsan", "张·三", [[0, 1], [2, 3]])
  }

  @Test func traditionalAndSimplifiedFindEachOther() {
    check("曾国藩", "曾國藩", [[0, 3]])
    check("張", "张三", [[0, 1]])
    check("陳x", "陈欣", [[0, 2]])
  }

  @Test func words() {
    check("smith", "John Smith", [[5, 10]])
    check("johnsm", "John Smith", [[0, 4], [5, 7]])
    check("js", "John Smith", [[0, 1], [5, 6]])
    check("mith", "John Smith", nil)
    check("o'brien", "Pat O’Brien", [[4, 5], [6, 11]])
    check("jeanluc", "Jean-Luc", [[0, 4], [5, 8]])
    check("jean-l", "Jean-Luc", [[0, 6]])
    check("strasse", "Straße", [[0, 6]])
    check("stras", "Straße", [[0, 5]])
    check("aesop", "Æsop", [[0, 4]])
    check("emile", "E\u{301}mile", [[0, 5]])
    check("a_b", "a_b", [[0, 3]])
    check("ab", "a_b", [[0, 1], [2, 3]])
    check("b2", "B 22", [[0, 1], [2, 3]])
  }

  @Test func otherScripts() {
    check("ива", "Иван Петров", [[0, 3]])
    check("ИВАН", "Иван Петров", [[0, 4]])
    check("γιω", "Γιώργος", [[0, 3]])
    check("γιώργοσ", "Γιώργος", [[0, 7]])
    check("احمد", "أحمد", [[0, 4]])
    check("ชาย", "สมชาย", [[2, 5]])
    check("철수", "김철수", [[1, 3]])
    check("くら", "さくら", [[1, 3]])
    check("クラ", "さくら", [[1, 3]])
    check("さくら", "サクラ", [[0, 3]])
    check("ｻｸﾗ", "さくら", [[0, 3]])
    check("がぎ", "ｶﾞｷﾞ", [[0, 4]])
    check("ｶﾞ", "ガ", [[0, 1]])
    check("ｶ", "が", nil)
    check("か", "ｶﾞ", nil)
    check("ぱーてぃ", "ﾊﾟｰﾃｨ", [[0, 5]])
    check("ヴ", "う\u{3099}", [[0, 1]])
    check("ヽヾ", "ゝゞ", [[0, 2]])
    check("ｯ", "ッ", [[0, 1]])
    check("イ・ウ", "ｲ･ｳ", [[0, 3]])
    check("नि", "अनिता", nil)
    check("अनि", "अनिता", [[0, 3]])
    check("🎉", "Party 🎉", [[6, 7]])
  }

  @Test func fuzzyAndKeypad() {
    let fuzzy = SearchOptions(fuzzy: true)
    check("zan", "张", [[0, 1]], options: fuzzy)
    check("zan", "张", nil)
    check("nin", "林", [[0, 1]], options: fuzzy)
    check("sl", "沈浪", [[0, 2]], options: fuzzy)
    check("wanghon", "王宏", [[0, 2]], options: fuzzy)
    let keypad = SearchOptions(t9: true)
    check("99", "王小", [[0, 2]], options: keypad)
    check("76484", "Smith", [[0, 5]], options: keypad)
    check("57", "李强", nil)
  }

  @Test(arguments: [
    ("+44 20 7946", "020 7946 0000", [[1, 8]]), ("02079460000", "+44 20 7946 0000", [[4, 16]]),
    ("+86138", "0086 138 1234 5678", [[2, 8]]), ("0086138", "+86 138 1234 5678", [[1, 7]]),
    ("8613812345678", "138 1234 5678", [[0, 13]]), ("+1 415", "(415) 555-2671", [[1, 4]]),
    ("+44 20", "+44 (0)20 7946", [[1, 9]]), ("1381234", "１３８ 1234", [[0, 8]]), ("67", "138 1234 5678", [[10, 12]]),
  ])
  func phoneNumbers(query: String, number: String, expected: [[Int]]) {
    var person = SearchDocument(id: 1, name: "甲")
    person.phones = [number]
    let match = SearchQuery(query).matches(in: person)?.first
    #expect(match?.field.key == "phones[0]")
    #expect(match?.ranges.map { [$0.lowerBound, $0.upperBound] } == expected)
  }

  @Test(arguments: [
    ("+8614", "138 0000"), ("+44 138", "+86 138 0000"), ("0000", "0086 137 8888 9999"), ("1388", "138 123"),
  ])
  func otherPhoneNumbers(query: String, number: String) {
    var person = SearchDocument(id: 1, name: "甲")
    person.phones = [number]
    #expect(SearchQuery(query).matches(in: person) == nil)
  }

  @Test func aLetterMatchesAnAddressAtItsStartsOnly() {
    var person = SearchDocument(id: 1, name: "甲")
    person.emails = ["bob@example.com"]
    #expect(SearchQuery("b").matches(in: person) != nil)
    #expect(SearchQuery("e").matches(in: person) != nil)
    #expect(SearchQuery("m").matches(in: person) == nil)
    #expect(SearchQuery("mp").matches(in: person) != nil)
    #expect(SearchQuery("@").matches(in: person) != nil)
  }

  @Test func everywhereShowsEachField() {
    var person = SearchDocument(id: 1, name: "李强")
    person.emails = ["liqiang@example.com"]
    let query = SearchQuery("li")
    #expect(query.matches(in: person)?.map(\.field.key) == ["name"])
    #expect(query.matches(in: person, everywhere: true)?.map(\.field.key) == ["name", "emails[0]"])
  }

  @Test func phoneticFieldsAndPartsOfTheName() {
    var person = SearchDocument(id: 1, name: "Dr. X")
    person.family = "单"
    person.given = "雄信"
    person.phoneticFamily = "Shan"
    #expect(SearchQuery("shan").matches(in: person)?.first?.field.key == "phonetic")
    #expect(SearchQuery("xiongx").matches(in: person)?.first?.field.key == "given")
  }

  /// A match is shown with the text of its field.
  @Test func eachFieldHasItsText() {
    var people = RandomPeople(seed: 7)
    for id in 1...200 {
      var person = people.next(id: Int64(id))
      if id % 3 == 0 { person.phoneticGiven = "Xiong" }
      if id % 4 == 0 { (person.family, person.given) = ("Nowhere", "Else") }
      person.forEachText { #expect(person.text(of: $0) == $1) }
      person.forEachLiteral { #expect(person.text(of: $0) == $1) }
      for (index, phone) in person.phones.enumerated() { #expect(person.text(of: .phone(index)) == phone) }
      #expect(person.text(of: .phone(person.phones.count)) == "")
    }
  }

  @Test func phoneticNamesOverrideTheGuess() {
    var person = SearchDocument(id: 1, name: "陈海洋")
    person.family = "陈"
    person.given = "海洋"
    #expect(SearchQuery("thy").matches(in: person) == nil)
    person.phoneticFamily = "tan"
    for query in ["thy", "tanhaiyang", "thaiy", "陈hy", "chy"] {
      let match = SearchQuery(query).matches(in: person)?.first
      #expect(match?.field == .name && match?.ranges.first?.lowerBound == 0, "\(query)")
    }
    let index = SearchIndex()
    index.upsert([person])
    #expect(index.search(SearchQuery("thy")).map(\.id) == [1])
    // Also the given name, and a name in a single field.
    var other = SearchDocument(id: 2, name: "覃乐")
    other.phoneticFamily = "qin"
    other.phoneticGiven = "yao"
    index.upsert([other])
    #expect(index.search(SearchQuery("qinyao")).map(\.id) == [2])
    #expect(index.search(SearchQuery("qy")).map(\.id) == [2])
  }

  @Test func betterMatchesComeFirst() {
    let names = ["王安", "安琪", "Ann Lee", "西安", "安", "安安"]
    let index = SearchIndex()
    index.upsert(names.enumerated().map { SearchDocument(id: Int64($0.offset), name: $0.element) })
    let order = index.search(SearchQuery("an")).map { names[Int($0.id)] }
    #expect(order.first == "安")
    #expect(Set(order[1...3]) == ["安琪", "安安", "Ann Lee"])
    #expect(Set(order[4...]) == ["王安", "西安"])
  }
}
