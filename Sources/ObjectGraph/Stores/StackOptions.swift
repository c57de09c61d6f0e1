import Foundation

/// Options for the SQLite stores that a stack opens.
public struct StackOptions: Sendable {
  /// How long a save waits for a writer outside of the stack, in seconds.
  public var busyTimeout: TimeInterval
  /// Called with every statement of the SQLite stores, on the thread that ran it.
  public var trace: (@Sendable (SQLTraceEvent) -> Void)?

  /// Creates options, by default with a busy timeout of ten seconds and no trace.
  public init(busyTimeout: TimeInterval = 10, trace: (@Sendable (SQLTraceEvent) -> Void)? = nil) {
    self.busyTimeout = busyTimeout
    self.trace = trace
  }
}

/// A statement that a store ran.
public struct SQLTraceEvent: Sendable {
  /// The statement without its bound values.
  public let sql: String
  /// The statement with its bound values: for debugging, not for a log that others read.
  public let expandedSQL: String
  /// How long the statement took, in seconds.
  public let duration: Double
}
