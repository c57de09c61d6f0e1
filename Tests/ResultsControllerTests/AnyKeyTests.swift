import ChangeLog
import Foundation
import GRDB
import SeededRandom
import Testing

@testable import ResultsController

/// Lists of tables with primary keys of all kinds, or with none.
@Suite
struct AnyKeyTests {
  /// A table whose key consists of `a` (a text), `b` (a number), both, or neither.
  struct Table: CustomTestStringConvertible, Sendable {
    let declaration: String
    let key: [String]
    var collation = "BINARY"
    var testDescription: String { declaration }
    var schema: String {
      "CREATE TABLE item(a TEXT COLLATE \(collation) NOT NULL, b INTEGER NOT NULL, sec INTEGER, body TEXT \(declaration)"
    }
  }

  static let tables = [
    Table(declaration: ", PRIMARY KEY(a))", key: ["a"]),
    Table(declaration: ", PRIMARY KEY(a)) WITHOUT ROWID", key: ["a"]),
    Table(declaration: ", PRIMARY KEY(b, a))", key: ["b", "a"]),
    Table(declaration: ", PRIMARY KEY(a, b DESC)) WITHOUT ROWID", key: ["a", "b"]),
    Table(declaration: ", PRIMARY KEY(a)) WITHOUT ROWID", key: ["a"], collation: "NOCASE"),
    Table(declaration: ", UNIQUE(a))", key: ["rowid"]),
    Table(declaration: ", PRIMARY KEY(b))", key: ["b"]),
    Table(declaration: ", PRIMARY KEY(b)) WITHOUT ROWID", key: ["b"]),
  ]

  private static let request = ResultsRequest(
    table: "item", sectionKey: .column("sec"), sortKeys: [RowSortKey("sec"), RowSortKey("body")], pageSize: 4)

  /// Returns the list that a query gives, with the controller's ids.
  private func expected(_ book: TestBook, _ table: Table) throws -> PlainList {
    let keys = table.key.joined(separator: ", ")
    let rows = try book.pool.read {
      try Row.fetchAll($0, sql: "SELECT sec, \(keys) FROM item ORDER BY sec, body, \(keys)")
    }
    var list = PlainList()
    for row in rows {
      let value: SectionValue = (row[0] as Int64?).map { .integer($0) } ?? .null
      if list.sections.last?.value != value { list.sections.append((value, [])) }
      let key = RowKey(Array(row.databaseValues.dropFirst()))
      list.sections[list.sections.count - 1].ids.append(book.controller.id(of: key))
    }
    return list
  }

  @Test(arguments: tables) func writesOfAllKindsAreFollowed(table: Table) throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("any key: \(table.declaration), seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let book = try TestBook(schema: table.schema)
    try book.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    try book.open(Self.request)
    var known = PlainList(book.controller.snapshot)
    for round in 0..<300 {
      try book.pool.write { db in
        try db.execute(sql: "PRAGMA recursive_triggers = \(Bool.random(using: &random))")
        for _ in 0..<Int.random(in: 1...5, using: &random) { try Self.write(db, &random) }
      }
      // VACUUM may change rowids that are not declared as keys.
      if round % 100 == 99 { try book.pool.vacuum() }
      book.waitForUpdates()
      let updates = book.updates()
      let wanted = try expected(book, table)
      guard PlainList(book.controller.snapshot) == wanted, book.errors().isEmpty else {
        Issue.record("seed \(seed), round \(round): \(book.controller.snapshot.sections), expected \(wanted)")
        return
      }
      if let update = updates.first {
        #expect(updates.count == 1)
        do {
          try ChangeSetChecks.all(update.changes, known, wanted)
        } catch {
          Issue.record("seed \(seed), round \(round): \(error)")
          return
        }
      } else if known != wanted {
        Issue.record("seed \(seed), round \(round): nothing was delivered")
        return
      }
      known = wanted
      try checkRows(book, table, seed)
    }
  }

  /// Checks that each row is read by its id, and that its key leads back to the id.
  private func checkRows(_ book: TestBook, _ table: Table, _ seed: UInt64) throws {
    guard let controller = book.controller else { return }
    for row in 0..<controller.snapshot.count {
      let id = try #require(controller.snapshot.id(atFlatRow: row))
      let key = try #require(controller.primaryKey(ofID: id))
      #expect(controller.id(of: key) == id)
      let record = try controller.object(atFlatRow: row)
      if table.key != ["rowid"] {
        #expect(RowKey(table.key.compactMap { record.values[$0] }) == key, "seed \(seed)")
      }
      let body = try book.pool.read { db in
        try String.fetchOne(
          db, sql: "SELECT body FROM item WHERE " + table.key.map { "\($0) = ?" }.joined(separator: " AND "),
          arguments: StatementArguments(key.values))
      }
      #expect(String.fromDatabaseValue(record.values["body"] ?? .null) == body, "seed \(seed)")
    }
  }

  private static func write(_ db: Database, _ random: inout SeededGenerator) throws {
    func text() -> String {
      ["a", "A", "é", "e\u{301}", "it's", "", "b", "B", "x,y"].randomElement(using: &random) ?? ""
    }
    func number() -> Int { Int.random(in: 0...3, using: &random) }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: try db.execute(sql: "DELETE FROM item WHERE a = ?", arguments: [text()])
    case 1: try db.execute(sql: "UPDATE item SET body = ? WHERE b = ?", arguments: [text(), number()])
    case 2: try db.execute(sql: "UPDATE OR REPLACE item SET a = ? WHERE a = ?", arguments: [text(), text()])
    case 3:
      try db.execute(
        sql: "UPDATE OR REPLACE item SET b = ?, sec = ? WHERE b = ?", arguments: [number(), number(), number()])
    default:
      try db.execute(
        sql: "INSERT OR REPLACE INTO item(a, b, sec, body) VALUES (?, ?, ?, ?)",
        arguments: [text(), number(), Bool.random(using: &random) ? number() : nil, text()])
    }
  }

  /// Rows with a key of two columns are read by their index before and after the whole list is read.
  @Test func aStagedOpeningOfATwoColumnKey() throws {
    let book = try TestBook(schema: Self.tables[3].schema)
    try book.write(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO item(a, b, sec, body) SELECT 'k' || (i % 100), i, i % 5, 'b' || i FROM n
      """)
    var request = Self.request
    request.pageSize = 900
    let controller = FetchedRecordsController<AnyRecord>(
      book.pool, request: request, installsTriggers: true, deliver: ResultsDelivery { $0() })
    _ = controller.listen()
    try controller.performFetch(.firstRows)
    #expect(!controller.snapshot.isComplete)
    let first = try controller.object(atFlatRow: 0)
    let last = try controller.object(atFlatRow: 999)
    controller.fetchRest()
    controller.engine.queue.sync {}
    #expect(controller.snapshot.isComplete)
    #expect(try controller.object(atFlatRow: 0).values == first.values)
    #expect(try controller.object(atFlatRow: 999).values == last.values)
  }
}
