import SeededRandom
import Testing

@testable import ContactSearch

/// The quick bounds of ranking skip only what is not among the best. Ranking all rows, which skips nothing, finds the
/// same.
@Suite struct RankingBoundTests {
  private static let texts = [
    "1", "13", "138", "+86 1", "有", "有限公司", "限", "公司", "l", "li", "en", "acme", "gmail", "q", "@", "路", "org:有",
    "tel:1",
    "经", "工程师", "5", "0", "w", "wa", "wang", "wangq", "zgl", "lin", "j", "smith", "x y", "j s", "z s", "w 有", "李 l",
    "王", "王强", "ou", "sh", "o'b", "-", "s-j",
  ]

  @Test(arguments: [true, false]) func theBestIsTheFirstOfAll(isPacked: Bool) {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("ranking bounds: seed \(seed)")
    var people = RandomPeople(seed: seed)
    let index = SearchIndex()
    for id in 1...2500 {
      var person = people.next(id: Int64(id))
      // Email addresses and notes with Han characters and digits, so that several kinds of text match.
      if id % 11 == 0 { person.emails.append("有限公司138@公司.cn") }
      if id % 13 == 0 { person.notes(id) }
      index.upsert(person)
    }
    if isPacked { index.pack() }
    for text in Self.texts {
      var session = SearchSession(index)
      for length in 1...text.count {
        let query = SearchQuery(String(text.prefix(length)))
        let all = index.search(query)
        if let score = all.first?.score, score > 0 {
          let ties = all.prefix { $0.score == score }.map(\.id)
          #expect(index.find(query, keepingTies: true)?.best.map(\.id).sorted() == ties, "\(query.text) tied")
        }
        for limit in [1, 3] {
          #expect(index.find(query, ranking: limit)?.best == Array(all.prefix(limit)), "\(query.text)")
          #expect(session.update(query, ranking: limit)?.best == Array(all.prefix(limit)), "\(query.text) typed")
        }
      }
    }
  }
}

extension SearchDocument {
  fileprivate mutating func notes(_ id: Int) {
    note = id % 2 == 0 ? "公司电话 138" : "有事找 1 号"
    organization = id % 3 == 0 ? "1 有限公司" : "有为 138 公司"
    nickname = id % 5 == 0 ? "公司" : ""
  }
}
