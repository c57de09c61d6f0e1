import SeededRandom
import Testing

@testable import ContactSearch

@Suite struct MatchedIDsTests {
  /// Beside a set of the standard library: close and scattered ids, around zero and at the ends.
  @Test(arguments: [
    1...5, -70...70, 1...100_000, Int64.max - 300...Int64.max, Int64.min...Int64.min + 300, Int64.min...Int64.max,
  ])
  func behavesLikeASet(range: ClosedRange<Int64>) {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("matched ids: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    func some(_ count: Int) -> Set<Int64> { Set((0..<count).map { _ in Int64.random(in: range, using: &random) }) }
    for count in [0, 1, 2, 64, 3000] {
      let (plain, others) = (some(count), some(500))
      let found = MatchedIDs(Array(plain))
      #expect(found.count == plain.count && found.isEmpty == plain.isEmpty)
      #expect(found.sorted() == plain.sorted() && found == MatchedIDs(plain.sorted()))
      #expect(found.intersection(MatchedIDs(Array(others))).sorted() == plain.intersection(others).sorted())
      let asked = Array(plain.prefix(100)) + Array(others.prefix(100)) + [0, -1, 63, 64, .max, .min]
      for id in asked {
        #expect(found.contains(id) == plain.contains(id))
      }
    }
  }

  /// Typing key by key, over so many rows that long lists are narrowed in passes, beside new searches.
  @Test(arguments: ["lixiaoming", "zhang w", "1381", "smith j", "李", "wang -li", "org:a ", "0 1", "j s"])
  func narrowingEqualsANewSearch(text: String) {
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
