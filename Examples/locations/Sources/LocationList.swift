import Foundation
import GRDB
import ObjectGraph
import ResultsController

/// The list on the screen: the table of locations, newest first. It shows the changes of any process.
final class LocationList {
  struct Cell: FetchableRecord, Decodable, Sendable {
    var timestamp: Double
    var latitude: Double
    var longitude: Double

    var text: String {
      let date = Date(timeIntervalSinceReferenceDate: timestamp)
      return "\(date.formatted(.iso8601))  \(degrees(latitude, "N", "S"))  \(degrees(longitude, "E", "W"))"
    }

    private func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
      "\((abs(value) * 10_000).rounded() / 10_000)° \(value < 0 ? negative : positive)"
    }
  }

  private let controller: FetchedRecordsController<Cell>
  private var updates: ResultsUpdates.Iterator
  private var window = ListState(height: 3)

  init(path: String, entity: Entity) async throws {
    controller = FetchedRecordsController<Cell>(
      try DatabasePool(path: path),
      request: ResultsRequest(table: entity.table, sortKeys: [.init("timestamp", ascending: false)]),
      installsTriggers: true, deliver: ResultsDelivery { $0() })
    updates = controller.updates.makeAsyncIterator()
    try controller.performFetch()
    // The first update is the current list.
    _ = try await updates.next()
  }

  func scroll(to top: Int, cursor row: Int) {
    window.top = top
    window.focus = controller.snapshot.id(atFlatRow: row)
  }

  /// The id of the object under the cursor.
  var focus: Int64? { window.focus }

  /// Applies the next change: the window keeps its rows, and the cursor stays on its location unless that is deleted.
  func takeChange() async throws {
    guard let update = try await updates.next() else { return }
    for row in update.changes.deletes { print("  - row \(row.path.row)") }
    for row in update.changes.inserts { print("  + row \(row.path.row)") }
    window.apply(update)
  }

  func printAll() throws {
    for row in 0..<controller.snapshot.count { try printRow(row) }
  }

  func printWindow() throws {
    for row in window.top..<min(window.top + window.height, controller.snapshot.count) { try printRow(row) }
  }

  private func printRow(_ row: Int) throws {
    let isFocused = window.focus != nil && controller.snapshot.id(atFlatRow: row) == window.focus
    print("  \(isFocused ? "▸" : " ") \(row): \(try controller.object(atFlatRow: row).text)")
  }
}
