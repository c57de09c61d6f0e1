import Testing

@testable import ContactSearch

/// Ranking in two threads gives the same as in one.
@Suite struct ParallelRankingTests {
  @Test(
    arguments: [
      "l", "z", "lx", "wang", "李", "138", "0", "+86 139", "smith", "li qiang", "j s", "z -l", "org:acme", "",
    ],
    [2, 65, 400])
  func bothHalvesAreRanked(_ text: String, _ count: Int) throws {
    var people = RandomPeople(seed: UInt64(count))
    var storage = SearchStorage()
    // Some rows are not in the order of their ids.
    for id in 1...count { storage.put(people.next(id: Int64(id % 7 == 0 ? count * 2 - id : id))) }
    for _ in 0..<2 {
      let plan = QueryPlan(SearchQuery(text))
      let rows = try #require(storage.rows(plan, isCancelled: { false }))
      for limit in [0, 1, 5, .max] {
        func result(_ parallelThreshold: Int, keepsTies: Bool = false) -> SearchResult {
          storage.result(
            rows, of: plan, limit: limit, keepsTies: keepsTies, parallelThreshold: parallelThreshold,
            isCancelled: { false })
        }
        #expect(result(2).best == result(.max).best)
        #expect(
          result(2, keepsTies: true).best.map(\.id).sorted() == result(.max, keepsTies: true).best.map(\.id).sorted())
        #expect(result(2).ids == result(.max).ids)
      }
      storage.pack()
    }
  }
}
