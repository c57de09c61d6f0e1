/// A statement that a store ran.
public struct SQLTraceEvent: Sendable {
  /// The statement. It has no values in it.
  public let sql: String
  /// The statement with its bound values: for debugging, not for a log that others read.
  public let expandedSQL: String
  /// Time that the statement took, in seconds.
  public let duration: Double
}
