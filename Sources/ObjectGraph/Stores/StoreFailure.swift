/// Why a store could not be opened, read or written.
public struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Reason: Hashable, Sendable {
    /// Another writer held the lock for longer than the busy timeout.
    case busy
    /// The file is not a store of this library, or is damaged.
    case unreadable
    /// The file or the folder cannot be read or written.
    case file
    /// Any other error of the store.
    case other
  }

  /// The kind of failure.
  public let reason: Reason
  /// A message for a log. It contains no values of objects, unless an error of a migration's closure does.
  public let description: String
}
