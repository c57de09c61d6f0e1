import Foundation
import GRDB
import ObjectGraph
import ResultsController

/// A row of any table of objects: its number, and its text, title or name.
struct NamedRow: FetchableRecord, Sendable {
  let number: Int64
  let text: String

  init(row: Row) {
    number = row[Entity.idColumn]
    text = row["text"] as String? ?? row["title"] as String? ?? row["name"] ?? ""
  }
}

/// A list that follows a store, with the updates that it delivers. It reads the file through its own connection, as
/// another program would.
final class LiveList {
  let controller: FetchedRecordsController<NamedRow>
  private var received: ResultsUpdates.Iterator

  init(path: String, _ request: ResultsRequest) async throws {
    controller = FetchedRecordsController<NamedRow>(
      try DatabasePool(path: path), request: request, installsTriggers: true, deliver: ResultsDelivery { $0() })
    received = controller.updates.makeAsyncIterator()
    try controller.performFetch()
    // The first update is the initial list; if it were taken later, it would include the first changes too.
    _ = try await received.next()
  }

  /// Waits for the next update. An update that a test does not expect is returned first, and makes the test fail.
  func update() async throws -> ResultsUpdate? { try await received.next() }

  /// Waits for the next update, and returns its changes as lines, with old paths for removed rows and new paths for
  /// inserted rows.
  func changes() async throws -> [String] {
    guard let changes = try await update()?.changes else { return [] }
    var lines: [String] = []
    for section in changes.deletedSections { lines.append("- \(section.info.title)") }
    for section in changes.insertedSections { lines.append("+ \(section.info.title)") }
    for row in changes.deletes { lines.append("- \(row.path)") }
    for row in changes.inserts { lines.append("+ \(row.path)") }
    for move in changes.moves { lines.append("> \(move.from) \(move.to)") }
    for update in changes.updates { lines.append("* \(update.to)") }
    return lines
  }

  /// Returns the texts of each section.
  func texts() throws -> [String: [String]] {
    var texts: [String: [String]] = [:]
    for (number, section) in controller.sections.enumerated() {
      texts[section.title] = try (0..<section.count).map {
        try controller.object(at: RowPath(section: number, row: $0)).text
      }
    }
    return texts
  }
}
