import ChangeLog
import Foundation

/// A moment in the history of a stack's stores. It may be kept and used by another process.
///
/// A store that was put back from a copy and written since is not told from the one that was; whoever keeps a token beside a
/// file that people copy keeps with it something that is written into the file.
public struct HistoryToken: Hashable, Sendable, Codable {
  /// By store and table.
  var cursors: [UUID: [String: LogCursor]] = [:]
}
