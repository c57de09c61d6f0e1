import GRDB
import Printing
import ResultsController

/// Events, newest first: each new one is an insert at the top, and whoever reads further down keeps their lines.
@main
struct Events {
  struct Event: FetchableRecord, Decodable, Sendable {
    var id: Int64
    var timestamp: Int64
  }

  static func main() async throws {
    let database = try memoryDatabase(
      """
      CREATE TABLE event(id INTEGER PRIMARY KEY, timestamp INTEGER NOT NULL);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO event SELECT i, i * 60 FROM n;
      """)
    let controller = ResultsController<Event>(
      database, request: ResultsRequest(table: "event", sortKeys: [SortKey("timestamp", ascending: false)]),
      installsTriggers: true, deliver: { $0() })
    var updates = controller.updates.makeAsyncIterator()
    try controller.performFetch()
    // The first one is the list as it is.
    _ = await updates.next()

    // A window of three rows that somebody has scrolled to row 10, with one event selected.
    var window = ListState(top: 10, height: 3, focus: controller.snapshot.id(atFlatRow: 11))
    func printWindow() throws {
      for row in window.top..<window.top + window.height {
        let event = try controller.object(atFlatRow: row)
        print("\(event.id == window.focus ? "▸" : " ") row \(row): event \(event.id) at \(event.timestamp)")
      }
    }
    try printWindow()
    for time in [70_000, 80_000] {
      try await database.write { try $0.execute(sql: "INSERT INTO event(timestamp) VALUES (?)", arguments: [time]) }
      guard let update = await updates.next() else { return }
      printChanges(update)
      window.apply(update)
    }
    try printWindow()
  }
}
