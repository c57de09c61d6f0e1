import GRDB
import SeededRandom
import Testing

@testable import ResultsController

/// A list that is read again shares unchanged parts with the previous one.
@Suite
struct ChunkSharingTests {
  private static let request = ResultsRequest(
    table: "item", sectionKey: .column("sec"), sortKeys: [RowSortKey("sec"), RowSortKey("key")])

  private func ids(_ index: OrderedIndex) -> [Int64] {
    var ids: [Int64] = []
    index.forEachID(in: 0..<index.count) { ids.append($0) }
    return ids
  }

  private func shared(_ one: OrderedIndex, _ other: OrderedIndex) -> Int {
    let chunks = Set(one.order.indices.map { ObjectIdentifier(one.chunk(at: $0)) })
    return other.order.indices.count { chunks.contains(ObjectIdentifier(other.chunk(at: $0))) }
  }

  /// After each of many random writes: the same rows, positions and sections as in a newly read list.
  @Test func sharedChunksGiveTheSameList() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("chunk sharing: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let book = try TestBook()
    let rows = 8 * IndexChunk.targetCount
    try book.write(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO item(id, sec, key) SELECT i, i * 7919 % 5, i * 104729 % 100000 FROM n
      """)
    func read(_ earlier: OrderedIndex?) throws -> OrderedIndex {
      try book.pool.read { db in
        try IndexQuery.run(FetchPlan(Self.request, db), db, Cancellation(), sharing: earlier)
      }
    }
    var known = try read(nil)
    for round in 0..<60 {
      try book.pool.write { db in
        for _ in 0..<[0, 1, 3, 40].randomElement(using: &random)! {
          let id = Int64.random(in: 1...Int64(rows) + 50, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: try db.execute(sql: "DELETE FROM item WHERE id = ?", arguments: [id])
          case 1:
            try db.execute(
              sql: "UPDATE item SET sec = ? WHERE id = ?", arguments: [Int.random(in: 0..<6, using: &random), id])
          case 2:
            // A run of neighbors, as when somebody deletes a page.
            try db.execute(
              sql: """
                DELETE FROM item WHERE id IN (SELECT id FROM item WHERE sec = 2 AND key > ? ORDER BY key LIMIT 30)
                """, arguments: [Int.random(in: 0..<100_000, using: &random)])
          default:
            try db.execute(
              sql: "INSERT OR REPLACE INTO item(id, sec, key) VALUES (?, ?, ?)",
              arguments: [id, Int.random(in: 0..<5, using: &random), Int.random(in: 0..<100_000, using: &random)])
          }
        }
      }
      let alone = try read(nil)
      let sharing = try read(known)
      #expect(ids(sharing) == ids(alone), "round \(round)")
      #expect(sharing.sectionValues == alone.sectionValues)
      #expect(sharing.sectionStarts == alone.sectionStarts)
      for id in ids(alone) where sharing.flatRow(of: id) != alone.flatRow(of: id) {
        Issue.record("round \(round): row \(id) is found at another index than without sharing")
      }
      known = sharing
    }
  }

  @Test func unchangedChunksAreShared() throws {
    let book = try TestBook()
    let rows = 20 * IndexChunk.targetCount
    try book.write(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO item(id, sec, key) SELECT i, i * 4 / \(rows), i FROM n
      """)
    func read(_ earlier: OrderedIndex?) throws -> OrderedIndex {
      try book.pool.read { db in
        try IndexQuery.run(FetchPlan(Self.request, db), db, Cancellation(), sharing: earlier)
      }
    }
    let first = try read(nil)
    #expect(try shared(first, read(first)) == first.order.count)
    try book.write("DELETE FROM item WHERE id = 5000", "INSERT INTO item(id, sec, key) VALUES (99999, 0, 10)")
    let second = try read(first)
    #expect(second.count == rows)
    #expect(shared(first, second) == first.order.count - 2)
  }

  /// A list that repeatedly loses its log does not split into more and more chunks.
  @Test func rereadingDoesNotFragmentTheList() throws {
    let book = try TestBook()
    let rows = 4 * IndexChunk.targetCount
    try book.write(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO item(id, sec, key) SELECT i, 0, i * 10 FROM n
      """)
    try book.open(Self.request)
    var most = 0
    for round in 1...150 {
      try book.write(
        "INSERT INTO item(sec, key) VALUES (0, \(round * 7919 % (rows * 10)))", "DELETE FROM results_log_item")
      book.waitForUpdates()
      most = max(most, book.controller.snapshot.index?.order.count ?? 0)
    }
    #expect(book.updates().reduce(0) { $0 + $1.changes.inserts.count } == 150)
    #expect(book.controller.snapshot.count == rows + 150)
    #expect(most <= 64 + 4 * (rows + 150) / IndexChunk.targetCount + 2, "\(most) chunks")
  }
}
