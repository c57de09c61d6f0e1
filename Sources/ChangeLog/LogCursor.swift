/// A place in the log of a table: how far somebody has read it. It may be kept and used by another process.
///
/// The lines of a log that is made anew, after it was dropped, are numbered from another place, so that a cursor into the log
/// that was is not taken for one into the log that is. What no cursor can tell is a file that was put back from a copy and
/// written since: whoever keeps a cursor outside of the database keeps with it something that tells the one file from the other.
public struct LogCursor: Hashable, Sendable, Codable, Comparable {
  /// The number of the last line that was read; 0 for none.
  public let line: Int64

  /// A place that was kept.
  public init(line: Int64) { self.line = line }

  /// By age.
  public static func < (left: LogCursor, right: LogCursor) -> Bool { left.line < right.line }
}
