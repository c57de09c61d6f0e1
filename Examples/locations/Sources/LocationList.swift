import LiveResults

/// The list on the screen: the locations, newest first, of which a window is visible. It shows the changes of any process.
final class LocationList {
  private let list: LiveList<Location>
  private var updates: LiveUpdates<Location>.Iterator
  private var window = ListState(height: 3)

  init(_ context: ObjectContext) async throws {
    list = try context.list(Location.all.sorted(by: \.timestamp, ascending: false))
    updates = list.updates.makeAsyncIterator()
    // The first update is the list as it is.
    _ = try await updates.next()
  }

  func scroll(to top: Int, cursor row: Int) {
    window.top = top
    window.focus = list.snapshot.id(atFlatRow: row)
  }

  /// The object under the cursor.
  var focus: Location? { window.focus.flatMap { list.snapshot.indexPath(of: $0) }.map { list[$0] } }

  /// Applies the next change: the window keeps its rows, and the cursor stays on its location unless that is deleted.
  func takeChange() async throws {
    guard let update = try await updates.next() else { return }
    for row in update.changes.deletes { print("  - row \(row.path.row)") }
    for row in update.changes.inserts { print("  + row \(row.path.row)") }
    window.apply(update)
  }

  func printAll() { printRows(0..<list.count) }

  func printWindow() { printRows(window.top..<min(window.top + window.height, list.count)) }

  private func printRows(_ rows: Range<Int>) {
    for row in rows {
      let location = list[section: 0, row: row]
      print("  \(location === focus ? "▸" : " ") \(row): \(location.text)")
    }
  }
}
