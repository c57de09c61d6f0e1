import Foundation

/// How the stores of a stack behave.
public struct StackOptions: Sendable {
  /// How long a save waits for another program that writes, in seconds.
  public var busyTimeout: TimeInterval
  /// Called with every statement of the SQLite stores, on whatever thread ran it.
  public var trace: (@Sendable (SQLTraceEvent) -> Void)?

  /// Options; by default without a trace, and with a busy timeout of ten seconds.
  public init(busyTimeout: TimeInterval = 10, trace: (@Sendable (SQLTraceEvent) -> Void)? = nil) {
    self.busyTimeout = busyTimeout
    self.trace = trace
  }
}
