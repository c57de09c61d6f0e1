// A list needs no other import than GRDB.
@_exported import ChangeLog
@preconcurrency import Dispatch
import GRDB
@_exported import IDSets
import Synchronization

/// How much of a list is read before `performFetch` returns.
public enum FetchMode: Sendable {
  /// The whole list.
  case complete
  /// The first rows and the section counts, for a staged opening: the rest is read after `fetchRest()` or
  /// `setRequest`, and follows in an update with `completesOpening`. Needs a listener, and a request without `ids`;
  /// otherwise it acts like `complete`.
  case firstRows
}

/// A sectioned list of a table's rows that reports its changes and stays up to date, no matter which connection or
/// process writes to the table.
///
/// ```swift
/// // Once, in a migration:
/// try ChangeTracking(table: "player").install(in: db)
///
/// let list = try pool.list(
///   Player.self,
///   ResultsRequest(
///     table: "player", sectionKey: .column("team"), sortKeys: [RowSortKey("team"), RowSortKey("name")]))
/// let first = try list.object(at: RowPath(section: 0, row: 0))
/// for try await update in list.updates { table.apply(update.changes.batch()) }
/// ```
/// Queries and comparisons run on the controller's own queue. Exceptions are `performFetch`, `object`, and changes that
/// are only computed on first access (``ResultsUpdate/changes``). `deliver` brings each update to the consumer's
/// thread, where `snapshot` becomes the new list and the callbacks are called. If the consumer is slow, waiting updates
/// are combined. A write made by a callback arrives as a later update. Without a listener (`updates`, `listen` or
/// `delegate`) nothing is tracked and the list stays as fetched. Releasing the controller ends tracking.
public final class FetchedRecordsController<Record: FetchableRecord & Sendable>: Sendable {
  private struct State {
    var request: ResultsRequest
    var cancellation = Cancellation()
    /// A first page whose remainder is not being read yet.
    var unfinished: (request: ResultsRequest, snapshot: ResultsSnapshot)?
  }

  private let state: Mutex<State>
  let engine: ResultsEngine
  private let list: ShownList<Record>
  private let delivery: ResultsDelivery
  private let listeners: ControllerListeners
  private let isOnEngine = DispatchSpecificKey<Bool>()

  /// Creates a controller; nothing is read before `performFetch()`.
  ///
  /// - Parameters:
  ///   - database: A GRDB pool, queue, or other reader.
  ///   - request: The list to fetch.
  ///   - record: The type that rows are decoded into.
  ///   - tracking: How writes are seen; pass the value that the migration installed. Nil tracks all columns of the
  ///     table.
  ///   - installsTriggers: Whether to install triggers that are missing or record too little, once there is a listener.
  ///     Otherwise changes to a list without triggers are not tracked, and a listener gets `notTracked`.
  ///   - titles: Makes the title of a section from its value. Called on the controller's queue, or for the first page
  ///     of a staged opening on the thread that calls `performFetch()`.
  ///   - deliver: How updates reach the consumer.
  public init(
    _ database: any DatabaseReader,
    request: ResultsRequest,
    record: Record.Type = Record.self,
    tracking: ChangeTracking? = nil,
    installsTriggers: Bool = false,
    titles: @escaping @Sendable (SectionValue) -> String = { $0.plainTitle },
    deliver: ResultsDelivery = .mainActor
  ) {
    let list = ShownList<Record>(database)
    self.list = list
    delivery = deliver
    state = Mutex(State(request: request))
    engine = ResultsEngine(
      database, request: request, tracking: tracking ?? ChangeTracking(table: request.table),
      installsTriggers: installsTriggers, titles: titles, heldIDs: { list.heldIDs })
    listeners = ControllerListeners(
      engine, deliver, show: { list.show($0) }, dropRows: { list.removeCachedRows($0) })
    engine.queue.setSpecific(key: isOnEngine, value: true)
  }

  deinit { engine.stop() }

  /// Ends tracking for good, and waits for a check of the database that has begun.
  package func close() {
    engine.stop()
    engine.queue.sync {}
  }

  // MARK: The list

  /// The request. After `setRequest`, `snapshot` becomes its list when the update is delivered.
  public var request: ResultsRequest { state.withLock { $0.request } }

  /// The list as last fetched or delivered.
  public var snapshot: ResultsSnapshot { list.snapshot }

  /// The sections of the list.
  public var sections: [SectionInfo] { snapshot.sections }

  /// The titles of the sections, for an index bar; empty titles are left out.
  public var sectionIndexTitles: [String] { snapshot.sectionIndexTitles }

  /// The section for a title of an index bar; see `ResultsSnapshot.section(forIndexTitle:in:)`.
  public func section(forIndexTitle title: String, in bar: [String]? = nil) -> Int? {
    snapshot.section(forIndexTitle: title, in: bar)
  }

  /// The path of an id; nil if it is not in the list, for example because the filter hides it, or if a staged opening
  /// has not read it yet.
  public func indexPath(forID id: Int64) -> RowPath? { snapshot.indexPath(of: id) }

  /// Reads the list. May be called again, even after an error.
  ///
  /// Throws an error of the request, of the order of sections, or of the database, and `cancelled` if a newer request
  /// replaced this one. Do not call it while the calling thread holds the database.
  public func performFetch(_ mode: FetchMode = .complete) throws(ResultsError) {
    let (request, cancellation) = state.withLock { state in
      state.cancellation.cancel()
      state.cancellation = Cancellation()
      return (state.request, state.cancellation)
    }
    try request.validate()
    let isTracking = listeners.isListening || engine.hasListeners.load(ordering: .relaxed)
    guard mode == .complete || request.ids != nil || request.source != nil || !isTracking else {
      return try fetchFirstRows(request)
    }
    listeners.begin()
    var outcome: Result<ResultsSnapshot, ResultsError> = .failure(.notFetched)
    func open() { engine.open(request, cancellation) { outcome = $0 } }
    if DispatchQueue.getSpecific(key: isOnEngine) == true {
      open()
    } else {
      // Run it on this thread, which would otherwise only wait.
      engine.queue.sync(execute: open)
    }
    let snapshot = try outcome.get()
    state.withLock { state in
      state.unfinished = nil
      list.show(fetched: snapshot)
    }
  }

  /// Reads the rest of a list after `performFetch(.firstRows)`. It arrives as an update with
  /// `completesOpening`. Does nothing if there is nothing left to read.
  public func fetchRest() {
    listeners.begin()
    let (unfinished, cancellation) = state.withLock { state in
      defer { state.unfinished = nil }
      return (state.unfinished, state.cancellation)
    }
    guard let unfinished else { return }
    engine.queue.async { [engine] in
      engine.open(unfinished.request, after: unfinished.snapshot, cancellation)
    }
  }

  private func fetchFirstRows(_ request: ResultsRequest) throws(ResultsError) {
    do {
      let snapshot = try engine.firstPage(request)
      state.withLock { state in
        state.unfinished = (request, snapshot)
        list.show(firstRows: snapshot)
      }
    } catch {
      throw ResultsError(error)
    }
  }

  /// Changes the request. The change arrives as an update; a request that is still being fetched is canceled, except an
  /// opening that the new request still needs because only the `ids` differ. Without a listener nothing is fetched:
  /// call `performFetch()`.
  ///
  /// Throws `otherTable`, and errors that can be found without the database, at once; other errors are reported to the
  /// listener, and the list stays.
  /// - Parameters:
  ///   - request: the new request.
  ///   - completion: called on the consumer's thread when the request has been dealt with: after its update was
  ///     delivered, or without one if there is no listener, the list is the same, a newer request replaced this one, it
  ///     failed, or it has to wait for another connection's lock.
  public func setRequest(
    _ request: ResultsRequest, completion: (@Sendable () -> Void)? = nil
  ) throws(ResultsError) {
    try request.validate()
    guard request.table.lowercased() == self.request.table.lowercased() else { throw .otherTable(request.table) }
    listeners.begin()
    if openUnfinished(with: request, completion) { return }
    fetchRest()
    let cancellation = state.withLock { state in
      // An opening with the same filter and order is still useful for the new request, so it may finish.
      if !request.hasSameBase(as: state.request) || list.snapshot.isComplete { state.cancellation.cancel() }
      state.cancellation = Cancellation()
      state.request = request
      return state.cancellation
    }
    engine.queue.async { [engine, delivery] in
      engine.setRequest(request, cancellation)
      // The update, if any, is in the mailbox, and its delivery was scheduled before.
      if let completion { delivery.run(completion) }
    }
  }

  /// After a first page, reads the whole list of another filter or order instead of the rest of the first list.
  /// - Returns: false if there is no first page, or if it has the same filter and order.
  private func openUnfinished(with request: ResultsRequest, _ completion: (@Sendable () -> Void)?) -> Bool {
    let opening = state.withLock { state -> (first: ResultsSnapshot, cancellation: Cancellation)? in
      guard let unfinished = state.unfinished, !request.hasSameBase(as: unfinished.request) else { return nil }
      state.unfinished = nil
      state.request = request
      state.cancellation.cancel()
      state.cancellation = Cancellation()
      return (unfinished.snapshot, state.cancellation)
    }
    guard let opening else { return false }
    engine.queue.async { [engine, delivery] in
      engine.open(request, after: opening.first, opening.cancellation)
      if let completion { delivery.run(completion) }
    }
    return true
  }

  // MARK: Keys

  /// The id of a primary key in this controller's lists and change sets, whether or not there is such a row: the key
  /// itself in a table whose key is SQLite's rowid, otherwise a number that the controller assigns and that means
  /// nothing elsewhere. Before the first fetch every integer is taken for a rowid.
  public func id(of key: RowKey) -> Int64 {
    if snapshot.plan?.key.isRowID ?? true, let rowID = key.integer { return rowID }
    return engine.identities.number(of: key)
  }

  /// The primary key of an id. If the key is not SQLite's rowid, nil for a number that this controller did not assign.
  /// Before the first fetch every number is taken for a rowid.
  public func primaryKey(ofID id: Int64) -> RowKey? {
    guard let plan = snapshot.plan, !plan.key.isRowID else { return RowKey(id) }
    return engine.identities.key(of: id)
  }

  // MARK: Rows

  /// The row at a path. Reads a page around it unless it is in memory.
  ///
  /// Throws `outOfRange` for a path that does not exist, `rowGone` if the row was deleted since, or the database's
  /// error.
  public func object(at path: RowPath) throws(ResultsError) -> Record { try object(at: path, in: snapshot) }

  /// The row at a path in one of this controller's lists, such as those of an update. Throws the same as `object(at:)`.
  public func object(at path: RowPath, in snapshot: ResultsSnapshot) throws(ResultsError) -> Record {
    guard let row = snapshot.flatRow(of: path) else { throw .outOfRange }
    return try list.object(atFlatRow: row, snapshot)
  }

  /// The row at a flat index, counted across all sections. Throws the same as `object(at:)`, and `notFetched` before
  /// the first fetch.
  public func object(atFlatRow row: Int) throws(ResultsError) -> Record { try list.object(atFlatRow: row, snapshot) }

  // MARK: Listening

  /// Begins tracking, and calls a function on the consumer's thread with each change, and with errors. It replaces the
  /// function of an earlier call.
  ///
  /// - Parameters:
  ///   - includesWrites: Whether it is also told of written rows that the list does not show
  ///     (``ResultsEvent/written(_:)``).
  ///   - body: The function. It is called while ``snapshot`` is the list after the change.
  public func listen(includesWrites: Bool = false, _ body: @escaping @Sendable (ResultsEvent) -> Void) {
    listeners.listen(includesWrites: includesWrites, body)
  }

  /// Receives each change step by step; not retained. Setting it begins tracking.
  public var delegate: (any ResultsDelegate)? {
    get { listeners.delegate }
    set { listeners.delegate = newValue }
  }

  /// The updates as a sequence. The first update that an iterator gets has the whole list, as soon as it is fetched
  /// (``ResultsUpdate/isInitial``). Each iterator is a separate listener and gets one combined update if it falls
  /// behind. `snapshot` becomes the new list when `deliver` runs, whether or not an iterator has taken the update: use
  /// the update's paths with the update's own lists and `object(at:in:)`. An iterator throws what stopped a fetch. The
  /// sequence ends when the controller is released; it does not keep the controller alive.
  public var updates: ResultsUpdates { ResultsUpdates(listeners: listeners) }

  /// Removes the callback and the delegate, and ends tracking; the list stays as it is. If there is an iterator of
  /// `updates`, tracking goes on.
  public func stopTracking() { listeners.removeAll() }

  /// For tests of other modules: checks the database, and waits until that is done.
  package func waitForUpdates() {
    engine.wake()
    engine.queue.sync {}
  }
}

extension DatabaseReader {
  /// Returns a list of rows of a table, which is read now, and followed once there is a loop over its `updates`.
  /// - Parameters:
  ///   - record: the type that rows are decoded into.
  ///   - request: the list.
  ///   - installsTriggers: whether to install triggers that are missing or record too little, once there is a listener.
  ///   - titles: makes the title of a section from its value. Called on the controller's queue.
  ///   - deliver: on which thread the list changes.
  /// - Throws: as ``FetchedRecordsController/performFetch(_:)``.
  public func list<Record: FetchableRecord & Sendable>(
    _ record: Record.Type, _ request: ResultsRequest, installsTriggers: Bool = false,
    titles: @escaping @Sendable (SectionValue) -> String = { $0.plainTitle }, deliver: ResultsDelivery = .mainActor
  ) throws(ResultsError) -> FetchedRecordsController<Record> {
    let list = FetchedRecordsController(
      self, request: request, record: record, installsTriggers: installsTriggers, titles: titles, deliver: deliver)
    try list.performFetch()
    return list
  }
}
