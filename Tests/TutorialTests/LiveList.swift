import Foundation
import GRDB
import Synchronization
import Testing

@testable import ResultsController

/// A row of any table: its id, and its text, title or name.
struct NamedRow: FetchableRecord, Sendable {
  let id: Int64
  let text: String

  init(row: Row) {
    id = row["id"]
    text = row["text"] as String? ?? row["title"] as String? ?? row["name"] ?? ""
  }
}

/// A list that follows a database, with what it told about each change.
final class LiveList: Sendable {
  let controller: ResultsController<NamedRow>
  private let received = Mutex<[ResultsUpdate]>([])

  /// Opens the list.
  init(_ database: any DatabaseWriter, _ request: ResultsRequest) throws {
    controller = ResultsController<NamedRow>(database, request: request, installsTriggers: true, deliver: { $0() })
    controller.onChange = { [weak self] update in self?.received.withLock { $0.append(update) } }
    try controller.performFetch()
    settle()
  }

  /// What changed since the last call, as lines: old paths for what left, new paths for what came.
  func changes() -> [String] {
    updates().flatMap { update in
      let changes = update.changes
      var lines: [String] = []
      for section in changes.deletedSections { lines.append("- \(section.info.title)") }
      for section in changes.insertedSections { lines.append("+ \(section.info.title)") }
      for row in changes.deletes { lines.append("- \(row.path)") }
      for row in changes.inserts { lines.append("+ \(row.path)") }
      for move in changes.moves { lines.append("> \(move.from) \(move.to)") }
      for update in changes.updates { lines.append("* \(update.to)") }
      return lines
    }
  }

  /// The updates since the last call.
  func updates() -> [ResultsUpdate] {
    settle()
    return received.withLock { updates in
      defer { updates = [] }
      return updates
    }
  }

  /// The texts of each section.
  func texts() throws -> [String: [String]] {
    var texts: [String: [String]] = [:]
    for (number, section) in controller.sections.enumerated() {
      texts[section.title] = try (0..<section.count).map {
        try controller.object(at: RowPath(section: number, row: $0)).text
      }
    }
    return texts
  }

  /// Waits until the controller has looked at what was committed before the call.
  private func settle() { for _ in 0..<3 { controller.engine.queue.sync {} } }
}
