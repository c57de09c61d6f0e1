/// A position in the log of a table: how far it was read. It may be kept and used by another process.
///
/// A log that is created again after it was dropped starts at another number, so that an old cursor is not mistaken for one
/// into the new log. A cursor cannot detect that a file was restored from a copy and written since: if you keep a cursor outside
/// of the database, keep something with it that identifies the file.
public struct LogCursor: Hashable, Sendable, Codable, Comparable {
  /// The number of the last line that was read; 0 for none.
  public let line: Int64

  /// A place that was kept.
  public init(line: Int64) { self.line = line }

  /// By age.
  public static func < (left: LogCursor, right: LogCursor) -> Bool { left.line < right.line }
}
