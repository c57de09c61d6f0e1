import GRDB
import Testing

@testable import ResultsController

/// The encoded order is SQLite's own, for values of every type in one column.
@Suite
struct SortKeyEncoderTests {
  static let values = [
    "NULL", "0", "-0.0", "1", "-1", "0.5", "-0.5", "1.0", "2", "1e308", "-1e308", "9007199254740992",
    "9007199254740993",
    "9007199254740993.0", "-9007199254740993", "9223372036854775807", "9223372036854775806", "-9223372036854775808",
    "9223372036854775807.0", "4611686018427387905", "4611686018427387904.0", "1e-300", "9e999", "-9e999",
    "''", "'a'", "'A'", "'b'", "'ab'", "'a '", "'a  '", "'a' || char(0)", "'a' || char(0) || 'b'", "'李'", "'é'", "'Z'",
    "x''", "x'00'", "x'0000'", "x'00ff'", "x'61'", "x'ff'", "x'ffff'",
  ]

  @Test(arguments: ["BINARY", "NOCASE", "RTRIM"], [true, false])
  func orderIsThatOfSQLite(collation: String, ascending: Bool) throws {
    let queue = try DatabaseQueue()
    let direction = ascending ? "" : " DESC"
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, a COLLATE \(collation), b COLLATE \(collation))")
      for a in Self.values {
        for b in ["NULL", "1", "'x'", "'X'", "x'00'"] { try db.execute(sql: "INSERT INTO t(a, b) VALUES (\(a), \(b))") }
      }
    }
    let keys = [RowSortKey("a", ascending: ascending), RowSortKey("b", ascending: !ascending)]
    // With a filter the rows are sorted by the encoded keys; without, SQLite's order is checked against them.
    let controller = FetchedRecordsController<AnyRecord>(
      queue, request: ResultsRequest(table: "t", filter: .sql("id > 0"), sortKeys: keys),
      deliver: ResultsDelivery { $0() })
    try controller.performFetch()
    let expected = try queue.read {
      try Int64.fetchAll($0, sql: "SELECT id FROM t ORDER BY a\(direction), b\(ascending ? " DESC" : ""), id")
    }
    #expect(PlainList(controller.snapshot).sections[0].ids == expected)
  }

  @Test func otherCollationsAreRefused() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      db.add(collation: .localizedCaseInsensitiveCompare)
      try db.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT COLLATE swiftLocalizedCaseInsensitiveCompare)")
    }
    let controller = FetchedRecordsController<AnyRecord>(
      queue, request: ResultsRequest(table: "t", sortKeys: [RowSortKey("a")]), deliver: ResultsDelivery { $0() })
    #expect(throws: ResultsError.unsupportedCollation("swiftLocalizedCaseInsensitiveCompare", column: "a")) {
      try controller.performFetch()
    }
  }
}
