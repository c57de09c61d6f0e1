import Foundation
import GRDB
import Testing

@testable import ChangeLog

/// What the log records about writes, for each kind of key.
struct ChangeLogReaderTests {
  private let queue: DatabaseQueue

  init() throws { queue = try DatabaseQueue() }

  private func run(_ sql: String) throws { try queue.write { try $0.execute(sql: sql) } }

  private func install(_ tracking: ChangeTracking) throws { try queue.write { try tracking.install(in: $0) } }

  private func cursor(_ table: String) throws -> LogCursor {
    try queue.read { db in
      try #require(try ChangeLogReader(ChangeTracking(table: table, capacity: 1), in: db)).cursor(in: db)
    }
  }

  private func changes(_ table: String, since cursor: LogCursor) throws -> TableChanges {
    try queue.read { db in
      try #require(try ChangeLogReader(ChangeTracking(table: table, capacity: 1), in: db)).changes(
        since: cursor, in: db)
    }
  }

  /// Returns the keys of the inserted, the updated and the deleted rows, as three sets.
  private func sets(_ table: String, since cursor: LogCursor) throws -> [Set<RowKey>] {
    guard case .rows(let inserted, let updated, let deleted, _) = try changes(table, since: cursor) else {
      Issue.record("the log was lost")
      return []
    }
    return [inserted, updated, deleted]
  }

  private func key(_ values: any DatabaseValueConvertible...) -> RowKey { RowKey(values.map(\.databaseValue)) }

  @Test func aLogKeepsAtLeastOneLine() {
    var tracking = ChangeTracking(table: "t", capacity: 0)
    #expect(tracking.capacity == 1)
    for capacity in [0, -5] {
      tracking.capacity = capacity
      #expect(tracking.capacity == 1)
    }
  }

  /// https://www.sqlite.org/lang_createtable.html#rowids_and_the_integer_primary_key
  @Test(arguments: [
    ("(k INTEGER PRIMARY KEY)", true), ("(k integer primary key autoincrement)", true),
    ("(k INTEGER, PRIMARY KEY(k DESC))", true), ("(k INTEGER PRIMARY KEY, u UNIQUE)", true),
    ("(k INTEGER PRIMARY KEY DESC)", false), ("(k INTEGER PRIMARY KEY) WITHOUT ROWID", false),
    ("(k INT PRIMARY KEY)", false),
  ])
  func onlySomeIntegerKeysAreTheRowID(declaration: String, isRowID: Bool) throws {
    try run("CREATE TABLE t\(declaration)")
    let key = try queue.read { try PrimaryKey(table: "t", in: $0) }
    #expect(key.isRowID == isRowID && !key.isHidden && key.columns[0].name == "k")
    try install(ChangeTracking(table: "t"))
    let start = try cursor("t")
    try run("INSERT INTO t(k) VALUES (5)")
    #expect(try sets("t", since: start) == [[self.key(5)], [], []])
  }

  @Test(arguments: [
    "k TEXT PRIMARY KEY, n INTEGER", "k TEXT NOT NULL, n INTEGER, PRIMARY KEY(k)) WITHOUT ROWID, STRICT --",
    "k BLOB PRIMARY KEY, n INTEGER", "k INTEGER PRIMARY KEY, n INTEGER", "k REAL PRIMARY KEY, n INTEGER",
  ])
  func theLogTellsWhatHappenedToRows(columns: String) throws {
    try run("CREATE TABLE \"it's\"(\(columns)\n)".replacingOccurrences(of: "--\n)", with: ""))
    try install(ChangeTracking(table: "it's"))
    let keys: [any DatabaseValueConvertible] =
      columns.contains("TEXT")
      ? ["a", "b'", "ç", "d"]
      : columns.contains("BLOB")
        ? ["a", "b", "c", "d"].map { Data($0.utf8) }
        : columns.contains("REAL") ? [0.1, 2.5, 3.5, 1e300] : [1, 2, 3, 4]
    func execute(_ sql: String, _ arguments: StatementArguments) throws {
      try queue.write { try $0.execute(sql: sql, arguments: arguments) }
    }
    for key in keys.prefix(3) { try execute("INSERT INTO \"it's\" VALUES (?, 1)", [key]) }
    let start = try cursor("it's")
    #expect(try sets("it's", since: start) == [[], [], []])
    try execute("INSERT INTO \"it's\" VALUES (?, 1)", [keys[3]])
    try execute("UPDATE \"it's\" SET n = 2 WHERE k = ?", [keys[0]])
    try execute("UPDATE \"it's\" SET n = 2 WHERE k = ?", [keys[1]])
    try execute("UPDATE \"it's\" SET n = 1 WHERE k = ?", [keys[1]])
    try execute("DELETE FROM \"it's\" WHERE k = ?", [keys[2]])
    #expect(try sets("it's", since: start) == [[key(keys[3])], [key(keys[0])], [key(keys[2])]])
    // A row that replaces another one, and one that is inserted and deleted again.
    let middle = try cursor("it's")
    try execute("UPDATE OR REPLACE \"it's\" SET k = ? WHERE k = ?", [keys[1], keys[0]])
    try execute("INSERT INTO \"it's\" VALUES (?, 1)", [keys[2]])
    try execute("DELETE FROM \"it's\" WHERE k = ?", [keys[2]])
    #expect(try sets("it's", since: middle) == [[], [key(keys[1])], [key(keys[0])]])
    let writes = try queue.read { db in
      try #require(try ChangeLogReader(ChangeTracking(table: "it's"), in: db)).writes(since: middle, in: db)
    }
    guard case .rows(let rows, let last) = writes else {
      Issue.record("lost")
      return
    }
    #expect(Set(rows.keys) == [key(keys[0]), key(keys[1]), key(keys[2])])
    #expect(rows[key(keys[2])] == .absent)
    #expect(try last == cursor("it's"))
  }

  @Test func aTableWithoutAKeyIsTrackedByRowID() throws {
    try run("CREATE TABLE t(rowid TEXT, x)")
    try install(ChangeTracking(table: "t"))
    let start = try cursor("t")
    try run("INSERT INTO t VALUES ('a', 1), ('b', 2)")
    try run("UPDATE t SET _rowid_ = 9 WHERE x = 2")
    #expect(try sets("t", since: start) == [[RowKey(1), RowKey(9)], [], []])
  }

  @Test func composedAndDecomposedTextsAreTwoKeys() throws {
    try run("CREATE TABLE t(k TEXT PRIMARY KEY)")
    try install(ChangeTracking(table: "t"))
    let start = try cursor("t")
    try run("INSERT INTO t VALUES ('\u{E9}'), ('e\u{301}')")
    #expect(try sets("t", since: start)[0].count == 2)
  }

  // MARK: What the log does not tell

  @Test func aCursorTooFarBackIsLost() throws {
    try run("CREATE TABLE t(k TEXT PRIMARY KEY, n)")
    try install(ChangeTracking(table: "t", capacity: 50))
    let start = try cursor("t")
    try queue.write { db in
      for number in 0..<600 { try db.execute(sql: "INSERT INTO t VALUES (?, 1)", arguments: ["\(number)"]) }
    }
    #expect(try changes("t", since: start) == .lost(cursor: cursor("t")))
    #expect(try changes("t", since: LogCursor(line: .max)) == .lost(cursor: cursor("t")))
    #expect(try changes("t", since: LogCursor(line: .min)) == .lost(cursor: cursor("t")))
    let lines = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM results_log_t") ?? 0 }
    #expect(lines <= 50 + 256)
  }

  @Test func aRemovedLogEntryIsDetected() throws {
    try run("CREATE TABLE t(k TEXT PRIMARY KEY)")
    try install(ChangeTracking(table: "t"))
    let start = try cursor("t")
    try run("INSERT INTO t VALUES ('a'), ('b'); DELETE FROM results_log_t WHERE new_1 = 'a'")
    #expect(try changes("t", since: start) == .lost(cursor: cursor("t")))
  }

  /// The new log has more lines than the old one had, so its line numbers alone do not show that it is another log.
  @Test func aRecreatedLogIsDetected() throws {
    try run("CREATE TABLE t(k INTEGER PRIMARY KEY)")
    try install(ChangeTracking(table: "t"))
    try run("INSERT INTO t VALUES (1), (2)")
    let old = try cursor("t")
    try queue.write { try ChangeTracking(table: "t").uninstall(in: $0) }
    try install(ChangeTracking(table: "t"))
    try run("INSERT INTO t VALUES (3), (4), (5)")
    #expect(try changes("t", since: old) == .lost(cursor: cursor("t")))
  }

  @Test func aTableWithAnotherKeyGetsAnotherLog() throws {
    try run("CREATE TABLE t(k INTEGER PRIMARY KEY)")
    try install(ChangeTracking(table: "t"))
    try run("INSERT INTO t VALUES (1)")
    let old = try cursor("t")
    try run("DROP TABLE t; CREATE TABLE t(a TEXT, b TEXT, PRIMARY KEY(a, b))")
    try install(ChangeTracking(table: "t"))
    try run("INSERT INTO t VALUES ('a', 'b')")
    #expect(try changes("t", since: old) == .lost(cursor: cursor("t")))
    let now = try cursor("t")
    try run("UPDATE t SET b = 'c'")
    #expect(try sets("t", since: now) == [[key("a", "c")], [], [key("a", "b")]])
  }

  /// Nothing logged the rows that were inserted before the triggers were installed again.
  @Test(arguments: ["a TEXT PRIMARY KEY", "b TEXT PRIMARY KEY", "b BLOB PRIMARY KEY, a"])
  func aRecreatedTableGetsAnotherLog(columns: String) throws {
    try run("CREATE TABLE t(a TEXT PRIMARY KEY)")
    try install(ChangeTracking(table: "t"))
    try run("INSERT INTO t VALUES ('x')")
    let old = try cursor("t")
    try run("DROP TABLE t; CREATE TABLE t(\(columns)); INSERT INTO t(rowid) VALUES (1)")
    try install(ChangeTracking(table: "t"))
    #expect(try changes("t", since: old) == .lost(cursor: cursor("t")))
  }

  @Test func replacedTriggersKeepTheLog() throws {
    try run("CREATE TABLE t(a TEXT PRIMARY KEY)")
    try install(ChangeTracking(table: "t"))
    let old = try cursor("t")
    try run("INSERT INTO t VALUES ('x'); ALTER TABLE t ADD COLUMN b INTEGER")
    try install(ChangeTracking(table: "t"))
    try install(ChangeTracking(table: "t", capacity: 100))
    #expect(try sets("t", since: old) == [[key("x")], [], []])
  }

  @Test func aNullOrVeryLongKeyInvalidatesTheLog() throws {
    try run("CREATE TABLE t(k TEXT PRIMARY KEY)")
    try install(ChangeTracking(table: "t"))
    for value in ["NULL", "hex(zeroblob(2000))"] {
      let start = try cursor("t")
      try run("INSERT INTO t VALUES (\(value))")
      #expect(try changes("t", since: start) == .lost(cursor: cursor("t")))
    }
    let longest = try queue.read { try Int.fetchOne($0, sql: "SELECT max(length(new_1)) FROM results_log_t") }
    #expect(longest == nil)
    // An update from such a key, or to it, is neither an insertion nor a deletion.
    try run("DELETE FROM t; INSERT INTO t VALUES ('x')")
    for value in ["NULL", "'x'", "hex(zeroblob(2000))", "'x'"] {
      let start = try cursor("t")
      try run("UPDATE t SET k = \(value)")
      #expect(try changes("t", since: start) == .lost(cursor: cursor("t")), "\(value)")
    }
  }

  // MARK: Bounds

  /// A numeric column accepts long texts too.
  @Test func logEntriesAreShort() throws {
    try run("CREATE TABLE t(k INTEGER PRIMARY KEY, n INTEGER, r REAL)")
    let tracking = ChangeTracking(table: "t", capacity: 10)
    try install(tracking)
    try run("INSERT INTO t VALUES (1, 'x' || hex(zeroblob(100000)), 1)")
    let start = try cursor("t")
    try run("UPDATE t SET r = 2; UPDATE t SET n = 5; UPDATE t SET n = 6")
    #expect(try sets("t", since: start) == [[], [RowKey(1)], []])
    try queue.write { db in
      for number in 0..<1000 {
        try db.execute(sql: "INSERT INTO t VALUES (?, hex(zeroblob(500)), 1)", arguments: [number + 2])
        try db.execute(sql: "UPDATE t SET r = 3 WHERE k = ?", arguments: [number + 2])
      }
    }
    let size = try queue.read {
      try Int.fetchOne($0, sql: "SELECT sum(coalesce(length(old_content), 0) + 16) FROM results_log_t") ?? .max
    }
    #expect(size <= tracking.maximumSize)
  }

  @Test func unsupportedTablesAreErrors() throws {
    try run("CREATE TABLE t(oid, rowid, _rowid_); CREATE VIEW v AS SELECT 1 AS x")
    for (table, error) in [
      ("none", ChangeLogError.unknownTable("none")), ("v", .unknownTable("v")), ("t", .noRowID(table: "t")),
    ] {
      #expect(throws: error) { try install(ChangeTracking(table: table)) }
    }
  }
}
