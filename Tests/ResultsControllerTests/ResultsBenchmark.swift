import Foundation
import GRDB
import Synchronization
import Testing

@testable import ResultsController

/// Times, printed and never asserted. Run by hand in a release build:
/// `RESULTS_BENCH=1 swift test -c release -Xswiftc -enable-testing --filter ResultsBenchmark`
@Suite(.serialized)
struct ResultsBenchmark {
  static let isWanted: Bool = {
    let isWanted = ProcessInfo.processInfo.environment["RESULTS_BENCH"] != nil
    if !isWanted { print("RESULTS_BENCH is not set: no benchmark") }
    return isWanted
  }()

  static let request = ResultsRequest(
    table: "item", sectionKey: .column("section"), sortKeys: [SortKey("section"), SortKey("sort_key")],
    sectionCounts: SectionCounts(sql: "SELECT section, rows FROM section_count ORDER BY section"))

  @Test(.enabled(if: isWanted), arguments: [10_000, 1_000_000])
  func list(rows: Int) throws {
    let bench = try Bench(rows: rows)
    try bench.run()
  }
}

private final class Bench: @unchecked Sendable {
  let rows: Int
  let book: TestBook
  private let changed = DispatchSemaphore(value: 0)
  private let arrival = Mutex<ContinuousClock.Instant?>(nil)
  private let last = Mutex<ResultsUpdate?>(nil)

  init(rows: Int) throws {
    self.rows = rows
    book = try TestBook(
      schema: """
        CREATE TABLE item(id INTEGER PRIMARY KEY AUTOINCREMENT, section INTEGER NOT NULL, sort_key BLOB NOT NULL,
          name TEXT NOT NULL, note TEXT NOT NULL DEFAULT '', version INTEGER NOT NULL DEFAULT 1);
        CREATE INDEX item_order ON item(section, sort_key, id);
        CREATE TABLE section_count(section INTEGER PRIMARY KEY, rows INTEGER NOT NULL);
        """)
    try book.write(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO item(section, sort_key, name, note)
      SELECT i * 7919 % 27, randomblob(30), 'Person ' || i, 'A note of some length about this person, ' || i FROM n
      """,
      "INSERT INTO section_count SELECT section, count(*) FROM item GROUP BY section",
      "ANALYZE")
    try book.pool.write { try ChangeTracking(table: "item").install(in: $0) }
    try book.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }

  static func milliseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1000 + Double(duration.components.attoseconds) / 1e15
  }

  static func time(_ body: () throws -> Void) rethrows -> Double {
    try milliseconds(ContinuousClock().measure(body))
  }

  /// Gives freed memory back to the system, to tell what is held from what is only kept by malloc.
  static func trim() {
    typealias Trim = @convention(c) (Int) -> Int32
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: Trim.self)(0)
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  static var residentMegabytes: Double {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (Double(text.split(separator: " ").dropFirst().first ?? "0") ?? 0) * 4096 / 1e6
  }

  func show(_ name: String, _ value: Double, _ unit: String = "ms") {
    print("  \(name.padding(toLength: 46, withPad: " ", startingAt: 0)) \(String(format: "%10.3f", value)) \(unit)")
  }

  func run() throws {
    print("\(rows) rows")
    let sql = "SELECT id, section, sort_key FROM item ORDER BY section, sort_key, id"
    func loop() throws -> Double {
      try book.pool.read { db in
        try Self.time {
          var sum = 0
          try SQLite.forEachRow(db, sql: sql) { row in
            sum &+= Int(row.integer(0)) &+ Int(row.integer(1)) &+ row.bytes(2, .blob).count
          }
          precondition(sum != 0)
        }
      }
    }
    _ = try loop()
    let bare = Self.median(try (0..<5).map { _ in try loop() })
    show("bare loop over the covering index", bare)

    let before = Self.residentMegabytes
    do {
      let open = ResultsController<AnyRecord>(book.pool, request: ResultsBenchmark.request, deliver: { $0() })
      let opening = try Self.time { try open.performFetch() }
      show("open, complete", opening)
      show("open / bare loop", opening / bare, "times")
      show("memory of the list", Self.residentMegabytes - before, "MB")
      var times: [Double] = []
      for _ in 0..<5 { times.append(try Self.time { try open.performFetch() }) }
      show("open again, median of 5", Self.median(times))
    }

    let controller = ResultsController<AnyRecord>(book.pool, request: ResultsBenchmark.request, deliver: { $0() })
    controller.onChange = { [self] update in
      arrival.withLock { $0 = ContinuousClock().now }
      last.withLock { $0 = update }
      changed.signal()
    }
    let staged = try Self.time {
      try controller.performFetch(.staged)
      for row in 0..<40 { _ = try controller.object(atFlatRow: row) }
    }
    show("open, staged: counts and 40 first rows", staged)
    changed.wait()
    controller.engine.queue.sync {}
    controller.engine.queue.sync {}

    var random = SeededGenerator(state: 7)
    for count in [1, 100, 10_000] where count * 2 <= rows {
      try measureChanges(controller, count, &random)
      Self.trim()
      show("memory then", Self.residentMegabytes - before, "MB")
    }
    try measureRequests(controller)
    show("memory at the end", Self.residentMegabytes - before, "MB")
    Self.trim()
    show("memory at the end, trimmed", Self.residentMegabytes - before, "MB")
    try measureBareCommits(controller)
  }

  private func measureChanges(
    _ controller: ResultsController<AnyRecord>, _ count: Int, _ random: inout SeededGenerator
  ) throws {
    var commits: [Double] = []
    var delays: [Double] = []
    var total: [Double] = []
    let repeats = count == 1 ? 60 : count == 100 ? 20 : 5
    for _ in 0..<repeats {
      let ids = (0..<count).map { _ in Int64.random(in: 1...Int64(rows), using: &random) }
      let start = ContinuousClock().now
      try book.pool.write { db in
        let statement = try db.cachedStatement(sql: "UPDATE item SET sort_key = randomblob(30) WHERE id = ?")
        for id in ids { try statement.execute(arguments: [id]) }
      }
      let committed = ContinuousClock().now
      changed.wait()
      let arrived = arrival.withLock { $0 } ?? committed
      commits.append(Self.milliseconds(committed - start))
      last.withLock { $0 = nil }
      // A commit is visible before it returns, which a checkpoint may delay: then the update comes first.
      delays.append(max(0, Self.milliseconds(arrived - committed)))
      total.append(Self.milliseconds(arrived - start))
    }
    show("\(count) changed: transaction with triggers", Self.median(commits))
    show("\(count) changed: commit to change set", Self.median(delays))
    show("\(count) changed: both", Self.median(total))

    if count == 10_000 || count == 1 {
      let old = controller.snapshot
      let diff = try Self.time {
        let index = try book.pool.read {
          try IndexQuery.run(FetchPlan(ResultsBenchmark.request, $0), $0, Cancellation())
        }
        let snapshot = ResultsSnapshot(generation: 0, plan: nil, index: index, titles: { $0.plainTitle })
        _ = ChangeSet(comparing: old, with: snapshot, hasSameOrder: true, touched: [:])
      }
      show("refetch and diff", diff)
    }
  }

  /// The same transactions without triggers and without a listener.
  private func measureBareCommits(_ controller: ResultsController<AnyRecord>) throws {
    controller.stopTracking()
    controller.engine.queue.sync {}
    try book.pool.write { try ChangeTracking(table: "item").uninstall(in: $0) }
    var random = SeededGenerator(state: 9)
    for count in [1, 100, 10_000] where count * 2 <= rows {
      let times = try (0..<(count == 10_000 ? 5 : 20)).map { _ in
        let ids = (0..<count).map { _ in Int64.random(in: 1...Int64(rows), using: &random) }
        return try Self.time {
          try book.pool.write { db in
            let statement = try db.cachedStatement(sql: "UPDATE item SET sort_key = randomblob(30) WHERE id = ?")
            for id in ids { try statement.execute(arguments: [id]) }
          }
        }
      }
      show("\(count) changed: bare transaction", Self.median(times))
    }
  }

  private func measureRequests(_ controller: ResultsController<AnyRecord>) throws {
    func measure(_ name: String, _ change: (inout ResultsRequest) -> Void) throws {
      var request = ResultsBenchmark.request
      change(&request)
      let time = try Self.time {
        try controller.setRequest(request)
        changed.wait()
      }
      show(name, time)
      last.withLock { $0 = nil }
    }
    let half = Set((1...Int64(rows)).filter { $0 % 2 == 0 })
    let few = Set((1...Int64(rows)).filter { $0 % 1000 == 0 })
    try measure("to half of the ids") { $0.ids = half }
    try measure("to one in a thousand ids") { $0.ids = few }
    try measure("back to all") { _ in }
    try measure("from all to one in a thousand ids") { $0.ids = few }
    try measure("back to all") { _ in }
    try measure("to an SQL filter of one in ten") { $0.filter = .sql("name LIKE '%7'") }
    try measure("back to all") { _ in }
  }
}
