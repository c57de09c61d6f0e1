import ChangeLog
import Foundation

/// A point in the history of a stack's stores. It may be saved and used by another process.
///
/// A store that was restored from a copy and written since cannot be told from the original. If users may copy the
/// file, write a marker into it and keep the marker with the token.
public struct HistoryToken: Hashable, Sendable, Codable {
  /// By store and table.
  var cursors: [UUID: [String: LogCursor]] = [:]
}
