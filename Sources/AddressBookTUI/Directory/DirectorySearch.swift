import AddressBookModel
import Contacts
import Dispatch
import LDAPDirectory
import Synchronization
import TerminalKit

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

/// Searches a directory while the user types: after a short pause, on another thread. Only the newest search is
/// reported.
@MainActor
final class DirectorySearch {
  /// The maximum number of entries to request.
  nonisolated static let limit = 200
  /// The pause after the last key, in milliseconds, so that not every letter starts a search.
  private static let pause = 250

  /// Called with each change of the newest search.
  var onChange: @MainActor (Change) -> Void = { _ in }
  private let source: any DirectorySource
  private let names: NameStyle
  private let loop: any ProgramLoop
  private var number = 0
  private var running: CancellationFlag?

  /// The progress of a search.
  enum Change: Sendable {
    case found([DirectoryState.Entry])
    case ended(isCut: Bool)
    case failed(DirectoryError)
  }

  /// - Parameter names: how names are displayed, which decides the order of the entries.
  init(_ source: any DirectorySource, names: NameStyle, loop: any ProgramLoop) {
    self.source = source
    self.names = names
    self.loop = loop
  }

  /// Stops the search that is running or about to start.
  func stop() {
    number += 1
    running?.set()
    running = nil
  }

  /// Searches for the text after a pause; earlier searches are stopped.
  func request(_ text: String) {
    stop()
    let number = number
    loop.schedule(after: Self.pause) { [weak self] in
      guard let self, self.number == number else { return }
      begin(text, number)
    }
  }

  private func begin(_ text: String, _ number: Int) {
    let flag = CancellationFlag()
    running = flag
    let (source, names, loop) = (source, names, loop)
    let report = { @Sendable [weak self] (change: Change) in
      loop.post {
        guard let self, self.number == number else { return }
        self.onChange(change)
      }
    }
    DispatchQueue.global(qos: .userInitiated).async {
      do throws(DirectoryError) {
        let answer = try source.search(text, limit: Self.limit, isCancelled: { flag.isSet }) { found in
          report(.found(found.map { DirectoryState.Entry($0, names: names) }))
        }
        report(.ended(isCut: answer.isCut))
      } catch {
        report(.failed(error))
      }
    }
  }
}

/// The photos of the selected entries, read one at a time on another thread.
@MainActor
final class DirectoryPhotos {
  private let source: any DirectorySource
  private var known: [String: Photo?] = [:]
  private var work: LatestWork<String, Photo?>?
  /// The maximum number of photos to keep.
  private static let limit = 32

  init(_ source: any DirectorySource, loop: any ProgramLoop) {
    self.source = source
    work = LatestWork(loop: loop, work: { Self.read($0, source) }, deliver: { [weak self] in self?.receive($1, $0) })
  }

  /// Returns the photo of an entry; nil if it has none, if it cannot be read, or until it has been read. Never blocks.
  func photo(of id: String) -> Photo? {
    if let photo = known[id] { return photo }
    work?.request(id)
    return nil
  }

  /// True when nothing is being read.
  var isIdle: Bool { work?.isIdle ?? true }

  private func receive(_ photo: Photo?, _ id: String) {
    if known.count >= Self.limit { known = [:] }
    known[id] = .some(photo)
  }

  /// Returns nil on an error: the entry is then shown without a photo.
  private nonisolated static func read(_ id: String, _ source: any DirectorySource) -> Photo? {
    do {
      return try source.contact(id, isCancelled: { false })?.picture.flatMap { Photo(showing: $0) }
    } catch {
      return nil
    }
  }
}
