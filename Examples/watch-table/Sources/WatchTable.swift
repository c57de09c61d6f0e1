import Foundation
import GRDB
import ResultsController

/// A row of any table: its values as text.
struct AnyRow: FetchableRecord, Sendable {
  let text: String

  init(row: Row) { text = row.map { "\($0)=\($1)" }.joined(separator: " ") }
}

/// Prints a table of any SQLite database, in sections if requested, and then every change that any process makes, until
/// it is stopped; or shows the table on the whole screen.
@main
struct WatchTable {
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 3 else {
      print(
        """
        usage: watch-table DATABASE TABLE COLUMN… [--sections | --screen]
        The rows are sorted by the columns. With --sections the first one also divides the list into sections;
        with --screen the list is shown in full screen.
        """
      )
      exit(2)
    }
    do {
      let columns = words[2...].filter { !$0.hasPrefix("--") }
      if words.contains("--screen") {
        try WatchScreen.run(
          DatabasePool(path: words[0]), ResultsRequest(table: words[1], sortKeys: columns.map { RowSortKey($0) }),
          title: words[1])
      } else {
        try await watch(words[0], words[1], columns, words.contains("--sections"))
      }
    } catch {
      print("watch-table: \(error)")
      exit(3)
    }
  }

  static func watch(_ path: String, _ table: String, _ columns: [String], _ isSectioned: Bool) async throws {
    let list = try DatabasePool(path: path).list(
      AnyRow.self,
      ResultsRequest(
        table: table, sectionKey: isSectioned ? columns.first.map { .column($0) } : nil,
        sortKeys: columns.map { RowSortKey($0) }), installsTriggers: true)
    var updates = list.updates.makeAsyncIterator()
    // The first update is the current list.
    _ = try await updates.next()
    try printList(list) { $0.text }
    while let update = try await updates.next() {
      print("")
      printChanges(update)
      for row in update.changes.inserts { print("  " + (try list.object(at: row.path, in: update.after)).text) }
      for change in update.changes.updates {
        print("  " + (try list.object(at: change.to, in: update.after)).text)
      }
    }
  }
}
