import SeededRandom
import Testing

@testable import ContactSearch

@Suite struct NarrowingTests {
  /// The next search does not use a ranking that was canceled.
  @Test func aCancelledRankingIsNotKept() throws {
    var people = RandomPeople(seed: 7)
    let index = SearchIndex()
    for id in 1...1500 { index.upsert(people.next(id: Int64(id))) }
    let query = SearchQuery("i")
    let plain = try #require(index.find(query, ranking: 500))
    for allowed in 0..<40 {
      var session = SearchSession(index)
      var questions = 0
      let cancelled = session.update(query, ranking: 500) {
        questions += 1
        return questions > allowed
      }
      #expect(cancelled == nil || cancelled?.best == plain.best)
      #expect(session.update(query, ranking: 500)?.best == plain.best)
    }
  }

  /// Typing key by key, over so many rows that long lists are narrowed in passes, compared with new searches.
  @Test(arguments: [
    "lixiaoming", "zhang w", "1381", "smith j", "李", "wang -li", "org:a ", "0 1", "j s", "有限公司 l", "l 有", "  li  x ",
    "li -x y",
  ])
  func narrowingFindsWhatASearchFinds(text: String) {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("narrowing: seed \(seed)")
    var people = RandomPeople(seed: seed)
    let index = SearchIndex()
    for id in 1...1500 { index.upsert(people.next(id: Int64(id % 7 == 0 ? 5000 - id : id))) }
    for id in stride(from: 3, to: 400, by: 9) { index.remove(Int64(id)) }
    var session = SearchSession(index)
    for length in Array(1...text.count) + (1..<text.count).reversed() {
      let query = SearchQuery(String(text.prefix(length)))
      let found = session.update(query, ranking: 5)
      let plain = index.find(query, ranking: 5)
      #expect(found?.ids == plain?.ids && found?.best == plain?.best)
    }
  }
}
