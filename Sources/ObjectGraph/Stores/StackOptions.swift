import Foundation

/// How the stores of a stack behave.
public struct StackOptions: Sendable {
  /// How long a save waits for another writer, in seconds.
  public var busyTimeout: TimeInterval
  /// Called with every statement of the SQLite stores, on the thread that ran it.
  public var trace: (@Sendable (SQLTraceEvent) -> Void)?

  /// Options with the given values; by default no trace, and a busy timeout of ten seconds.
  public init(busyTimeout: TimeInterval = 10, trace: (@Sendable (SQLTraceEvent) -> Void)? = nil) {
    self.busyTimeout = busyTimeout
    self.trace = trace
  }
}

/// A statement that a store ran.
public struct SQLTraceEvent: Sendable {
  /// The statement. It has no values in it.
  public let sql: String
  /// The statement with its bound values: for debugging, not for a log that others read.
  public let expandedSQL: String
  /// Time that the statement took, in seconds.
  public let duration: Double
}
