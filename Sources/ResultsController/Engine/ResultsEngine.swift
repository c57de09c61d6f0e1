import ChangeLog
@preconcurrency import Dispatch
import GRDB
import Synchronization

/// Keeps a list up to date: wakes after writes, changes the index, and notifies its listeners.
///
/// Everything except `queue` and the constants is only used on `queue`, which makes the class safe to share across
/// threads. The engine knows neither its controller nor its listeners' threads; releasing the controller stops it.
final class ResultsEngine: @unchecked Sendable {
  let queue = DispatchQueue(label: "ResultsController", qos: .userInitiated)
  private let database: any DatabaseReader
  private let reader: ListReader
  private let titles: @Sendable (SectionValue) -> String
  /// Counts the snapshots made, on any thread.
  private let generations = Atomic(0)
  /// Whether there are listeners, readable from any thread.
  let hasListeners = Atomic(false)

  private var list: KnownList
  /// A request that could not be fetched because another connection holds a lock; it is retried until it succeeds.
  private var waitingRequest: ResultsRequest?
  private let listeners = EngineListeners()
  private var reportedError: ResultsError?
  private var isStopped = false
  private let installsTriggers: Bool
  /// Whether the database refused the triggers, for example because the file is read-only.
  private var refusesTriggers = false
  private var ownCommits: CommitObserver?
  private var otherWrites: ExternalChanges?
  /// The delay before the next recheck in milliseconds, and the number of the recheck that was scheduled most recently.
  private var recheck = 0
  private var recheckGeneration = 0
  /// The longest delay before a recheck in milliseconds; tests shorten it.
  var longestRecheck = 4096
  /// For tests, on `queue`: whether a series of rechecks has not ended yet.
  var isRechecking: Bool { recheck > 0 }

  /// Numbers for rows whose key is not the rowid.
  var identities: RowIdentities { reader.identities }

  /// For tests: called on `queue` after each successful check of the database, with the last log line that the list
  /// reflects.
  var afterRefresh: ((Int64?) -> Void)?
  /// For tests, on `queue`: the last log line that the list reflects; nil if there is no log.
  var lastSeenLine: Int64? { list.position?.rows.line }

  init(
    _ database: any DatabaseReader, request: ResultsRequest, tracking: ChangeTracking, installsTriggers: Bool,
    titles: @escaping @Sendable (SectionValue) -> String, heldIDs: @escaping @Sendable () -> [Int64]
  ) {
    self.database = database
    self.installsTriggers = installsTriggers
    list = KnownList(request: request)
    reader = ListReader(tracking: tracking, heldIDs: heldIDs)
    self.titles = titles
  }

  // MARK: Opening

  /// The first rows and the section counts, on the calling thread. Uses nothing that belongs to `queue`.
  func firstPage(_ request: ResultsRequest) throws -> ResultsSnapshot {
    try database.read { db in
      try reader.firstPage(reader.plan(request, db), db, generation: nextGeneration(), titles: titles)
    }
  }

  /// Reads the list. Missing triggers are installed afterwards, because that waits for other writers.
  /// - Parameters:
  ///   - first: the first page, if the listeners have it; they then get the rest as an update.
  ///   - reply: called once, with the whole list or an error.
  func open(
    _ request: ResultsRequest, after first: ResultsSnapshot? = nil, _ cancellation: Cancellation,
    reply: (Result<ResultsSnapshot, ResultsError>) -> Void = { _ in }
  ) {
    if let first {
      list = KnownList(request: request, plan: first.plan)
      listeners.restart(from: first)
    }
    var isShown = false
    waitingRequest = nil
    do {
      refusesTriggers = false
      try database.read { db in
        let plan = try reader.plan(request, db)
        list = KnownList(request: request, plan: plan, schemaVersion: try SQLite.schemaVersion(db))
        let index = try IndexQuery.run(plan, db, cancellation)
        list.base = index
        reportedError = nil
        if first != nil {
          show(WrittenRows(), mustCompare: false)
        } else {
          listeners.restart(from: makeSnapshot())
        }
        isShown = true
        reply(.success(listeners.snapshot))
        // The first screen does not need this, so it comes last; the transaction still sees the rows that were listed.
        if let logs = try TrackedLogs(reader.tracking, request, db) {
          list.logs = logs
          list.position = try logs.position(db)
        }
        // Missing or outdated triggers are installed for listeners, and the list is then reread.
        let installs = list.position == nil && canInstall
        if !listeners.isEmpty || installs {
          list.fingerprints = try reader.fingerprints(plan, list, db, count: index.count)
        }
        if !listeners.isEmpty, installs { list.mustRefetch = true }
      }
    } catch {
      let error = ResultsError(error)
      list.mustRefetch = true
      if first != nil || isShown, error != .cancelled { report(error) }
      if !isShown { reply(.failure(error)) }
    }
    // Observing commits waits for other writers of this process.
    queue.async { [weak self] in self?.startTracking() }
  }

  // MARK: Listeners

  /// - Parameters:
  ///   - wantsInitial: Whether the listener gets the whole list first.
  ///   - onEnd: Called when tracking ends for all listeners.
  func add(_ mailbox: Mailbox, wantsInitial: Bool = false, onEnd: (@Sendable () -> Void)? = nil) {
    guard !isStopped else {
      onEnd?()
      return
    }
    listeners.add(mailbox, wantsInitial: wantsInitial, onEnd: onEnd)
    hasListeners.store(true, ordering: .relaxed)
    guard list.plan != nil else { return }
    if wantsInitial, listeners.snapshot.isComplete { mailbox.put(ResultsUpdate(initial: listeners.snapshot)) }
    if list.position == nil, canInstall { list.mustRefetch = true }
    startTracking()
  }

  func remove(_ mailbox: Mailbox) {
    listeners.remove(mailbox)
    guard listeners.isEmpty else { return }
    hasListeners.store(false, ordering: .relaxed)
    stopTracking()
  }

  /// Ends tracking; nothing is delivered to mailboxes afterwards.
  func stop() {
    queue.async { [self] in
      isStopped = true
      listeners.removeAll()
      stopTracking()
    }
  }

  private var canInstall: Bool {
    installsTriggers && database is any DatabaseWriter && !database.configuration.readonly && !refusesTriggers
  }

  /// Creates the log and triggers, unless the database is read-only.
  private func installTracking(_ request: ResultsRequest) throws {
    guard canInstall, let writer = database as? any DatabaseWriter else { return }
    do {
      try writer.write { db in try TrackedLogs.install(reader.tracking, request, db) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
      refusesTriggers = true
    }
  }

  /// Starts watching for commits. If there is no log and none can be installed, the listeners get an error instead.
  private func startTracking() {
    guard list.plan != nil, !listeners.isEmpty else { return }
    guard list.position != nil || canInstall else { return report(.notTracked(table: list.request.table)) }
    if ownCommits == nil, let writer = database as? any DatabaseWriter {
      let observer = CommitObserver { [weak self] in self?.wake() }
      writer.add(transactionObserver: observer, extent: .observerLifetime)
      ownCommits = observer
    }
    if otherWrites == nil {
      otherWrites = ExternalChanges(path: database.path, queue: queue) { [weak self] in
        self?.recheckAfterExternalChange()
      }
    }
    // Catches commits between the reading of the list and the start of the watch.
    wake()
  }

  private func stopTracking() {
    ownCommits = nil
    otherWrites = nil
    recheck = 0
    recheckGeneration += 1
  }

  // MARK: Waking

  /// Schedules a check of the database.
  func wake() {
    queue.async { [weak self] in
      guard let self, !listeners.isEmpty else { return }
      change(to: waitingRequest ?? list.request, Cancellation())
    }
  }

  private func recheckAfterExternalChange() {
    guard !listeners.isEmpty else { return }
    recheck = 1
    change(to: waitingRequest ?? list.request, Cancellation())
    scheduleRecheck()
  }

  /// Checks again after 1, 2, 4, … milliseconds, for commits that become visible after the write that was noticed, and
  /// for a request that waits for a lock. It does so even after finding something new, because that may have been an
  /// earlier commit. While a lock is held, the longest delay repeats.
  private func scheduleRecheck() {
    guard recheck > 0 else { return }
    guard recheck <= longestRecheck else {
      recheck = 0
      return
    }
    recheckGeneration += 1
    let turn = recheckGeneration
    queue.asyncAfter(deadline: .now() + .milliseconds(recheck)) { [weak self] in
      guard let self, turn == recheckGeneration, !listeners.isEmpty else { return }
      recheck *= 2
      change(to: waitingRequest ?? list.request, Cancellation())
      scheduleRecheck()
    }
  }

  // MARK: Following changes

  /// Switches to another request, and includes what was committed since the last reading. Without listeners, or before
  /// the first fetch, it reads nothing.
  func setRequest(_ request: ResultsRequest, _ cancellation: Cancellation) {
    if listeners.isEmpty || list.plan == nil {
      waitingRequest = nil
      list.request = request
      list.base = nil
      list.mustRefetch = true
    } else {
      change(to: request, cancellation)
    }
  }

  /// Updates the list to the committed state, for this request or another.
  private func change(to request: ResultsRequest, _ cancellation: Cancellation) {
    guard !cancellation.isCancelled else { return }
    waitingRequest = nil
    do {
      var reading = try database.read { db in
        try reader.read(request, &list, db, cancellation, mayInstall: canInstall)
      }
      if case .untracked = reading {
        try installTracking(request)
        if refusesTriggers, list.base != nil, request == list.request {
          // Keep the list as it was read; without a log there is no notification of changes.
          list.mustRefetch = false
          stopTracking()
          return report(.notTracked(table: request.table))
        }
        reading = try database.read { db in try reader.read(request, &list, db, cancellation, mayInstall: false) }
      }
      try apply(reading, request)
      if list.position != nil { reportedError = nil }
      afterRefresh?(lastSeenLine)
    } catch {
      let error = ResultsError(error)
      if error == .cancelled { return }
      guard error.isBusy else { return report(error) }
      // Another connection has held the lock for a whole series of rechecks.
      if recheck > longestRecheck { report(error) }
      waitingRequest = request
      recheck = min(max(recheck, 1), longestRecheck)
      scheduleRecheck()
    }
  }

  /// Applies the result of a reading. Throws `sectionOrderDisagrees`, with the state unchanged.
  private func apply(_ reading: ListReader.Reading, _ request: ResultsRequest) throws {
    switch reading {
    case .nothing, .untracked: return
    case .written(let rows, let position):
      guard let base = list.base, let plan = list.plan else { return }
      let newBase = try rows.applied(to: base)
      let hasSameIDs = request.ids == list.request.ids
      var view: OrderedIndex?
      if let ids = request.ids, hasSameIDs, let index = listeners.snapshot.index {
        view = try rows.applied(to: index, limitedTo: ids)
      }
      list.request = request
      list.plan = plan.with(request)
      list.base = newBase
      list.position = position
      if list.fingerprints != nil {
        for id in rows.touched.keys { list.fingerprints?[id] = rows.found[id]?.digest }
        if newBase.count > 2 * ListReader.fingerprintLimit { list.fingerprints = nil }
      }
      if listeners.wantsWrites { listeners.notify(ResultsWrites(rows, from: base, to: newBase)) }
      show(rows, mustCompare: !hasSameIDs, keepsRows: rows.touched.isEmpty, view: view)
    case .whole(let plan, let index, let position, let rows, let fingerprints):
      if listeners.wantsWrites {
        let isUnlogged = rows.isUnlogged && (list.fingerprints == nil || fingerprints == nil)
        listeners.notify(ResultsWrites(rows, comparing: list.base, with: index, mayLackUpdates: isUnlogged))
      }
      list = KnownList(
        request: request, logs: list.logs, plan: plan, base: index, fingerprints: fingerprints, position: position,
        schemaVersion: list.schemaVersion, mustRefetch: position == nil)
      // Without a log each wake would reread the whole list.
      if position == nil {
        stopTracking()
        report(.notTracked(table: request.table))
      }
      show(rows, mustCompare: true)
    }
  }

  // MARK: Notifying

  private func nextGeneration() -> Int { generations.add(1, ordering: .relaxed).newValue }

  private func makeSnapshot(view: OrderedIndex? = nil) -> ResultsSnapshot {
    guard let base = list.base else { return listeners.snapshot }
    let index = view ?? list.request.ids.map { base.filtered($0) } ?? base
    return ResultsSnapshot(generation: nextGeneration(), plan: list.plan, index: index, titles: titles)
  }

  private func show(_ rows: WrittenRows, mustCompare: Bool, keepsRows: Bool = false, view: OrderedIndex? = nil) {
    listeners.show(makeSnapshot(view: view), rows, mustCompare: mustCompare, keepsRows: keepsRows)
  }

  private func report(_ error: ResultsError) {
    guard error != reportedError else { return }
    reportedError = error
    listeners.report(error)
  }
}
