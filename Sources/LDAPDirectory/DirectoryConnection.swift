import ContactInterchange

/// A connection to a directory, opened when it is first needed, and again after it was lost. Use it on one thread at a
/// time, and never on the main thread: its functions wait for the server.
public final class DirectoryConnection {
  /// How a search ended.
  public struct Answer: Hashable, Sendable {
    /// Whether a limit of the server or of the search ended the answer early.
    public var isCut: Bool
    /// The number of references to other servers, which were not followed.
    public var references: Int

    /// Creates an answer.
    public init(isCut: Bool, references: Int = 0) {
      self.isCut = isCut
      self.references = references
    }
  }

  private let access: DirectoryAccess
  private var handle: LDAPHandle?
  /// The DN that searches begin at, once it is known.
  private var base: String
  private let reader = DirectoryEntryReader()
  private let photos: Set<String>
  /// The interval at which a search checks whether it was stopped, in milliseconds.
  private static let pollInterval = 50
  /// How many entries are passed on at once.
  private static let batch = 50
  /// The most entries to read from an answer, even if the server sends more.
  static let largestAnswer = 100_000

  /// Prepares a connection; nothing is sent yet.
  public init(_ access: DirectoryAccess) {
    self.access = access
    base = access.url.base
    photos = Set(reader.photoAttributes)
  }

  // MARK: Searching

  /// Searches for contacts.
  /// - Parameters:
  ///   - text: what was typed; empty for all.
  ///   - limit: the largest number of entries; 0 for that of the server.
  ///   - withPhotos: true to ask for photos too, which may be large.
  ///   - isCancelled: called for each entry, and about 20 times a second while waiting for the answer; true abandons
  ///     the search.
  ///   - onContacts: called with what was found, as it comes.
  /// - Throws: ``DirectoryError``; contacts that were already passed on are valid.
  public func search(
    _ text: String, limit: Int, withPhotos: Bool = false, isCancelled: () -> Bool,
    onContacts: ([DirectoryContact]) -> Void
  ) throws(DirectoryError) -> Answer {
    var batch: [DirectoryContact] = []
    let filter = DirectoryFilter(text).text(of: access.url.filter)
    let request = Request(scope: access.url.scope, filter: filter, limit: limit, withPhotos: withPhotos)
    let answer = try run(request, isCancelled) { event in
      if case .entry(let entry) = event, let contact = DirectoryContact(entry, reader, photos: photos) {
        batch.append(contact)
      }
      // Show what has arrived while waiting for more.
      guard !batch.isEmpty, batch.count >= Self.batch || event.isPause else { return }
      onContacts(batch)
      batch = []
    }
    if !batch.isEmpty { onContacts(batch) }
    return answer
  }

  /// Reads an entry as it is now, with its photo.
  /// - Parameter id: its DN.
  /// - Returns: nil if it is no longer there, or is not a contact.
  public func contact(_ id: String, isCancelled: () -> Bool) throws(DirectoryError) -> DirectoryContact? {
    var found: DirectoryContact?
    do {
      let request = Request(base: id, scope: .base, filter: "(objectClass=*)", limit: 1, withPhotos: true)
      _ = try run(request, isCancelled) { event in
        if case .entry(let entry) = event { found = DirectoryContact(entry, reader, photos: photos) }
      }
    } catch {
      if error.reason == .missingBase { return nil }
      throw error
    }
    return found
  }

  // MARK: Requests

  private struct Request {
    /// The DN to search from; nil for the base of the directory.
    var base: String?
    var scope: DirectoryURL.Scope
    var filter: String
    var limit: Int
    var withPhotos: Bool
    /// The attributes to read; nil for those of a contact.
    var attributes: [String]?
  }

  private enum Event {
    case entry(LDAPEntry)
    case pause

    var isPause: Bool { if case .pause = self { true } else { false } }
  }

  /// Runs a request, and repeats it on a new connection if the server closed the old one before anything arrived.
  private func run(
    _ request: Request, _ isCancelled: () -> Bool, _ take: (Event) -> Void
  ) throws(DirectoryError) -> Answer {
    let isUsed = handle != nil
    var hasBegun = false
    do {
      return try attempt(request, isCancelled) { event in
        hasBegun = hasBegun || !event.isPause
        take(event)
      }
    } catch {
      if error.isLoss { handle = nil }
      guard isUsed, error.isGone, !hasBegun else { throw named(error.error, request) }
    }
    do {
      return try attempt(request, isCancelled, take)
    } catch {
      if error.isLoss { handle = nil }
      throw named(error.error, request)
    }
  }

  private func named(_ error: DirectoryError, _ request: Request) -> DirectoryError {
    switch error.reason {
    case .missingBase: DirectoryError(.missingBase, detail: request.base ?? base)
    default: error
    }
  }

  private func attempt(
    _ request: Request, _ isCancelled: () -> Bool, _ take: (Event) -> Void
  ) throws(ConnectionFailure) -> Answer {
    let handle = try connected(isCancelled)
    if base.isEmpty, request.base == nil { base = try findBase(handle, isCancelled) }
    return try ask(handle, request, isCancelled, take)
  }

  private func ask(
    _ handle: LDAPHandle, _ request: Request, _ isCancelled: () -> Bool, _ take: (Event) -> Void
  ) throws(ConnectionFailure) -> Answer {
    var attributes = request.attributes ?? access.url.attributes
    if attributes.isEmpty { attributes = reader.attributes }
    if request.attributes == nil {
      if !access.url.attributes.isEmpty { attributes += ["objectClass", "entryUUID", "objectGUID", "nsUniqueId"] }
      attributes.removeAll { !request.withPhotos && photos.contains($0.lowercased()) }
      if request.withPhotos, access.url.attributes.isEmpty { attributes += reader.photoAttributes }
    }
    let number: Int32
    do {
      number = try handle.search(
        request.base ?? base, request.scope, request.filter, attributes, limit: request.limit, seconds: access.timeout)
    } catch {
      throw ConnectionFailure(error)
    }
    var references = 0
    var count = 0
    let most = request.limit == 0 ? Self.largestAnswer : min(request.limit, Self.largestAnswer)
    let end = try wait(handle, number, isCancelled) { message in
      switch message {
      case .entry(let entry):
        count += 1
        // A server may ignore the limit.
        if count > most { return false }
        take(.entry(entry))
      case .reference:
        references += 1
        return references <= Self.largestAnswer
      case .nothing: take(.pause)
      case .end: break
      }
      return true
    }
    guard let (code, detail) = end else { return Answer(isCut: true, references: references) }
    if code != 0, !DirectoryError.isCut(code) { throw ConnectionFailure(DirectoryError(code: code, detail: detail)) }
    return Answer(isCut: code != 0, references: references)
  }

  /// Waits for the end of an answer.
  /// - Parameter take: returns false to abandon the rest.
  /// - Returns: the result; nil if it was abandoned.
  private func wait(
    _ handle: LDAPHandle, _ request: Int32, _ isCancelled: () -> Bool,
    _ take: (LDAPHandle.Message) -> Bool = { _ in true }
  ) throws(ConnectionFailure) -> (code: Int32, detail: String)? {
    var last = ContinuousClock.now
    while true {
      if isCancelled() {
        handle.abandon(request)
        throw ConnectionFailure(DirectoryError(.cancelled))
      }
      let message: LDAPHandle.Message
      do {
        message = try handle.next(request, milliseconds: Self.pollInterval)
      } catch {
        throw ConnectionFailure(error)
      }
      guard take(message) else {
        handle.abandon(request)
        return nil
      }
      switch message {
      case .end(let code, let detail): return (code, detail)
      case .nothing:
        guard ContinuousClock.now - last > .seconds(access.timeout) else { continue }
        handle.abandon(request)
        throw ConnectionFailure(DirectoryError(.timedOut))
      case .entry, .reference: last = .now
      }
    }
  }

  // MARK: Connecting

  private func connected(_ isCancelled: () -> Bool) throws(ConnectionFailure) -> LDAPHandle {
    if let handle { return handle }
    if access.sendsClearText, access.user != nil { throw ConnectionFailure(DirectoryError(.passwordInClear)) }
    let new: LDAPHandle
    let request: Int32
    var isProtected = !access.startsTLS
    do {
      new = try LDAPHandle(server: access.url.server, timeout: access.timeout)
      if access.startsTLS { try new.startTLS() }
      isProtected = true
      request = try new.bind(access.user ?? "", access.password ?? [])
    } catch {
      var failure = ConnectionFailure(error)
      if !isProtected, error.code > 0 {
        failure.error = DirectoryError(.notProtected, detail: error.detail)
      } else if access.url.scheme == .ldaps, error.hasReason {
        // The server was reached, but the TLS handshake failed.
        failure.error = DirectoryError(.untrusted, detail: error.detail)
      }
      throw failure
    }
    if let (code, detail) = try wait(new, request, isCancelled), code != 0 {
      throw ConnectionFailure(DirectoryError(code: code, detail: detail))
    }
    handle = new
    return new
  }

  /// Returns the base that the server names: Active Directory's default one, or else the first. One that begins with
  /// `cn=`, such as `cn=config`, is only used if there is no other.
  private func findBase(_ handle: LDAPHandle, _ isCancelled: () -> Bool) throws(ConnectionFailure) -> String {
    let names = ["defaultNamingContext", "namingContexts"]
    var found: [String] = []
    let request = Request(
      base: "", scope: .base, filter: "(objectClass=*)", limit: 0, withPhotos: false, attributes: names)
    _ = try ask(handle, request, isCancelled) { event in
      if case .entry(let root) = event { found = names.flatMap(root.texts) }
    }
    guard let base = found.first(where: { !$0.isEmpty && !$0.lowercased().hasPrefix("cn=") }) ?? found.first,
      !base.isEmpty
    else { throw ConnectionFailure(DirectoryError(.noBase)) }
    return base
  }
}

/// What went wrong, and whether the connection can still be used.
private struct ConnectionFailure: Error {
  var error: DirectoryError
  let isLoss: Bool
  let isGone: Bool

  init(_ error: DirectoryError) {
    self.error = error
    isLoss = error.reason == .timedOut
    isGone = false
  }

  init(_ failure: LDAPHandle.Failure) {
    error = failure.error
    isLoss = failure.isLoss
    isGone = failure.isGone
  }
}
