import ContactSearch
import Testing

/// The meaning of a query: fields, phrases, exclusion; every text is a valid query.
@Suite struct QueryTests {
  private let people: [SearchDocument] = {
    var first = SearchDocument(id: 1, name: "李强")
    first.organization = "Acme"
    first.groups = ["Friends", "VIP"]
    first.phones = ["+86 138 1234 5678"]
    first.emails = ["liqiang@example.com"]
    first.hasPhoto = true
    var second = SearchDocument(id: 2, name: "Li Qiang")
    second.title = "Engineer at Acme"
    second.note = "knows 李强"
    second.urls = ["https://example.org/li"]
    second.hasBirthday = true
    var third = SearchDocument(id: 3, name: "刘强东")
    third.nickname = "大强"
    third.addresses = ["中山路 5 号, 北京"]
    var fourth = SearchDocument(id: 4, name: "org: 100% \"quoted\"")
    fourth.department = "R&D"
    return [first, second, third, fourth]
  }()

  private func found(_ text: String, _ options: SearchOptions = SearchOptions()) -> [Int64] {
    let query = SearchQuery(text, options: options)
    let alone = people.filter { query.matches(in: $0) != nil }.map(\.id)
    let index = SearchIndex()
    index.upsert(people)
    #expect(index.search(query).map(\.id).sorted() == alone, "\(text)")
    return alone
  }

  /// A word that looks like a field is text, but a caller may say which fields there are.
  @Test func unknownFieldsAreText() {
    for (text, field) in [
      ("city:berlin", "city:"), ("li -Street:x org:acme", "street:"), ("城市：柏林", "城市:"), ("has:city", "has:city"),
      ("a:b nmae:li foo:bar", "nmae:"),
    ] {
      #expect(SearchQuery(text).unknownField == field, "\(text)")
    }
    for text in [
      "", "city", "city:", "12:30", "http://a.org", "mailto:a@b.c", "a@b:c@d", "fe::1", "x:y", "\"city:berlin\"",
      "1a:b",
      "138 0000:1111",
    ] {
      #expect(SearchQuery(text).unknownField == nil, "\(text)")
    }
    #expect(
      SearchQuery("-Contacted:x y").unknownField == "contacted:x" && SearchQuery("contacted:<1d").unknownField == nil)
    for name in SearchQuery.fieldNames where name != "contacted" {
      #expect(SearchQuery(name + ":x").unknownField == nil, "\(name)")
    }
    for name in SearchQuery.presenceNames { #expect(SearchQuery("has:" + name).unknownField == nil, "\(name)") }
  }

  @Test func fieldTerms() {
    #expect(found("acme") == [1, 2])
    #expect(found("org:acme") == [1])
    #expect(found("ORG:acme") == [1])
    #expect(found("org：acme") == [1])
    #expect(found("title:acme") == [2])
    #expect(found("group:vip") == [1])
    #expect(found("group:fri org:ac") == [1])
    #expect(found("tel:138") == [1])
    #expect(found("email:example") == [1])
    #expect(found("url:example") == [2])
    #expect(found("note:李") == [2])
    #expect(found("nick:daq") == [3])
    #expect(found("addr:beijing") == [3])
    #expect(found("dept:r&d") == [4])
    #expect(found("name:li") == [1, 2, 3])
    #expect(found("name:\"li qiang\"") == [1, 2])
    #expect(found("has:photo") == [1])
    #expect(found("has:birthday") == [2])
    #expect(found("has:phone") == [1])
    #expect(found("has:note li") == [2])
  }

  @Test func exclusion() {
    #expect(found("-li") == [4])
    #expect(found("li -org:acme") == [2, 3])
    #expect(found("li -has:photo") == [2, 3])
    #expect(found("li -\"li qiang\"") == [3])
    #expect(found("-") == [])
  }

  @Test func phrases() {
    #expect(found("\"li qiang\"") == [1, 2])
    #expect(found("“li qiang”") == [1, 2])
    #expect(found("\"li qia\"") == [])
    #expect(found("\"li qia") == [1, 2])
    #expect(found("\"l q\"") == [])
    #expect(found("\"qiang li\"") == [])
    #expect(found("\"\"") == [1, 2, 3, 4])
  }

  @Test func unknownSyntaxIsText() {
    #expect(found("org:") == [4])
    #expect(found("has:nothing") == [])
    #expect(found("foo:li") == [])
    #expect(found("100%") == [4])
    #expect(found("%") == [4])
    #expect(found("li AND qiang") == [])
    #expect(found("li*") == [])
    #expect(found("'") == [])
  }

  @Test(arguments: ["\"", "“", "  \"  ", "\"\"", "\"   ", "\" \"", "-\"", "org:\" ", "\u{3000}", "\t \u{A0}"])
  func emptyQueriesAreEmpty(text: String) {
    #expect(SearchQuery(text).isEmpty)
    #expect(found(text) == [1, 2, 3, 4])
  }

  @Test func badInput() {
    #expect(found("") == [1, 2, 3, 4])
    #expect(found(" \t\n\u{3000}") == [1, 2, 3, 4])
    #expect(SearchQuery(" ").isEmpty)
    #expect(found("li\u{0}\u{1B}\u{7F}qiang") == [1, 2, 3], "a control character separates terms")
    #expect(found("\u{200F}li\u{FEFF}") == [1, 2, 3])
    let long = SearchQuery(String(repeating: "a", count: 10_000))
    #expect(long.isTooLong && !long.isEmpty)
    #expect(found(long.text) == [])
    #expect(found(String(repeating: "李", count: SearchQuery.maximumLength)) == [])
    #expect(found((1...100).map { "t\($0)" }.joined(separator: " ")) == [])
    #expect(found(Array(repeating: "li", count: 100).joined(separator: " ")) == [1, 2, 3])
    #expect(found(String(repeating: "\"", count: 500)) == [1, 2, 3, 4])
    #expect(found(String(repeating: "-", count: 500)) == [1, 2, 3, 4])
    #expect(found(String(repeating: "org:", count: 100)) == [])
    #expect(found("\u{301}\u{301}") == [])
    #expect(found("🇨🇳👩🏽‍💻") == [])
  }

  @Test func aHundredDifferentTermsAllCount() {
    let words = (0..<100).map { number in
      "w" + String(number, radix: 26).map { $0.isNumber ? "q\($0)" : "\($0)" }.joined()
    }
    var person = SearchDocument(id: 9, name: "A")
    person.note = words.joined(separator: " ")
    let index = SearchIndex()
    index.upsert(person)
    #expect(index.search(SearchQuery(words.joined(separator: " "))).count == 1)
    #expect(index.search(SearchQuery((words + ["zz"]).joined(separator: " "))).isEmpty)
  }
}
