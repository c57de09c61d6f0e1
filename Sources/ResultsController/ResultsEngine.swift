@preconcurrency import Dispatch
import GRDB

/// Keeps a list up to date: reads the log, changes the index, and makes the change set for each listener.
///
/// Everything but `queue` and the constants is touched on `queue` only, which is why the class may cross threads.
/// The engine knows neither its controller nor its listeners' threads; releasing the controller releases it.
final class ResultsEngine: @unchecked Sendable {
  /// Lists of at most this many rows keep a fingerprint of each row's content, so that even after a lost log only rows that
  /// changed are updates. In longer lists, rows that the consumer holds count as updates then.
  static let fingerprintLimit = 4096

  private struct Listener {
    let mailbox: Mailbox
    var base: ResultsSnapshot
    var baseRequest: ResultsRequest?
    var touched: [Int64: Touch] = [:]
    var mustCompare = false
    var onEnd: (@Sendable () -> Void)?

    /// The listener knows this list; what follows is what it does not know.
    mutating func rebase(
      _ base: ResultsSnapshot, _ request: ResultsRequest?, touched: [Int64: Touch], mustCompare: Bool
    ) {
      self.base = base
      baseRequest = request
      self.touched = touched
      self.mustCompare = mustCompare
    }
  }

  let queue = DispatchQueue(label: "ResultsController", qos: .userInitiated)
  private let database: any DatabaseReader
  private let log: ChangeLog
  private let titles: @Sendable (SectionValue) -> String
  private let heldIDs: @Sendable () -> [Int64]

  private var listeners: [Listener] = []
  private var request: ResultsRequest
  private var plan: FetchPlan?
  /// The list without the request's ids; nil until it is read.
  private var base: OrderedIndex?
  private var snapshot = ResultsSnapshot.unfetched
  private var fingerprints: [Int64: UInt64]?
  /// The last line of the log that the list contains; nil when there was no log.
  private var cursor: Int64?
  private var schemaVersion: Int32?
  private var mustRefetch = false
  private var reportedError: ResultsError?
  private var ownCommits: CommitObserver?
  private var otherWrites: ExternalChanges?
  private var isStopped = false
  /// For tests: called on `queue` after each look at the database, with the last line of the log that the list contains.
  var afterRefresh: ((Int64?) -> Void)?
  /// For tests, on `queue`.
  var lastSeenLine: Int64? { cursor }
  private var recheck = 0
  private var recheckTurn = 0

  init(
    _ database: any DatabaseReader, request: ResultsRequest, tracking: ChangeTracking,
    titles: @escaping @Sendable (SectionValue) -> String, heldIDs: @escaping @Sendable () -> [Int64]
  ) {
    self.database = database
    self.request = request
    log = ChangeLog(tracking: tracking)
    self.titles = titles
    self.heldIDs = heldIDs
  }

  // MARK: Opening

  /// Reads the list. `reply` is called once: with the whole list, or when `isStaged` and there is a listener for the rest,
  /// with its first rows and section counts as soon as they are known.
  func open(
    _ request: ResultsRequest, isStaged: Bool, _ cancellation: Cancellation,
    reply: (Result<ResultsSnapshot, ResultsError>) -> Void
  ) {
    var hasReplied = false
    func answer(_ result: Result<ResultsSnapshot, ResultsError>) {
      if !hasReplied { reply(result) }
      hasReplied = true
    }
    do {
      if !listeners.isEmpty { try installTracking() }
      try database.read { db in
        let plan = try FetchPlan(request, db)
        let isLogged = try log.tracking.isInstalled(in: db)
        let cursor = isLogged ? try log.last(db) : nil
        self.schemaVersion = try SQLite.schemaVersion(db)
        self.request = request
        self.plan = plan
        self.cursor = cursor
        base = nil
        fingerprints = nil
        if isStaged, !listeners.isEmpty, request.ids == nil {
          let partial = try firstPage(plan, db)
          reset(to: partial)
          answer(.success(partial))
        }
        let index = try IndexQuery.run(plan, db, cancellation)
        base = index
        mustRefetch = false
        reportedError = nil
        if hasReplied {
          show(plan, touched: [:], mustCompare: false)
        } else {
          reset(to: makeSnapshot(plan))
          answer(.success(snapshot))
        }
        if !listeners.isEmpty { fingerprints = try readFingerprints(plan, db, count: index.count) }
      }
      startTracking()
    } catch {
      let error = ResultsError(error)
      mustRefetch = true
      startTracking()
      if hasReplied, error != .cancelled { report(error) }
      answer(.failure(error))
    }
  }

  private func firstPage(_ plan: FetchPlan, _ db: Database) throws -> ResultsSnapshot {
    var sections: [SectionInfo] = []
    let counts = request.sectionCounts
    try SQLite.forEachRow(
      db, sql: counts?.sql ?? plan.countsSQL, arguments: counts?.arguments ?? plan.filterArguments
    ) { row in
      let value = plan.sectionColumn == nil ? .null : row.sectionValue(0)
      let count = Int(row.integer(1))
      if count > 0 || plan.sectionColumn == nil {
        sections.append(SectionInfo(title: titles(value), value: value, count: count))
      }
    }
    let sql = plan.pageSQL(limit: request.pageSize, offset: 0)
    let ids = try Int64.fetchAll(db, sql: sql, arguments: plan.filterArguments)
    return ResultsSnapshot(generation: snapshot.generation + 1, plan: plan, sections: sections, firstIDs: ids)
  }

  /// Makes a list the one that all listeners know.
  private func reset(to snapshot: ResultsSnapshot) {
    self.snapshot = snapshot
    for index in listeners.indices {
      _ = listeners[index].mailbox.retract()
      listeners[index].rebase(snapshot, request, touched: [:], mustCompare: false)
    }
  }

  // MARK: Listeners

  /// `onEnd` is called when tracking is ended for all.
  func add(_ mailbox: Mailbox, onEnd: (@Sendable () -> Void)? = nil) {
    guard !isStopped else {
      onEnd?()
      return
    }
    listeners.append(Listener(mailbox: mailbox, base: snapshot, baseRequest: request, onEnd: onEnd))
    guard plan != nil else { return }
    do {
      try installTracking()
    } catch {
      report(ResultsError(error))
    }
    if cursor == nil { mustRefetch = true }
    startTracking()
  }

  func remove(_ mailbox: Mailbox) {
    listeners.removeAll { $0.mailbox === mailbox }
    if listeners.isEmpty { stopTracking() }
  }

  /// Creates the log and triggers where they are missing and the database can be written.
  private func installTracking() throws {
    let tracking = log.tracking
    if try database.read({ try tracking.isInstalled(in: $0) }) { return }
    guard let writer = database as? any DatabaseWriter, !database.configuration.readonly else { return }
    try writer.write { db in
      guard try db.tableExists(tracking.table) else { return }
      try tracking.install(in: db)
    }
  }

  private func startTracking() {
    guard plan != nil, !listeners.isEmpty else { return }
    if ownCommits == nil, let writer = database as? any DatabaseWriter {
      let observer = CommitObserver { [weak self] in self?.wake() }
      writer.add(transactionObserver: observer, extent: .observerLifetime)
      ownCommits = observer
    }
    if otherWrites == nil {
      otherWrites = ExternalChanges(path: database.path, queue: queue) { [weak self] in self?.wokenFromOutside() }
    }
    // What was committed between the reading of the list and the start of the watch.
    wake()
  }

  private func stopTracking() {
    ownCommits = nil
    otherWrites = nil
    recheck = 0
  }

  /// Ends tracking; nothing is put into a mailbox afterwards.
  func stop() {
    queue.async { [self] in
      isStopped = true
      for listener in listeners { listener.onEnd?() }
      listeners = []
      stopTracking()
    }
  }

  // MARK: Waking

  /// Looks at the database soon.
  func wake() {
    queue.async { [weak self] in
      guard let self, !listeners.isEmpty else { return }
      refresh(Cancellation())
    }
  }

  private func wokenFromOutside() {
    refresh(Cancellation())
    recheck = 1
    lookAgain()
  }

  /// Looks again after 1, 2, 4, … milliseconds, for commits that become visible after the write that was seen: also when
  /// there was something new, for that may have been an earlier commit.
  private func lookAgain() {
    guard recheck > 0, recheck <= 4096, !listeners.isEmpty else { return }
    recheckTurn += 1
    let turn = recheckTurn
    queue.asyncAfter(deadline: .now() + .milliseconds(recheck)) { [weak self] in
      guard let self, turn == recheckTurn, !listeners.isEmpty else { return }
      refresh(Cancellation())
      recheck *= 2
      lookAgain()
    }
  }

  // MARK: Following changes

  private enum Reading {
    case nothing
    case tracksNothing
    case written(FirstContents, [FoundRow], last: Int64)
    case whole(FetchPlan, OrderedIndex, cursor: Int64?, FirstContents, [FoundRow], fingerprints: [Int64: UInt64]?)
  }

  /// Brings the list up to date with what is committed.
  private func refresh(_ cancellation: Cancellation) { change(to: request, cancellation) }

  /// Shows another request, and what was committed since the last reading.
  func setRequest(_ request: ResultsRequest, _ cancellation: Cancellation) {
    guard !cancellation.isCancelled else { return }
    if listeners.isEmpty || plan == nil {
      self.request = request
      base = nil
      mustRefetch = true
    } else {
      change(to: request, cancellation)
    }
  }

  private func change(to newRequest: ResultsRequest, _ cancellation: Cancellation) {
    do {
      var reading = try database.read { try read(newRequest, $0, cancellation) }
      if case .tracksNothing = reading {
        try installTracking()
        reading = try database.read { try read(newRequest, $0, cancellation, mayInstall: false) }
      }
      try take(reading, newRequest)
      reportedError = nil
      afterRefresh?(cursor)
    } catch {
      let error = ResultsError(error)
      if error == .cancelled { return }
      if error.isBusy, recheck <= 4096 {
        recheck = max(recheck, 1)
        lookAgain()
      } else {
        report(error)
      }
    }
  }

  private func read(
    _ newRequest: ResultsRequest, _ db: Database, _ cancellation: Cancellation, mayInstall: Bool = true
  ) throws -> Reading {
    let version = try SQLite.schemaVersion(db)
    var isLogged = cursor != nil
    if version != schemaVersion || mustRefetch {
      db.clearSchemaCache()
      if version != schemaVersion { mustRefetch = try mustRefetch || !log.tracking.isInstalled(in: db) }
      isLogged = try log.tracking.isInstalled(in: db)
      _ = try FetchPlan(newRequest, db)
      if !isLogged, mayInstall, database is any DatabaseWriter, !database.configuration.readonly {
        return .tracksNothing
      }
      schemaVersion = version
    }

    let entries = isLogged ? try log.read(db, after: cursor ?? -1) : .lost(last: 0)
    if newRequest.hasSameBase(as: request), let plan, base != nil, !mustRefetch {
      switch entries {
      case .nothing where newRequest == request: return .nothing
      case .nothing: return .written([:], [], last: cursor ?? 0)
      case .written(let contents, let last):
        return .written(contents, try readWritten(plan, db), last: last)
      case .lost: break
      }
    }
    let plan = try FetchPlan(newRequest, db)
    let last = isLogged ? try log.last(db) : nil
    var contents: FirstContents = [:]
    var found: [FoundRow] = []
    if case .written(let written, _) = entries, !mustRefetch {
      contents = written
      found = try readWritten(plan, db)
    }
    let index = try IndexQuery.run(plan, db, cancellation)
    let fingerprints = try readFingerprints(plan, db, count: index.count)
    if case .lost = entries {
      addLostContents(fingerprints, &contents, &found)
    } else if mustRefetch {
      addLostContents(fingerprints, &contents, &found)
    }
    return .whole(plan, index, cursor: last, contents, found, fingerprints: fingerprints)
  }

  /// After a lost log: which rows changed by their fingerprints, or in a long list, the rows that the consumer holds.
  private func addLostContents(
    _ newFingerprints: [Int64: UInt64]?, _ contents: inout FirstContents, _ found: inout [FoundRow]
  ) {
    if let old = fingerprints, let newFingerprints {
      for (id, digest) in old where newFingerprints[id] != digest {
        contents[id] = .some(digest)
        if let new = newFingerprints[id] { found.append(FoundRow(id: id, section: .null, key: [], digest: new)) }
      }
    } else {
      for id in heldIDs() {
        contents[id] = .some(0)
        found.append(FoundRow(id: id, section: .null, key: [], digest: 1))
      }
    }
  }

  private func readWritten(_ plan: FetchPlan, _ db: Database) throws -> [FoundRow] {
    let content = try log.tracking.contentSQL(db)
    let sql = plan.writtenSQL(log: log.tracking.quotedLog, cursor: cursor ?? 0, content: content)
    let encoder = SortKeyEncoder(plan)
    let contentColumn = plan.firstKeyColumn + Int32(plan.keyParts.count)
    var found: [FoundRow] = []
    try SQLite.forEachRow(db, sql: sql, arguments: plan.filterArguments) { row in
      encoder.encode(row)
      found.append(
        FoundRow(
          id: row.integer(0), section: plan.sectionColumn.map { row.sectionValue($0) } ?? .null,
          key: Array(encoder.bytes), digest: row.digest(contentColumn)))
    }
    return found
  }

  private func readFingerprints(_ plan: FetchPlan, _ db: Database, count: Int) throws -> [Int64: UInt64]? {
    guard count <= Self.fingerprintLimit else { return nil }
    let content = try log.tracking.contentSQL(db)
    var result: [Int64: UInt64] = [:]
    try SQLite.forEachRow(db, sql: plan.contentSQL(content: content), arguments: plan.filterArguments) { row in
      result[row.integer(0)] = row.digest(1)
    }
    return result
  }

  /// Makes a reading the state. Throws `sectionOrderDisagrees`, with the state as it was.
  private func take(_ reading: Reading, _ newRequest: ResultsRequest) throws {
    switch reading {
    case .nothing, .tracksNothing: return
    case .written(let contents, let found, let last):
      guard let oldBase = base, let plan else { return }
      var newBase = oldBase
      var view = snapshot.index
      var foundByID: [Int64: FoundRow] = [:]
      for row in found { foundByID[row.id] = row }
      if !contents.isEmpty {
        let removed = contents.keys.filter { id in foundByID[id].map { !oldBase.holds($0) } ?? true }
        let inserted = found.filter { !oldBase.holds($0) }
        newBase = try oldBase.applying(removed: removed, inserted: inserted)
        if let ids = request.ids, newRequest.ids == ids {
          view = try view?.applying(removed: removed, inserted: inserted.filter { ids.contains($0.id) })
        }
      }
      let newPlan = plan.with(newRequest)
      let sameIDs = newRequest.ids == request.ids
      request = newRequest
      self.plan = newPlan
      base = newBase
      cursor = last
      if var known = fingerprints {
        for id in contents.keys { known[id] = foundByID[id]?.digest }
        fingerprints = known.count <= 2 * Self.fingerprintLimit ? known : nil
      }
      show(
        newPlan, touched: touches(contents, foundByID), mustCompare: !sameIDs,
        view: newRequest.ids == nil ? newBase : (sameIDs ? view : nil))
    case .whole(let newPlan, let index, let newCursor, let contents, let found, let newFingerprints):
      var foundByID: [Int64: FoundRow] = [:]
      for row in found { foundByID[row.id] = row }
      request = newRequest
      plan = newPlan
      base = index
      cursor = newCursor
      fingerprints = newFingerprints
      mustRefetch = false
      show(newPlan, touched: touches(contents, foundByID), mustCompare: true)
    }
  }

  private func touches(_ contents: FirstContents, _ found: [Int64: FoundRow]) -> [Int64: Touch] {
    var result: [Int64: Touch] = [:]
    result.reserveCapacity(contents.count)
    for (id, first) in contents { result[id] = Touch(base: first, latest: found[id]?.digest) }
    return result
  }

  // MARK: Telling

  private func makeSnapshot(_ plan: FetchPlan, view: OrderedIndex? = nil) -> ResultsSnapshot {
    guard let base else { return snapshot }
    let index = view ?? request.ids.map { base.filtered($0) } ?? base
    return ResultsSnapshot(generation: snapshot.generation + 1, plan: plan, index: index, titles: titles)
  }

  /// Makes the new list known to every listener, together with what it has not taken yet.
  private func show(_ plan: FetchPlan, touched: [Int64: Touch], mustCompare: Bool, view: OrderedIndex? = nil) {
    let previous = snapshot
    let previousRequest = previous.plan?.request
    snapshot = makeSnapshot(plan, view: view)
    for place in listeners.indices {
      let waiting = listeners[place].mailbox.retract()
      if waiting == nil {
        listeners[place].rebase(previous, previousRequest, touched: touched, mustCompare: mustCompare)
      } else {
        for (id, touch) in touched {
          if listeners[place].touched[id] == nil {
            listeners[place].touched[id] = touch
          } else {
            listeners[place].touched[id]?.latest = touch.latest
          }
        }
        if mustCompare { listeners[place].mustCompare = true }
      }
      let listener = listeners[place]
      let completes = !listener.base.isComplete
      let changes: ChangeSet
      if completes {
        changes = .empty
      } else if listener.mustCompare {
        let hasSameOrder = listener.baseRequest.map { $0.hasSameOrder(as: request) } ?? false
        changes = ChangeSet(
          comparing: listener.base, with: snapshot, hasSameOrder: hasSameOrder, touched: listener.touched)
      } else {
        changes = ChangeSet(from: listener.base, to: snapshot, touched: listener.touched)
      }
      if completes || !changes.isEmpty {
        listener.mailbox.put(
          ResultsUpdate(before: listener.base, after: snapshot, changes: changes, completesOpening: completes))
      }
    }
  }

  private func report(_ error: ResultsError) {
    guard error != reportedError else { return }
    reportedError = error
    for listener in listeners { listener.mailbox.put(error) }
  }
}

/// Wakes after each commit of the database's own writing connection.
private final class CommitObserver: TransactionObserver, Sendable {
  private let onCommit: @Sendable () -> Void

  init(onCommit: @escaping @Sendable () -> Void) { self.onCommit = onCommit }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) { onCommit() }
  func databaseDidRollback(_ db: Database) {}
}
