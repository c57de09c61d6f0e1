import ObjectGraph
import ResultsController
import Synchronization

/// The objects of a fetch request, in sections, kept up to date whoever saves: a context of this stack or of another one, or any
/// process that writes the file. The counterpart of Core Data's controller of that name.
///
/// ```swift
/// let controller = try FetchedResultsController(
///   stack, request: FetchRequest("Student", sort: [SortKey("myclass.name"), SortKey("name")]),
///   sectionKeyPath: "myclass.name")
/// controller.listen(onChange: { update in list.apply(update.changes.batch()) })
/// try controller.performFetch()
/// let student = try controller.object(at: RowPath(section: 0, row: 0), in: context)
/// ```
/// Predicate, sort keys and section key path may lead to other objects: when a class is renamed, its students move. The list
/// is what is saved; a context's unsaved changes are not in it. In ``snapshot`` and in change sets an object is known by the
/// number of its id (``ObjectID/number``).
///
/// It follows an entity of a SQLite store, to which the first controller of an entity adds triggers and a log of writes
/// (`ChangeTracking`). It may be used from any thread; objects belong to the thread of the context that they are asked of.
public final class FetchedResultsController: Sendable {
  private struct State {
    var request: FetchRequest
    var sectionKeyPath: String?
    /// The ids that are known, of an entity with children.
    var ids: [Int64: ObjectID] = [:]
    var onError: (@Sendable (LiveResultsError) -> Void)?
  }

  /// Where the objects are kept.
  public let stack: ObjectStack
  private let entity: Entity
  /// The only entity whose objects can be in the list; nil where there are several.
  private let onlyEntity: Entity?
  private let results: ResultsController<ObjectRow>
  private let state: Mutex<State>

  /// Makes a controller; nothing is read before ``performFetch()``.
  ///
  /// - Parameters:
  ///   - stack: Where the objects are kept.
  ///   - request: Which objects, in which order. Limit, offset and results other than objects are refused; what it says of
  ///     batches, prefetching and unsaved changes has no meaning here.
  ///   - sectionKeyPath: What divides the list: a key path through to-ones to an attribute that has an order. It agrees with the
  ///     first sort key. Nil makes one section.
  ///   - titles: The title of a section, from its value as the store keeps it: booleans as 0 and 1, dates as seconds since
  ///     2001-01-01 UTC. Called on the controller's queue.
  ///   - deliver: Where the consumer is.
  /// - Throws: `objects`, `notFollowed`.
  public init(
    _ stack: ObjectStack, request: FetchRequest, sectionKeyPath: String? = nil,
    titles: @escaping @Sendable (SectionValue) -> String = { $0.plainTitle }, deliver: ResultsDelivery = .mainActor
  ) throws(LiveResultsError) {
    let followed = try Self.followed(request, sectionKeyPath, stack)
    guard let database = stack.database(of: followed.entity) else { throw .notFollowed(entity: request.entity) }
    self.stack = stack
    entity = followed.entity
    let family = entity.root.concreteFamily(includingChildren: true)
    onlyEntity = family.count == 1 ? family.first : nil
    results = ResultsController(
      database, request: ResultsRequest(followed), installsTriggers: true, titles: titles, deliver: deliver)
    state = Mutex(State(request: request, sectionKeyPath: sectionKeyPath))
  }

  private static func followed(
    _ request: FetchRequest, _ sectionKeyPath: String?, _ stack: ObjectStack
  ) throws(LiveResultsError) -> FollowedRequest {
    do throws(ObjectGraphError) {
      return try FollowedRequest(request, sectionKeyPath: sectionKeyPath, stack: stack)
    } catch {
      throw .objects(error)
    }
  }

  // MARK: The list

  /// What is listed.
  public var request: FetchRequest { state.withLock { $0.request } }

  /// What divides the list.
  public var sectionKeyPath: String? { state.withLock { $0.sectionKeyPath } }

  /// The list as last fetched or delivered.
  public var snapshot: ResultsSnapshot { results.snapshot }

  /// The sections of the list.
  public var sections: [SectionInfo] { results.sections }

  /// The titles of the sections, for an index bar; empty titles are left out.
  public var sectionIndexTitles: [String] { results.sectionIndexTitles }

  /// The section that a title of an index bar leads to; see `ResultsSnapshot.section(forIndexTitle:in:)`.
  public func section(forIndexTitle title: String, in bar: [String]? = nil) -> Int? {
    results.section(forIndexTitle: title, in: bar)
  }

  /// Reads the list. Not to be called inside a save.
  /// - Throws: `list`.
  public func performFetch() throws(LiveResultsError) {
    do throws(ResultsError) {
      try results.performFetch()
    } catch {
      throw .list(error)
    }
  }

  /// Lists other objects of the same entity. The change comes as an update; without a listener call ``performFetch()``.
  /// - Throws: `objects`, and `list` for another entity.
  public func setRequest(_ request: FetchRequest, sectionKeyPath: String? = nil) throws(LiveResultsError) {
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

  /// The id of the object at a path of the list, or of a list of an update.
  /// - Throws: `list` with `outOfRange` for a path that does not exist, and `rowGone` when the object was deleted since and
  ///   nothing tells of which entity it was.
  public func objectID(at path: RowPath, in snapshot: ResultsSnapshot? = nil) throws(LiveResultsError) -> ObjectID {
    let snapshot = snapshot ?? self.snapshot
    guard let row = snapshot.flatRow(of: path), let number = snapshot.id(atFlatRow: row) else {
      throw .list(.outOfRange)
    }
    // Those beside it are asked for next.
    guard let id = try objectIDs(snapshot.ids(inFlatRows: row..<row + 64))[number] else {
      throw .list(.rowGone(id: number))
    }
    return id
  }

  /// The ids of objects by the numbers by which lists and change sets know them. Where the entity has children, objects that
  /// are gone are missing, unless their ids were asked for while they were there.
  /// - Throws: `objects`.
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

  /// Where an object is; nil when it is not in the list.
  public func indexPath(of id: ObjectID) -> RowPath? {
    guard stack.model.entity(named: id.entity)?.root == entity.root, let number = id.number,
      id.store == stack.id(number, of: entity).store
    else { return nil }
    return snapshot.indexPath(of: number)
  }

  /// The object at a path, as a context sees it; nil when it is deleted there, or was since the list was read.
  ///
  /// A context does not read again what it has read; ``refresh(_:with:)`` has it take over an update.
  /// - Throws: `list` for a path that does not exist, `objects`.
  public func object(at path: RowPath, in context: ObjectContext) throws(LiveResultsError) -> ManagedObject? {
    do {
      return try context.object(try objectID(at: path))
    } catch LiveResultsError.list(.rowGone) {
      return nil
    } catch {
      throw LiveResultsError(error)
    }
  }

  /// Has a context read again those of the objects that an update says are others or gone, as far as it has read them and has not
  /// changed them. Objects that the list only refers to are not among them.
  /// - Throws: `objects`.
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

  /// Begins to follow the list, with callbacks on the main actor. A controller that delivers there calls them when its
  /// ``snapshot`` is the list after the update.
  @MainActor
  public func listen(
    onError: @escaping @MainActor (LiveResultsError) -> Void = { _ in },
    onChange: @escaping @MainActor (ResultsUpdate) -> Void
  ) {
    results.listen(onError: { onError(.list($0)) }, onChange: onChange)
  }

  /// Called on the consumer's thread with each update. Setting it begins to follow the list.
  public var onChange: (@Sendable (ResultsUpdate) -> Void)? {
    get { results.onChange }
    set { results.onChange = newValue }
  }

  /// Called on the consumer's thread when reading failed. The list stays as it was and is followed on.
  public var onError: (@Sendable (LiveResultsError) -> Void)? {
    get { state.withLock { $0.onError } }
    set {
      state.withLock { $0.onError = newValue }
      if let newValue {
        results.onError = { error in newValue(LiveResultsError.list(error)) }
      } else {
        results.onError = nil
      }
    }
  }

  /// The updates as a sequence that begins with the list as it is; see `ResultsController.updates`.
  public var updates: ResultsUpdates { results.updates }

  /// Ends following: no callback comes afterwards. The list stays as it is.
  public func stopTracking() { results.stopTracking() }

  /// For tests: waits until the list has what was committed.
  func waitForUpdates() { for _ in 0..<3 { results.waitForUpdates() } }
}
