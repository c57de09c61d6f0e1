import LDAPDirectory
import Synchronization

/// What a screen of a directory searches; its functions wait for a server, on other threads.
protocol DirectorySource: Sendable {
  /// The host, for titles and messages.
  var host: String { get }

  /// Searches for people, see `DirectoryConnection`.
  func search(
    _ text: String, limit: Int, isCancelled: @Sendable () -> Bool, onContacts: @Sendable ([DirectoryContact]) -> Void
  ) throws(DirectoryError) -> DirectoryConnection.Answer

  /// Reads an entry with its photo; nil if it is no longer there.
  func contact(_ id: String, isCancelled: @Sendable () -> Bool) throws(DirectoryError) -> DirectoryContact?
}

/// A directory on a server, with one connection for all threads.
final class DirectoryServerSource: DirectorySource {
  let host: String
  private let connection: Mutex<DirectoryConnection>

  init(_ access: DirectoryAccess) {
    host = access.url.host
    connection = Mutex(DirectoryConnection(access))
  }

  func search(
    _ text: String, limit: Int, isCancelled: @Sendable () -> Bool, onContacts: @Sendable ([DirectoryContact]) -> Void
  ) throws(DirectoryError) -> DirectoryConnection.Answer {
    try connection.withLock { connection throws(DirectoryError) in
      try connection.search(text, limit: limit, isCancelled: isCancelled, onContacts: onContacts)
    }
  }

  func contact(_ id: String, isCancelled: @Sendable () -> Bool) throws(DirectoryError) -> DirectoryContact? {
    try connection.withLock { connection throws(DirectoryError) in
      try connection.contact(id, isCancelled: isCancelled)
    }
  }
}
