import struct Foundation.Data
import struct GRDB.DatabaseValue

/// The saved objects of a query, in sections, which stay up to date no matter who saves: a context of this stack or
/// another, or any process that writes the file.
///
/// ```swift
/// let list = try stack.list(Student.sorted(by: \.name), sections: \.class?.name)
/// let first = list[section: 0, row: 0]
/// for try await update in list.updates { table.apply(update.changes.batch()) }
/// ```
/// The list belongs to a context, like its objects, and is confined with it. It shows what is saved, in an order that
/// unsaved changes do not disturb; its objects are those of the context, with their changes. Objects are read by page
/// when they are first asked for.
///
/// The list is read when it is made. It changes when the loop over ``updates`` takes the next update, which also rereads
/// what the context has read; without a loop it changes with ``refresh()`` and ``show(_:)``.
public final class LiveList<Root: Object> {
  /// The context of the objects.
  public let context: ObjectContext
  /// The query whose objects are listed, as last shown.
  public private(set) var query: ObjectQuery<Root>
  /// The list as last read, or as the loop over ``updates`` last left it. It identifies objects by the numbers of their
  /// ids (`ObjectID.number`), as change sets do.
  public private(set) var snapshot: ResultsSnapshot
  private let sectionKeyPath: String?
  private let controller: FetchedResultsController
  private weak var loop: LiveLoop?

  fileprivate init(
    _ query: ObjectQuery<Root>, sectionKeyPath: String?, titles: @escaping @Sendable (SectionValue) -> String,
    _ context: ObjectContext
  ) throws(LiveResultsError) {
    self.context = context
    self.query = query
    self.sectionKeyPath = sectionKeyPath
    controller = try FetchedResultsController(
      context.stack, request: query.request(dividedBy: sectionKeyPath), sectionKeyPath: sectionKeyPath, titles: titles,
      deliver: ResultsDelivery { $0() })
    guard controller.lists(Root.self) else { throw .objects(.unknownEntity("\(Root.self)")) }
    try controller.performFetch()
    snapshot = controller.snapshot
  }

  // MARK: The list

  /// The number of objects.
  public var count: Int { snapshot.count }

  /// The sections, each a collection of its objects. A list without a section key has one.
  public var sections: [LiveSection<Root>] { snapshot.sections.indices.map { LiveSection(list: self, ordinal: $0) } }

  /// The object in a row of a section, both counted from 0.
  public subscript(section section: Int, row row: Int) -> Root { self[RowPath(section: section, row: row)] }

  /// The object at a path, such as one of an update. It stays in the list, but deleted, if it was deleted since the list
  /// was read. If it cannot be read, its properties have their declared values, and the error is the context's
  /// `ObjectContext.failure`, which its next save or fetch throws.
  public subscript(path: RowPath) -> Root {
    guard let object = controller.listedObject(at: path, in: snapshot, context) as? Root else {
      preconditionFailure("\(path) is not in the list of \(Root.self)")
    }
    return object
  }

  /// The object in a row that is counted from 0 across all sections.
  public subscript(row: Int) -> Root {
    guard let path = snapshot.indexPath(atFlatRow: row) else { preconditionFailure("row \(row) is not in the list") }
    return self[path]
  }

  /// The path of an object; nil if it is not in the list.
  public func path(of object: Root) -> RowPath? { controller.indexPath(of: object.objectID, in: snapshot) }

  // MARK: Changes

  /// The updates of the list, beginning with the whole list. Have one loop over them at a time.
  public var updates: LiveUpdates<Root> { LiveUpdates(list: self) }

  /// Lists the objects of another query, in the same sections. The change is an update of the loop over ``updates``;
  /// without one, the list is read at once.
  /// - Throws: as `ObjectContext.list(_:)`.
  public func show(_ query: ObjectQuery<Root>) throws(LiveResultsError) {
    try controller.setRequest(query.request(dividedBy: sectionKeyPath), sectionKeyPath: sectionKeyPath)
    self.query = query
    if loop == nil { try refresh() }
  }

  /// Reads the list again, and what its context has read. A list whose ``updates`` are followed does not need it.
  /// - Throws: `list` and `objects` if they cannot be read.
  public func refresh() throws(LiveResultsError) {
    try controller.performFetch()
    snapshot = controller.snapshot
    try reread()
  }

  private func reread() throws(LiveResultsError) {
    do throws(ObjectGraphError) {
      try context.refresh()
    } catch {
      throw .objects(error)
    }
  }

  fileprivate func follow() -> LiveUpdates<Root>.Iterator {
    let loop = LiveLoop()
    self.loop = loop
    return LiveUpdates.Iterator(list: self, updates: controller.updates.makeAsyncIterator(), loop: loop)
  }

  fileprivate func take(_ update: ResultsUpdate) throws(LiveResultsError) {
    snapshot = update.after
    try reread()
  }
}

/// The objects of a section of a ``LiveList``. It is read from the list as that is now: ask for the sections again after
/// an update.
public struct LiveSection<Root: Object>: RandomAccessCollection {
  private let list: LiveList<Root>
  /// The number of the section, from 0.
  public let ordinal: Int
  /// The title and the value of the section.
  public let info: SectionInfo

  fileprivate init(list: LiveList<Root>, ordinal: Int) {
    self.list = list
    self.ordinal = ordinal
    info = list.snapshot.sections[ordinal]
  }

  /// The title of the section.
  public var title: String { info.title }
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { info.count }
  /// The object in a row of the section.
  public subscript(row: Int) -> Root { list[section: ordinal, row: row] }
}

/// The updates of a ``LiveList``: the first has the whole list, the others what changed since. The list is as an update
/// says while the body of the loop runs, and until the loop takes the next one.
///
/// Waiting updates are combined into one. The loop ends when its task is canceled or the stack is closed, or with an error; a
/// new loop begins with the whole list.
public struct LiveUpdates<Root: Object>: AsyncSequence {
  /// One change to the list.
  public typealias Element = ResultsUpdate
  /// The list, or its objects, could not be read.
  public typealias Failure = LiveResultsError

  fileprivate let list: LiveList<Root>

  /// Begins to follow the list.
  public func makeAsyncIterator() -> Iterator { list.follow() }

  /// Takes one update after another.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let list: LiveList<Root>
    fileprivate var updates: ResultsUpdates.Iterator
    fileprivate let loop: LiveLoop

    /// The next update; nil when the task was canceled or the stack was closed.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(LiveResultsError) -> ResultsUpdate? {
      let update: ResultsUpdate?
      do throws(ResultsError) {
        update = try await updates.next(isolation: actor)
      } catch {
        throw .list(error)
      }
      if let update { try list.take(update) }
      return update
    }
  }
}

/// Exists while a loop over the updates of a list runs.
private final class LiveLoop {}

extension ObjectContext {
  /// Lists the saved objects of a query as this context sees them.
  /// - Throws: `objects` with `badRequest` for a limit or an offset; `notFollowed` if the objects are not kept in a SQLite
  ///   file of the stack; `list` if they cannot be read.
  public func list<Root: Object>(_ query: ObjectQuery<Root>) throws(LiveResultsError) -> LiveList<Root> {
    try LiveList(query, sectionKeyPath: nil, titles: { $0.plainTitle }, self)
  }

  /// Lists the saved objects of a query in sections: the objects with the same value of an attribute.
  /// - Parameters:
  ///   - query: the objects. Sections come in the order of their values, unless the query is sorted by the same attribute
  ///     first, in descending order or with `fold`.
  ///   - section: an attribute, or one of an object that to-ones lead to.
  ///   - title: makes the title of a section. Called on any thread.
  /// - Throws: as `list(_:)`.
  public func list<Root: Object, Key: AttributeValue>(
    _ query: ObjectQuery<Root>, sections section: KeyPath<Root, Key>, title: (@Sendable (Key) -> String)? = nil
  ) throws(LiveResultsError) -> LiveList<Root> {
    try LiveList(
      query, sectionKeyPath: ObjectQuery.key(of: section),
      titles: { value in
        guard let title, let key = Key(stored: value) else { return value.plainTitle }
        return title(key)
      }, self)
  }
}

extension ObjectStack {
  /// Lists the saved objects of a query in a context of its own (``LiveList/context``).
  /// - Throws: as `ObjectContext.list(_:)`.
  public func list<Root: Object>(_ query: ObjectQuery<Root>) throws(LiveResultsError) -> LiveList<Root> {
    try newContext().list(query)
  }

  /// Lists the saved objects of a query in sections, in a context of its own (``LiveList/context``).
  /// - Throws: as `ObjectContext.list(_:)`.
  public func list<Root: Object, Key: AttributeValue>(
    _ query: ObjectQuery<Root>, sections section: KeyPath<Root, Key>, title: (@Sendable (Key) -> String)? = nil
  ) throws(LiveResultsError) -> LiveList<Root> {
    try newContext().list(query, sections: section, title: title)
  }
}

extension ObjectQuery {
  /// The request of a list that is divided into sections: its objects are sorted by section first.
  fileprivate func request(dividedBy section: String?) -> ObjectFetchRequest {
    guard let section, request.sort.first?.key != section else { return request }
    var request = request
    request.sort.insert(SortKey(section), at: 0)
    return request
  }
}

extension AttributeValue {
  /// Creates the value of a section's objects; nil if it has another type.
  fileprivate init?(stored value: SectionValue) {
    let stored: DatabaseValue =
      switch value {
      case .null: .null
      case .integer(let number): number.databaseValue
      case .real(let number): number.databaseValue
      case .text(let text): text.databaseValue
      case .blob(let bytes): Data(bytes).databaseValue
      }
    guard let value = try? Self.attributeType.decode(stored) else { return nil }
    self.init(attributeValue: value)
  }
}
