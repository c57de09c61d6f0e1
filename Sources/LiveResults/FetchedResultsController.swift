// A list needs no other import.
@_exported import ObjectGraph
@_exported import ResultsController
import Synchronization

import protocol Foundation.LocalizedError
import protocol GRDB.FetchableRecord
import class GRDB.Row

/// The objects of a fetch request, in sections, kept up to date no matter who saves: a context of this stack or
/// another, or any process that writes the file. What ``LiveList`` is made of; the counterpart of Core Data's
/// `NSFetchedResultsController` for models without classes, several threads, callbacks and delegates.
///
/// ```swift
/// let controller = try FetchedResultsController(
///   stack, request: ObjectFetchRequest("Student", sort: [SortKey("myclass.name"), SortKey("name")]),
///   sectionKeyPath: "myclass.name")
/// let updates = controller.updates
/// try controller.performFetch()
/// let student = try controller.object(at: RowPath(section: 0, row: 0), in: context)
/// for try await update in updates { list.apply(update.changes.batch()) }
/// ```
/// The predicate, the sort keys and the section key path may refer to other objects: when a class is renamed, its
/// students move. The list shows what is saved, without any context's unsaved changes. In ``snapshot`` and in change
/// sets, an object is identified by the number of its id (`ObjectID.number`).
///
/// The entity must be kept in a SQLite store that the stack opened. A controller adds triggers and a log of writes
/// (`ChangeTracking`) to the tables that its list depends on, unless they have them. A controller may be used from any
/// thread; objects belong to the thread of their context.
public final class FetchedResultsController: Sendable {
  private struct State {
    var request: ObjectFetchRequest
    var sectionKeyPath: String?
    /// The known ids, if several entities share the table.
    var ids: [Int64: ObjectID] = [:]
  }

  /// The stack that keeps the objects.
  public let stack: ObjectStack
  private let entity: Entity
  /// The only entity of the family that is not abstract; nil if there are several.
  private let onlyEntity: Entity?
  private let results: FetchedRecordsController<ObjectRow>
  private let state: Mutex<State>

  /// Creates a controller; nothing is read before ``performFetch()``.
  ///
  /// - Parameters:
  ///   - stack: The stack that keeps the objects.
  ///   - request: Which objects, in which order. Limit, offset, deleted objects and results other than objects are
  ///     refused; faults and pending changes are ignored. ``object(at:in:)`` reads its `prefetch` paths with each page.
  ///   - sectionKeyPath: A key path through to-ones to an attribute of an ordered type, which divides the list. It must
  ///     agree with the order of the objects, or ``performFetch()`` throws. Nil makes one section.
  ///   - titles: Makes the title of a section from its stored value: a Boolean is 0 or 1, a date is seconds since
  ///     2001-01-01 UTC. Called on the controller's queue.
  ///   - deliver: How updates reach the consumer.
  /// - Throws: `objects`, `notFollowed`.
  public init(
    _ stack: ObjectStack, request: ObjectFetchRequest, sectionKeyPath: String? = nil,
    titles: @escaping @Sendable (SectionValue) -> String = { $0.plainTitle }, deliver: ResultsDelivery = .mainActor
  ) throws(LiveResultsError) {
    let followed = try Self.followed(request, sectionKeyPath, stack)
    guard let database = stack.database(of: followed.entity) else { throw .notFollowed(entity: request.entity) }
    self.stack = stack
    entity = followed.entity
    let family = entity.root.concreteFamily(includingChildren: true)
    onlyEntity = family.count == 1 ? family.first : nil
    results = FetchedRecordsController(
      database, request: ResultsRequest(followed), installsTriggers: true, titles: titles, deliver: deliver)
    state = Mutex(State(request: request, sectionKeyPath: sectionKeyPath))
    stack.setFollower(ObjectIdentifier(self)) { [results] in results.close() }
  }

  deinit { stack.setFollower(ObjectIdentifier(self), stop: nil) }

  private static func followed(
    _ request: ObjectFetchRequest, _ sectionKeyPath: String?, _ stack: ObjectStack
  ) throws(LiveResultsError) -> FollowedRequest {
    do throws(ObjectGraphError) {
      return try FollowedRequest(request, sectionKeyPath: sectionKeyPath, stack: stack)
    } catch {
      throw .objects(error)
    }
  }

  // MARK: The list

  /// The fetch request.
  public var request: ObjectFetchRequest { state.withLock { $0.request } }

  /// The key path that divides the list into sections; nil for one section.
  public var sectionKeyPath: String? { state.withLock { $0.sectionKeyPath } }

  /// The list as last fetched or delivered.
  public var snapshot: ResultsSnapshot { results.snapshot }

  /// The sections of the list.
  public var sections: [SectionInfo] { results.sections }

  /// The titles of the sections, for an index bar; empty titles are left out.
  public var sectionIndexTitles: [String] { results.sectionIndexTitles }

  /// Returns the section for a title of an index bar; see `ResultsSnapshot.section(forIndexTitle:in:)`.
  public func section(forIndexTitle title: String, in bar: [String]? = nil) -> Int? {
    results.section(forIndexTitle: title, in: bar)
  }

  /// Reads the list. Do not call it inside a save.
  /// - Throws: `list` if the list cannot be read.
  public func performFetch() throws(LiveResultsError) {
    do throws(ResultsError) {
      try results.performFetch()
    } catch {
      throw .list(error)
    }
  }

  /// Changes the request to other objects in the same table. The change arrives as an update; without a listener, call
  /// ``performFetch()``.
  /// - Throws: `objects`, and `list` for an entity of another table.
  public func setRequest(_ request: ObjectFetchRequest, sectionKeyPath: String? = nil) throws(LiveResultsError) {
    let followed = try Self.followed(request, sectionKeyPath, stack)
    do throws(ResultsError) {
      try results.setRequest(ResultsRequest(followed))
    } catch {
      throw .list(error)
    }
    state.withLock { state in
      state.request = request
      state.sectionKeyPath = sectionKeyPath
    }
  }

  // MARK: Objects

  /// Returns the id of the object at a path of the list, or of another snapshot, such as that of an update.
  /// - Throws: `list` with `outOfRange` for a path that does not exist, or with `rowGone` if the object was deleted
  ///   since and its entity is unknown; `objects` if the objects cannot be read.
  public func objectID(at path: RowPath, in snapshot: ResultsSnapshot? = nil) throws(LiveResultsError) -> ObjectID {
    let snapshot = snapshot ?? self.snapshot
    guard let row = snapshot.flatRow(of: path), let number = snapshot.id(atFlatRow: row) else {
      throw .list(.outOfRange)
    }
    // The objects after it will probably be requested next.
    guard let id = try objectIDs(snapshot.ids(inFlatRows: row..<row + Self.pageSize))[number] else {
      throw .list(.rowGone(id: number))
    }
    return id
  }

  /// Returns the ids of objects, by the numbers that identify them in lists and change sets. If several entities share
  /// the table, deleted objects are missing, unless their ids were requested while they existed.
  /// - Throws: `objects` if the objects cannot be read.
  public func objectIDs(_ numbers: [Int64]) throws(LiveResultsError) -> [Int64: ObjectID] {
    if let onlyEntity {
      return Dictionary(numbers.map { ($0, stack.id($0, of: onlyEntity)) }, uniquingKeysWith: { first, _ in first })
    }
    let known = state.withLock { $0.ids }
    let missing = numbers.filter { known[$0] == nil }
    var found: [Int64: ObjectID] = [:]
    if !missing.isEmpty {
      do throws(ObjectGraphError) {
        found = try stack.ids(missing, of: entity)
      } catch {
        throw .objects(error)
      }
      state.withLock { state in state.ids.merge(found) { first, _ in first } }
    }
    for number in numbers { found[number] = known[number] ?? found[number] }
    return found
  }

  /// Returns the path of an object; nil if it is not in the list.
  public func indexPath(of id: ObjectID) -> RowPath? { indexPath(of: id, in: snapshot) }

  /// Returns the path of an object in a snapshot.
  func indexPath(of id: ObjectID, in snapshot: ResultsSnapshot) -> RowPath? {
    guard stack.model.entity(named: id.entity)?.root == entity.root, let number = id.number,
      id.store == stack.id(number, of: entity).store
    else { return nil }
    return snapshot.indexPath(of: number)
  }

  /// Returns the object at a path, as a context sees it; nil if it is deleted there, or if the context has not read it
  /// and it was deleted since the list was read.
  ///
  /// An object that the context has not read is read with a page of its neighbors and their prefetched relationships,
  /// which the context holds: the cells of a table take one statement, and one for each relationship.
  ///
  /// A context does not reread its objects; ``refresh(_:with:)`` makes it do so after an update.
  /// - Throws: `list` for a path that does not exist; `objects` if the object cannot be read.
  public func object(at path: RowPath, in context: ObjectContext) throws(LiveResultsError) -> ManagedObject? {
    let snapshot = self.snapshot
    do {
      let id = try objectID(at: path, in: snapshot)
      return try context.object(id, prefetch: request.prefetch) { try page(at: path, snapshot, context) }
    } catch LiveResultsError.list(.rowGone) {
      return nil
    } catch {
      throw LiveResultsError(error)
    }
  }

  /// Whether all objects of the list are of a class.
  func lists<Root: ManagedObject>(_ type: Root.Type) -> Bool {
    entity.concreteFamily(includingChildren: true).allSatisfy { $0.description.objectClass is Root.Type }
  }

  /// Returns the object at a path, as a context sees it: deleted if it is gone, and unread if it cannot be read, which
  /// is the context's failure. Nil for a path that does not exist.
  func listedObject(at path: RowPath, in snapshot: ResultsSnapshot, _ context: ObjectContext) -> ManagedObject? {
    guard let number = snapshot.id(at: path) else { return nil }
    var id = stack.id(number, of: onlyEntity ?? entity.concreteFamily(includingChildren: true)[0])
    do {
      id = try objectID(at: path, in: snapshot)
      return try context.object(id, prefetch: request.prefetch) { try page(at: path, snapshot, context) }
        ?? context.missingObject(id)
    } catch {
      switch LiveResultsError(error) {
      case .list(.rowGone): return context.missingObject(id)
      case .objects(let error): context.note(error)
      case .list(let error): context.note(.host(error))
      case .notFollowed: break
      }
      return context.unreadObject(id)
    }
  }

  /// Returns the ids of the rows from a path on; those up to the path if the list is scrolled upwards.
  private func page(
    at path: RowPath, _ snapshot: ResultsSnapshot, _ context: ObjectContext
  ) throws(LiveResultsError) -> [ObjectID] {
    guard let row = snapshot.flatRow(of: path) else { return [] }
    let below = try objectIDs(snapshot.ids(inFlatRows: row + 1..<row + 2)).values.first
    let goesUp = below.map(context.hasRead) ?? false
    let numbers = snapshot.ids(
      inFlatRows: goesUp ? max(0, row - Self.pageSize + 1)..<row + 1 : row..<row + Self.pageSize)
    let ids = try objectIDs(numbers)
    return numbers.compactMap { ids[$0] }
  }

  private static let pageSize = 64

  /// Makes a context reread the objects that an update reports as changed or deleted, if it has read them and has not
  /// changed them. Objects that the list only refers to are not included.
  /// - Throws: `objects` if the objects cannot be read.
  public func refresh(_ context: ObjectContext, with update: ResultsUpdate) throws(LiveResultsError) {
    let changes = update.changes
    let numbers = changes.updates.map(\.id) + changes.moves.map(\.id) + changes.deletes.map(\.id)
    do {
      try context.refresh(Array(try objectIDs(numbers).values))
    } catch {
      throw LiveResultsError(error)
    }
  }

  // MARK: Listening

  /// Starts following the list, and calls a function on the consumer's thread with each change, and with errors; see
  /// `FetchedRecordsController.listen`. It replaces the function of an earlier call.
  public func listen(_ body: @escaping @Sendable (ResultsEvent) -> Void) { results.listen(body) }

  /// Receives each change step by step; not retained. Setting it starts following the list.
  public var delegate: (any ResultsDelegate)? {
    get { results.delegate }
    set { results.delegate = newValue }
  }

  /// The updates as a sequence that begins with the current list; see `FetchedRecordsController.updates`.
  public var updates: ResultsUpdates { results.updates }

  /// Removes the callback and the delegate, and stops following the list, which stays as it is. If there is an iterator
  /// of ``updates``, the list is still followed.
  public func stopTracking() { results.stopTracking() }

  /// Waits, in tests, until the list reflects everything that was committed.
  func waitForUpdates() { for _ in 0..<3 { results.waitForUpdates() } }
}

/// A record without content, because contexts read the objects.
struct ObjectRow: FetchableRecord, Sendable {
  init(row: Row) {}
}

extension ResultsRequest {
  /// Creates a request for the rows of a followed request.
  init(_ followed: FollowedRequest) {
    self.init(
      table: followed.table,
      source: JoinedSource(
        from: followed.from, alias: followed.alias, condition: followed.condition, arguments: followed.arguments,
        section: followed.section, order: followed.order.map { JoinedSource.Order($0.sql, ascending: $0.isAscending) },
        related: followed.related.map { JoinedSource.Related(table: $0.table, referrer: $0.referrer) }))
  }
}

/// An error of a live list of objects.
public enum LiveResultsError: LocalizedError, Sendable {
  /// The request does not fit the model or cannot be followed (`badRequest` with the field), or an object could not be
  /// read.
  case objects(ObjectGraphError)
  /// The entity is not kept in a SQLite store that the stack opened; other stores cannot be followed.
  case notFollowed(entity: String)
  /// The list could not be read or followed, a path is not in it, or an object was deleted.
  case list(ResultsError)

  /// A sentence in English.
  public var errorDescription: String? {
    switch self {
    case .objects(.badRequest(let field)) where ["limit", "offset", "onlyDeleted", "result"].contains(field):
      "A list shows all objects that match, so its request cannot have the field \(field)."
    case .objects(let error): error.errorDescription
    case .notFollowed(let entity):
      "\(entity) is not kept in a SQLite store of the stack, so its list cannot be followed."
    case .list(let error): error.errorDescription
    }
  }

  /// Creates an error from any other.
  init(_ error: any Error) {
    switch error {
    case let error as LiveResultsError: self = error
    case let error as ObjectGraphError: self = .objects(error)
    case let error as ResultsError: self = .list(error)
    default: self = .list(.database(code: 1, message: String(describing: error)))
    }
  }
}
