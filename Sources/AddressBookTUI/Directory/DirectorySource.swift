import LDAPDirectory
import Synchronization

/// A directory that the screen searches. Its functions wait for a server, so they are called on other threads.
protocol DirectorySource: Sendable {
  /// The host, for titles and messages.
  var host: String { get }

  /// Searches for contacts; see `DirectoryConnection`.
  func search(
    _ text: String, limit: Int, isCancelled: @Sendable () -> Bool, onContacts: @Sendable ([DirectoryContact]) -> Void
  ) throws(DirectoryError) -> DirectoryConnection.Answer

  /// Reads an entry with its photo; nil if the entry no longer exists.
  func contact(_ id: String, isCancelled: @Sendable () -> Bool) throws(DirectoryError) -> DirectoryContact?
}

/// A directory on a server, with one connection for all threads.
final class DirectoryServerSource: DirectorySource {
  let host: String
  private let state: Mutex<State>

  private struct State {
    var access: DirectoryAccess
    /// The program that prints the password, run when it is first needed; nil if there is none.
    var program: PasswordProgram?
    var connection: DirectoryConnection?

    /// Returns the connection, which may not be open yet.
    mutating func connected() throws(DirectoryError) -> DirectoryConnection {
      if let connection { return connection }
      if access.user != nil, access.password == nil {
        guard let program else { throw DirectoryError(.noPassword) }
        do {
          access.password = try program.run(usesTerminal: false)
        } catch {
          throw DirectoryError(.noPassword, detail: program.words[0])
        }
      }
      let new = DirectoryConnection(access)
      connection = new
      return new
    }

    /// Calls `body` with the connection. Drops a wrong password that the program printed, so that the program runs
    /// again for the next request.
    mutating func request<Answer>(
      _ body: (DirectoryConnection) throws(DirectoryError) -> Answer
    ) throws(DirectoryError) -> Answer {
      do throws(DirectoryError) {
        return try body(connected())
      } catch {
        if error.reason == .wrongPassword, program != nil {
          access.password = nil
          connection = nil
        }
        throw error
      }
    }
  }

  /// - Parameter program: prints the user's password if `access` does not contain it; nil for none.
  init(_ access: DirectoryAccess, password program: PasswordProgram? = nil) {
    host = access.url.host
    state = Mutex(State(access: access, program: program))
  }

  func search(
    _ text: String, limit: Int, isCancelled: @Sendable () -> Bool, onContacts: @Sendable ([DirectoryContact]) -> Void
  ) throws(DirectoryError) -> DirectoryConnection.Answer {
    try state.withLock { state throws(DirectoryError) in
      // This search may have waited a long time for an earlier one.
      if isCancelled() { throw DirectoryError(.cancelled) }
      return try state.request { connection throws(DirectoryError) in
        try connection.search(text, limit: limit, isCancelled: isCancelled, onContacts: onContacts)
      }
    }
  }

  func contact(_ id: String, isCancelled: @Sendable () -> Bool) throws(DirectoryError) -> DirectoryContact? {
    try state.withLock { state throws(DirectoryError) in
      try state.request { connection throws(DirectoryError) in try connection.contact(id, isCancelled: isCancelled) }
    }
  }
}
