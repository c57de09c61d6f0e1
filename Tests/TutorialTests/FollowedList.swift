import LiveResults
import Testing

/// A live list, and the loop over its updates.
final class FollowedList<Root: Object> {
  let list: LiveList<Root>
  private var updates: LiveUpdates<Root>.Iterator

  init(_ list: LiveList<Root>) async throws {
    self.list = list
    updates = list.updates.makeAsyncIterator()
    // The first update is the initial list; if it were taken later, it would include the first changes too.
    _ = try await updates.next()
  }

  /// Waits for the next update. An update that a test does not expect is returned first, and makes the test fail.
  func update() async throws -> ResultsUpdate { try #require(try await updates.next()) }

  /// Waits for the next update, and returns its changes as lines, with old paths for removed rows and new paths for
  /// inserted rows.
  func changes() async throws -> [String] {
    let changes = try await update().changes
    var lines: [String] = []
    for section in changes.deletedSections { lines.append("- \(section.info.title)") }
    for section in changes.insertedSections { lines.append("+ \(section.info.title)") }
    for row in changes.deletes { lines.append("- \(row.path)") }
    for row in changes.inserts { lines.append("+ \(row.path)") }
    for move in changes.moves { lines.append("> \(move.from) \(move.to)") }
    for update in changes.updates { lines.append("* \(update.to)") }
    return lines
  }

  /// Returns the texts of each section, by its title.
  func texts(_ text: (Root) -> String) -> [String: [String]] {
    Dictionary(uniqueKeysWithValues: list.sections.map { ($0.title, $0.map(text)) })
  }
}
