import Foundation
import GRDB
import Synchronization

@testable import ResultsController

/// The cases that state a rule in words, by name. Each function gets its case.
enum ContractRules {
  static let rules: [String: @Sendable (JSONValue) throws -> Void] = [
    "section-key-not-first": sectionKeyNotFirst,
    "section-key-coarser-but-agreeing": coarserSections,
    "section-key-disagrees-at-runtime": disagreeingSections,
    "no-sort-key": noSortKey,
    "no-delegate-no-tracking": untracked,
    "object-at-and-index-path-are-inverse": inverse,
    "index-path-of-absent-row": absentRow,
    "object-at-out-of-range": outOfRange,
    "section-for-index-title": indexTitles,
    "order-of-callbacks": callbackOrder,
    "error-while-fetching-does-not-end-tracking": errorWhileFetching,
    "release-ends-tracking": release,
    "write-inside-callback": writeInsideCallback,
    "permutations-of-four": permutations,
    "scale-one-in-a-million": { _ in try scale(changing: 1) },
    "scale-hundred-in-a-million": { _ in try scale(changing: 100) },
    "scale-ten-thousand-in-a-million": { _ in try scale(changing: 10_000) },
    "scale-open": scaleOpen,
    "scale-work-not-proportional-to-n": scaleWork,
  ]

  static let items = ResultsRequest(
    table: "item", sectionKey: .column("sec"), sortKeys: [RowSortKey("sec"), RowSortKey("key")])

  static func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Inconsistency(message()) }
  }

  static func expect<T: Equatable>(_ name: String, _ actual: T, _ wanted: T) throws {
    if actual != wanted { throw Inconsistency("\(name) is \(actual), expected \(wanted)") }
  }

  static func expectError(_ wanted: ResultsError, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as ResultsError {
      return try expect("error", error, wanted)
    }
    throw Inconsistency("no error, expected \(wanted)")
  }

  private static func sixRows() throws -> TestBook {
    let book = try TestBook()
    try book.write(
      "INSERT INTO item(id, sec, key) VALUES (1, 0, 10), (2, 0, 20), (3, 0, 30), (4, 1, 10), (5, 1, 20), (6, 1, 30)")
    return book
  }

  // MARK: Requests

  private static func sectionKeyNotFirst(_ item: JSONValue) throws {
    let order = item["request"]["orderBy"].array.compactMap(\.text)
    let section = item["request"]["sectionBy"].text ?? "sec"
    let book = try sixRows()
    try expectError(.sectionKeyNotFirst(column: section)) {
      try book.open(ResultsRequest(table: "item", sectionKey: .column(section), sortKeys: order.map { RowSortKey($0) }))
    }
  }

  private static func coarserSections(_ item: JSONValue) throws {
    let book = try TestBook(schema: "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    try book.write("INSERT INTO item VALUES (1, 'Bo'), (2, 'Ada'), (3, 'Anna'), (4, 'Cy')")
    try book.open(
      ResultsRequest(
        table: "item", sectionKey: .expression("substr(name, 1, 1)"), sortKeys: [RowSortKey("name"), RowSortKey("id")]))
    try expect("list", PlainList(book.controller.snapshot).description, "A[2, 3] B[1] C[4]")
    try book.write("UPDATE item SET name = 'Bea' WHERE id = 3")
    book.waitForUpdates()
    try expect("updates", book.updates().count, 1)
    try expect("list", PlainList(book.controller.snapshot).description, "A[2] B[3, 1] C[4]")
  }

  private static func disagreeingSections(_ item: JSONValue) throws {
    // `place` keeps the order in which the case lists the rows.
    let schema = "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, initial TEXT, place INTEGER)"
    let rows = item["rows"].array.enumerated().map { place, row in
      "INSERT INTO item VALUES (\(row[0]), '\(row[1].text ?? "")', '\(row[2].text ?? "")', \(place))"
    }
    let request = ResultsRequest(table: "item", sectionKey: .column("initial"), sortKeys: [RowSortKey("place")])
    let book = try TestBook(schema: schema)
    try book.write(rows, writer: "self", commits: true)
    try expectError(.sectionOrderDisagrees(.text("A"))) { try book.open(request) }

    // If a later write causes the disagreement, it is reported and the list stays as it is. The list is updated once
    // another write has corrected the order.
    let later = try TestBook(schema: schema)
    try later.write("INSERT INTO item VALUES (1, 'Anna', 'A', 1), (3, 'Arno', 'A', 3)")
    try later.open(request)
    try later.write("INSERT INTO item VALUES (2, 'Äda', 'B', 2)")
    later.waitForUpdates()
    try expect("errors", later.errors(), [.sectionOrderDisagrees(.text("B"))])
    try expect("list", PlainList(later.controller.snapshot).description, "A[1, 3]")
    try later.write("UPDATE item SET place = 4 WHERE id = 2")
    later.waitForUpdates()
    try expect("updates", later.updates().count, 1)
    try expect("list", PlainList(later.controller.snapshot).description, "A[1, 3] B[2]")
  }

  private static func noSortKey(_ item: JSONValue) throws {
    let book = try sixRows()
    try expectError(.sortKeyNeeded) { try book.open(ResultsRequest(table: "item", sortKeys: [])) }
    try expectError(.unknownColumn("nothing", table: "item")) {
      try book.open(ResultsRequest(table: "item", sortKeys: [RowSortKey("nothing")]))
    }
    try expectError(.unknownTable("nothing")) {
      try book.open(ResultsRequest(table: "nothing", sortKeys: [RowSortKey("key")]))
    }
  }

  // MARK: Paths

  private static func inverse(_ item: JSONValue) throws {
    let book = try sixRows()
    try book.open(items)
    for section in 0..<2 {
      for row in 0..<3 {
        let path = RowPath(section: section, row: row)
        try expect("path", book.controller.indexPath(forID: try book.controller.object(at: path).id), path)
      }
    }
  }

  private static func absentRow(_ item: JSONValue) throws {
    let book = try sixRows()
    var request = items
    request.filter = .sql("key < ?", [30])
    try book.open(request)
    try expect("hidden row", book.controller.indexPath(forID: 3), nil)
    try expect("absent row", book.controller.indexPath(forID: 99), nil)
    try expect("present row", book.controller.indexPath(forID: 5), RowPath(section: 1, row: 1))
  }

  private static func outOfRange(_ item: JSONValue) throws {
    let book = try sixRows()
    try book.open(items)
    for (section, row) in [(0, 3), (0, -1), (-1, 0), (2, 0), (1, Int.max), (Int.max, 0)] {
      try expectError(.outOfRange) { _ = try book.controller.object(at: RowPath(section: section, row: row)) }
    }
  }

  private static func indexTitles(_ item: JSONValue) throws {
    let bar = (0...26).map { TestBook.title(.integer($0)) }
    let book = try TestBook()
    for title in item["titles"].array.compactMap(\.text) {
      try book.write("INSERT INTO item(sec, key) VALUES (\(bar.firstIndex(of: title) ?? 0), 1)")
    }
    try book.open(items)
    for lookup in item["lookups"].array {
      let title = lookup[0].text ?? ""
      try expect(title, book.controller.section(forIndexTitle: title, in: bar), lookup[1].int)
      try expect("\(title) without a bar", book.controller.section(forIndexTitle: title), lookup[1].int)
    }
  }

  // MARK: Tracking

  private static func untracked(_ item: JSONValue) throws {
    let book = try sixRows()
    try book.open(items, listens: false)
    try book.write("DELETE FROM item WHERE id = 1")
    book.waitForUpdates()
    try expect("count", book.controller.snapshot.count, 6)
    // A listener that is added later is told of everything that happened since the fetch.
    book.listen()
    book.waitForUpdates()
    let updates = book.updates()
    try expect("deletes", updates.flatMap(\.changes.deletes).map(\.id), [1])
    try expect("count", book.controller.snapshot.count, 5)
  }

  private static func callbackOrder(_ item: JSONValue) throws {
    let book = try sixRows()
    try book.open(items)
    let recorder = Recorder(book.controller)
    book.controller.delegate = recorder
    try book.write(
      "DELETE FROM item WHERE id IN (1, 2)", "UPDATE item SET sec = 4 WHERE id = 3",
      "INSERT INTO item(id, sec, key, body) VALUES (9, 1, 15, '')", "UPDATE item SET body = 'x' WHERE id = 4")
    book.waitForUpdates()
    book.held.run()
    var steps = recorder.steps.withLock { $0 }
    try expect(steps.allSatisfy { $0.count == 5 }, "the controller answered with the old state")
    try expect("steps", steps.first?.name, "willChange")
    try expect("steps", steps.last?.name, "didChange")
    steps = steps.dropFirst().dropLast()
    try expect("sections", steps.prefix { $0.name == "section" }.count, 2)
    try expect("rows", steps.dropFirst(2).map(\.name), ["row", "row", "row", "row", "row"])
  }

  private final class Recorder: ResultsDelegate {
    struct Step {
      let name: String
      let count: Int
    }
    let steps = Mutex<[Step]>([])
    private weak let controller: FetchedRecordsController<AnyRecord>?

    init(_ controller: FetchedRecordsController<AnyRecord>) { self.controller = controller }

    private func note(_ name: String) {
      let count = controller?.snapshot.count ?? -1
      steps.withLock { $0.append(Step(name: name, count: count)) }
    }

    func resultsWillChange(_ update: ResultsUpdate) { note("willChange") }
    func results(_ update: ResultsUpdate, didChange section: SectionChange) { note("section") }
    func results(_ update: ResultsUpdate, didChange row: RowChange) { note("row") }
    func resultsDidChange(_ update: ResultsUpdate) { note("didChange") }
  }

  private static func errorWhileFetching(_ item: JSONValue) throws {
    let book = try sixRows()
    try book.open(items)
    try book.write("DROP TABLE item")
    book.waitForUpdates()
    try expect("errors", book.errors(), [.unknownTable("item")])
    try expect("count", book.controller.snapshot.count, 6)
    try book.write(
      "CREATE TABLE item(id INTEGER PRIMARY KEY, sec INTEGER, key INTEGER NOT NULL, body TEXT NOT NULL DEFAULT '', tag TEXT NOT NULL DEFAULT '', grp INTEGER, uq INTEGER UNIQUE)",
      "INSERT INTO item(id, sec, key) VALUES (1, 0, 10), (2, 0, 20), (7, 2, 1)")
    book.waitForUpdates()
    let update = book.updates()
    try expect("updates", update.count, 1)
    try expect("deletes", update.first?.changes.deletes.map(\.id), [3, 4, 5, 6])
    try expect("inserts", update.first?.changes.inserts.map(\.id), [7])
    try expect("updates of rows", update.first?.changes.updates.count, 0)
    try book.write("DELETE FROM item WHERE id = 7")
    book.waitForUpdates()
    try expect("deletes", book.updates().flatMap(\.changes.deletes).map(\.id), [7])
    try expect("errors", book.errors(), [])
  }

  private static func release(_ item: JSONValue) throws {
    let book = try sixRows()
    try book.open(items)
    weak let controller = book.controller
    weak let engine = book.controller.engine
    let queue = book.controller.engine.queue
    try book.write("DELETE FROM item WHERE id = 1")
    book.waitForUpdates()
    book.release()
    try expect(controller == nil, "the controller is not released")
    queue.sync {}
    queue.sync {}
    try expect("updates", book.updates().count, 0)
    try book.write("DELETE FROM item WHERE id = 2")
    queue.sync {}
    try expect(engine == nil, "the engine is not released")
    try expect("updates", book.updates().count, 0)
  }

  private static func writeInsideCallback(_ item: JSONValue) throws {
    let book = try sixRows()
    let log = Mutex<[String]>([])
    try book.open(items)
    let pool = book.pool
    book.controller.listen { event in
      guard case .changed(let update) = event else { return }
      log.withLock { $0.append("begin \(update.changes.deletes.map(\.id))") }
      if update.after.count == 5 {
        do {
          try pool.write { try $0.execute(sql: "DELETE FROM item WHERE id = 2") }
        } catch {
          log.withLock { $0.append("\(error)") }
        }
      }
      log.withLock { $0.append("end") }
    }
    try book.write("DELETE FROM item WHERE id = 1")
    book.waitForUpdates()
    book.held.run()
    book.waitForUpdates()
    book.held.run()
    try expect("callbacks", log.withLock { $0 }, ["begin [1]", "end", "begin [2]", "end"])
  }

  private static func permutations(_ item: JSONValue) throws {
    for member in item["expect"]["family"].array {
      let order = member[0].array.map(\.int)
      let book = try TestBook()
      try book.write("INSERT INTO item(id, sec, key) VALUES (1, 0, 1), (2, 0, 2), (3, 0, 3), (4, 0, 4)")
      try book.open(items)
      let keys = order.enumerated().map { "UPDATE item SET key = \(10 + $0.offset) WHERE id = \($0.element)" }
      try book.write(keys, writer: "self", commits: true)
      book.waitForUpdates()
      let updates = book.updates()
      try expect("\(order)", updates.first?.changes.moves.count, member[1].int)
      try expect("\(order)", PlainList(book.controller.snapshot).sections[0].ids, order.map { Int64($0) })
    }
  }

  // MARK: Scale

  /// The number of rows, which RESULTS_SCALE_ROWS sets. The rules of this section count and never measure time.
  private static let scaleRows =
    ProcessInfo.processInfo.environment["RESULTS_SCALE_ROWS"].flatMap { Int($0) } ?? 20_000

  private static func manyRows(_ rows: Int) throws -> TestBook {
    let book = try TestBook()
    try book.write(
      "CREATE INDEX item_order ON item(sec, key, id)",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) INSERT INTO item(id, sec, key) SELECT i, i % 27, i * 7919 % 1000003 FROM n"
    )
    try book.open(items)
    return book
  }

  private static func chunks(_ snapshot: ResultsSnapshot) -> [IndexChunk] {
    snapshot.index.map { index in index.order.indices.map { index.chunk(at: $0) } } ?? []
  }

  /// Checks that the chunks take less than 60 bytes a row: half of the limit of 120 MB for a list of a million rows.
  private static func scaleOpen(_ item: JSONValue) throws {
    let book = try manyRows(scaleRows)
    try expect("rows", book.controller.snapshot.count, scaleRows)
    let bytes = chunks(book.controller.snapshot).reduce(0) { $0 + $1.byteCount }
    try expect(bytes / scaleRows < 60, "\(bytes / scaleRows) bytes a row")
  }

  /// Checks that one change replaces at most two chunks, however long the list is.
  private static func scaleWork(_ item: JSONValue) throws {
    for rows in [scaleRows / 10, scaleRows] {
      let book = try manyRows(rows)
      let before = Set(chunks(book.controller.snapshot).map { ObjectIdentifier($0) })
      try book.write("UPDATE item SET key = key + 500000 WHERE id = 77")
      book.waitForUpdates()
      try expect("updates", book.updates().count, 1)
      let replaced = chunks(book.controller.snapshot).filter { !before.contains(ObjectIdentifier($0)) }
      try expect((1...2).contains(replaced.count), "\(replaced.count) chunks of \(rows) rows were replaced")
    }
  }

  private static func scale(changing changed: Int) throws {
    let rows = scaleRows
    let book = try manyRows(rows)
    let before = book.controller.snapshot
    try expect("rows", before.count, rows)
    let chosen = min(changed, rows / 2)
    try book.write(
      "UPDATE item SET key = (id * 104729) % 1000003 + 1 WHERE id IN (SELECT 1 + (value * 2) FROM (WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < \(chosen - 1)) SELECT value FROM n))"
    )
    book.waitForUpdates()
    let updates = book.updates()
    try expect("updates", updates.count, 1)
    try expect(
      updates[0].changes.moves.count <= chosen, "\(updates[0].changes.moves.count) moves for \(chosen) changes")
    try expect("told rows", updates[0].changes.moves.count + updates[0].changes.updates.count, chosen)
    let fresh = try TestBookFresh.list(book.pool, items)
    let list = PlainList(book.controller.snapshot)
    try expect(list == fresh, "the list differs from a fresh one")
  }
}

/// The list as a new controller reads it.
enum TestBookFresh {
  static func list(_ reader: any DatabaseReader, _ request: ResultsRequest) throws -> PlainList {
    let controller = FetchedRecordsController<AnyRecord>(
      reader, request: request, installsTriggers: true, deliver: ResultsDelivery { $0() })
    try controller.performFetch()
    return PlainList(controller.snapshot)
  }
}
