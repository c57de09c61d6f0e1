/// Why a store could not be opened, read or written.
public struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened, by kind.
  public enum Reason: Hashable, Sendable {
    /// Another program wrote for longer than the time that writers wait.
    case busy
    /// The file is not a store of this library, or is damaged.
    case unreadable
    /// The file or the folder cannot be read or written.
    case file
    /// Anything else that the store said.
    case other
  }

  /// What happened, by kind.
  public let reason: Reason
  /// What the system said, for a log. It holds no values of objects.
  public let description: String
}
