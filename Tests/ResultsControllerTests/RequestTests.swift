import GRDB
import Synchronization
import Testing

@testable import ResultsController

/// Cases of requests and of reading rows that the case file does not cover.
@Suite
struct RequestTests {
  private func failure(_ request: ResultsRequest, _ schema: String = TestBook.itemSchema) throws -> ResultsError? {
    let book = try TestBook(schema: schema)
    do {
      try book.open(request, listens: false)
      return nil
    } catch {
      return error as? ResultsError
    }
  }

  @Test func wrongRequestsAreRefused() throws {
    let keys = [RowSortKey("key")]
    #expect(
      try failure(ResultsRequest(table: "item", sectionKey: .column("none"), sortKeys: keys))
        == .unknownColumn("none", table: "item"))
    #expect(
      try failure(
        ResultsRequest(table: "item", sortKeys: keys), "CREATE TABLE item(oid, rowid, _rowid_ INTEGER, key INTEGER)")
        == .unsupportedPrimaryKey(table: "item"))
    #expect(
      try failure(
        ResultsRequest(table: "item", sortKeys: keys),
        "CREATE TABLE item(id TEXT PRIMARY KEY, key INTEGER); INSERT INTO item VALUES (NULL, 1)")
        == .nullInPrimaryKey(table: "item"))
    for wrong in [
      ResultsRequest(table: "item", filter: .sql("none = 1"), sortKeys: keys),
      ResultsRequest(table: "item", filter: .sql("key = ?"), sortKeys: keys),
      ResultsRequest(table: "item", filter: .sql("key ="), sortKeys: keys),
      ResultsRequest(table: "item", sectionKey: .expression("none(key)"), sortKeys: keys),
    ] {
      guard case .database = try failure(wrong) else {
        Issue.record("\(wrong) gave \(String(describing: try failure(wrong)))")
        continue
      }
    }
  }

  @Test func thereAreNoRowsBeforeTheFetch() throws {
    let book = try TestBook()
    let controller = FetchedRecordsController<AnyRecord>(
      book.pool, request: ContractRules.items, installsTriggers: true, deliver: ResultsDelivery { $0() })
    #expect(controller.sections.isEmpty)
    #expect(throws: ResultsError.outOfRange) { try controller.object(at: RowPath(section: 0, row: 0)) }
    #expect(throws: ResultsError.notFetched) { try controller.object(atFlatRow: 0) }
  }

  @Test func aRecordIsReadFromTheColumnsOfTheRequest() throws {
    let book = try TestBook()
    try book.write("INSERT INTO item(id, sec, key, body) VALUES (1, 0, 1, 'a'), (2, 0, 2, 'b')")
    var request = ContractRules.items
    request.columns = ["body", "id"]
    let controller = FetchedRecordsController<AnyRecord>(book.pool, request: request)
    try controller.performFetch()
    let record = try controller.object(atFlatRow: 1)
    #expect(record.values == ["body": "b".databaseValue, "id": 2.databaseValue])
    request.columns = ["none"]
    let wrong = FetchedRecordsController<AnyRecord>(book.pool, request: request)
    try wrong.performFetch()
    #expect(throws: ResultsError.self) { try wrong.object(atFlatRow: 0) }
  }

  @Test func sectionsMayBeBytesNullAndReal() throws {
    let book = try TestBook(schema: "CREATE TABLE item(id INTEGER PRIMARY KEY, sec, key INTEGER NOT NULL)")
    try book.write(
      "INSERT INTO item VALUES (1, x'00ff', 1), (2, x'00ff', 2), (3, x'01', 1), (4, NULL, 1), (5, 1.5, 1), (6, 2.0, 1)")
    try book.open(
      ResultsRequest(table: "item", sectionKey: .column("sec"), sortKeys: [RowSortKey("sec"), RowSortKey("key")]))
    let values: [SectionValue] = [.null, .real(1.5), .integer(2), .blob([0x00, 0xFF]), .blob([0x01])]
    #expect(book.controller.sections.map(\.value) == values)
    #expect(book.controller.sections.map(\.count) == [1, 1, 1, 2, 1])
    try book.write("UPDATE item SET sec = x'01' WHERE id = 1")
    book.waitForUpdates()
    #expect(book.updates().flatMap(\.changes.moves).map(\.to) == [RowPath(section: 4, row: 0)])
  }

  /// A filter's own parameters, however they are named, do not conflict with those of the engine.
  @Test(arguments: [
    ResultsFilter.sql("tag = ? AND key > ?", ["x", 5]), .sql("tag = ?1 AND key > ?2 AND ?1 <> ''", ["x", 5]),
    .sql("tag = :tag AND key > :least", ["tag": "x", "least": 5]),
  ])
  func argumentsOfAFilter(filter: ResultsFilter) throws {
    let book = try TestBook()
    try book.write("INSERT INTO item(id, sec, key, tag) VALUES (1, 0, 10, 'x'), (2, 0, 3, 'x'), (3, 0, 20, 'y')")
    var request = ContractRules.items
    request.filter = filter
    try book.open(request)
    #expect(PlainList(book.controller.snapshot).description == "0[1]")
    // The same query again and again, with a cursor that moves.
    for (statement, list) in [
      ("UPDATE item SET tag = 'x' WHERE id = 3", "0[1, 3]"), ("UPDATE item SET key = 30 WHERE id = 1", "0[3, 1]"),
      ("UPDATE item SET key = 4 WHERE id = 3", "0[1]"), ("UPDATE item SET key = 40 WHERE id = 2", "0[1, 2]"),
    ] {
      try book.write(statement)
      book.waitForUpdates()
      #expect(book.updates().count == 1)
      #expect(PlainList(book.controller.snapshot).description == list)
    }
    #expect(book.errors().isEmpty)
  }

  @Test func aPageHasAtLeastOneRow() throws {
    let book = try TestBook()
    try book.write("INSERT INTO item(sec, key) VALUES (0, 1), (0, 2)")
    var request = ContractRules.items
    request.pageSize = 0
    #expect(request.pageSize == 1)
    try book.open(request)
    #expect(try book.controller.object(atFlatRow: 1).id == 2)
  }

  /// Rows are read a page at a time.
  @Test func rowsAreReadAPageAtATime() throws {
    let read = Mutex(0)
    let book = try TestBook()
    try book.write(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO item(sec, key) SELECT 0, i FROM n"
    )
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.trace { event in if "\(event)".contains("\"item\".\"id\", \"item\".*") { read.withLock { $0 += 1 } } }
    }
    let pool = try DatabasePool(path: book.path, configuration: configuration)
    var request = ContractRules.items
    request.pageSize = 10
    let controller = FetchedRecordsController<AnyRecord>(
      pool, request: request, installsTriggers: true, deliver: ResultsDelivery { $0() })
    try controller.performFetch()
    #expect(read.withLock { $0 } == 0)
    for row in 0..<30 { #expect(try controller.object(atFlatRow: row).id == Int64(row + 1)) }
    #expect(read.withLock { $0 } == 3)
  }
}
