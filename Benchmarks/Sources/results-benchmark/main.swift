import Dispatch
import Foundation
import GRDB
import ResultsController

// Times of a list of many rows, beside a bare loop over the same index: `results-benchmark ROWS`.
// Prints `name<TAB>number<TAB>unit` lines for bench.py.

struct Item: FetchableRecord, Sendable {
  let id: Int64
  let name: String
  init(row: Row) {
    id = row["id"]
    name = row["name"]
  }
}

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let time = try ContinuousClock().measure(body).components
  return Double(time.seconds) * 1e3 + Double(time.attoseconds) / 1e15
}

func median(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
  try (0..<count).map { _ in try milliseconds(body) }.sorted()[count / 2]
}

func report(_ name: String, _ value: Double, _ unit: String = "ms") { print("\(name)\t\(value)\t\(unit)") }

guard CommandLine.arguments.count == 2, let rows = Int(CommandLine.arguments[1]) else {
  print("usage: results-benchmark ROWS")
  exit(2)
}
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("results-benchmark-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let pool = try DatabasePool(path: folder.appendingPathComponent("items.db").path)
try pool.write { db in
  try db.execute(
    sql: """
      CREATE TABLE item(id INTEGER PRIMARY KEY AUTOINCREMENT, section INTEGER NOT NULL, sort_key BLOB NOT NULL,
        name TEXT NOT NULL);
      CREATE INDEX item_order ON item(section, sort_key, id);
      CREATE TABLE section_count(section INTEGER PRIMARY KEY, rows INTEGER NOT NULL);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO item(section, sort_key, name) SELECT i * 7919 % 27, randomblob(30), 'Person ' || i FROM n;
      INSERT INTO section_count SELECT section, count(*) FROM item GROUP BY section;
      ANALYZE
      """)
  try ChangeTracking(table: "item").install(in: db)
}

let bare = try median(5) {
  try pool.read { db in
    let cursor = try Row.fetchCursor(db, sql: "SELECT id, section, sort_key FROM item ORDER BY section, sort_key, id")
    var sum: Int64 = 0
    while let row = try cursor.next() { sum &+= row[0] }
    precondition(sum > 0)
  }
}
report("bare loop over the index", bare)
let request = ResultsRequest(
  table: "item", sectionKey: .column("section"), sortKeys: [SortKey("section"), SortKey("sort_key")],
  sectionCounts: SectionCounts(sql: "SELECT section, rows FROM section_count ORDER BY section"))
report(
  "list, complete",
  try median(5) { try ResultsController<Item>(pool, request: request, deliver: { $0() }).performFetch() })

let changed = DispatchSemaphore(value: 0)
let controller = ResultsController<Item>(pool, request: request, deliver: { $0() })
controller.onChange = { _ in changed.signal() }
report(
  "first 40 rows",
  try milliseconds {
    try controller.performFetch(.staged)
    for row in 0..<min(40, rows) { _ = try controller.object(atFlatRow: row) }
  })
changed.wait()
for count in [1, 100, 10_000] where count * 2 <= rows {
  let time = try median(count == 10_000 ? 5 : 21) {
    try pool.write { db in
      let statement = try db.cachedStatement(sql: "UPDATE item SET sort_key = randomblob(30) WHERE id = ?")
      for _ in 0..<count { try statement.execute(arguments: [Int64.random(in: 1...Int64(rows))]) }
    }
    changed.wait()
  }
  report("\(count) moved, write to change set", time)
}
controller.stopTracking()
