/// A fetch request for the objects of a class: `Student.where { $0.age >= 18 }.sorted(by: \.class?.name, \.name).limit(20)`.
public struct ObjectQuery<Root: Object>: Hashable, Sendable {
  /// The request, for everything that has no method here.
  public var request: ObjectFetchRequest

  /// Creates a query of all objects of the class.
  public init() { request = ObjectFetchRequest("\(Root.self)") }

  /// Adds a condition to those that the query has.
  public func `where`(_ condition: (ObjectPath<Root>) -> some ObjectCondition) -> ObjectQuery {
    self.where(condition(ObjectPath()).predicate)
  }

  /// Adds a condition that is written in the format language or made in code to those that the query has.
  public func `where`(_ predicate: ObjectPredicate) -> ObjectQuery {
    changed { $0.predicate = $0.predicate.map { $0 && predicate } ?? predicate }
  }

  /// Adds sort keys after those that the query has. Nil comes first, and strings are compared by their Unicode scalars.
  public func sorted<each Key: AttributeValue>(by keys: repeat KeyPath<Root, each Key>) -> ObjectQuery {
    var names: [String] = []
    repeat names.append(KeyPathRecorder.key(of: each keys))
    return changed { $0.sort += names.map { SortKey($0) } }
  }

  /// Adds a sort key after those that the query has.
  /// - Parameters:
  ///   - key: an attribute, or one of an object that to-ones lead to.
  ///   - isAscending: whether the smallest value comes first.
  ///   - fold: how strings are folded before they are compared.
  public func sorted<Key: AttributeValue>(
    by key: KeyPath<Root, Key>, ascending isAscending: Bool, fold: TextOptions = []
  ) -> ObjectQuery {
    changed { $0.sort.append(SortKey(KeyPathRecorder.key(of: key), ascending: isAscending, fold: fold)) }
  }

  /// Limits the number of results.
  public func limit(_ count: Int) -> ObjectQuery { changed { $0.limit = count } }

  /// Skips results.
  public func offset(_ count: Int) -> ObjectQuery { changed { $0.offset = count } }

  /// Reads the objects of relationships with those of the query.
  public func prefetching<each Side>(_ relationships: repeat KeyPath<Root, each Side>) -> ObjectQuery {
    var names: [String] = []
    repeat names.append(KeyPathRecorder.key(of: each relationships))
    return changed { $0.prefetch += names }
  }

  /// The key of an attribute, or of one of an object that to-ones lead to.
  package static func key<Key>(of keyPath: KeyPath<Root, Key>) -> String { KeyPathRecorder.key(of: keyPath) }

  private func changed(_ change: (inout ObjectFetchRequest) -> Void) -> ObjectQuery {
    var query = self
    change(&query.request)
    return query
  }
}

extension DeclaredObject where Self: Object {
  /// All objects of the class.
  public static var all: ObjectQuery<Self> { ObjectQuery() }

  /// The objects that match a condition.
  public static func `where`(_ condition: (ObjectPath<Self>) -> some ObjectCondition) -> ObjectQuery<Self> {
    all.where(condition)
  }

  /// All objects, sorted.
  public static func sorted<each Key: AttributeValue>(by keys: repeat KeyPath<Self, each Key>) -> ObjectQuery<Self> {
    all.sorted(by: repeat each keys)
  }

  /// All objects, sorted by an attribute in ascending or descending order, after its strings are folded.
  public static func sorted<Key: AttributeValue>(
    by key: KeyPath<Self, Key>, ascending isAscending: Bool, fold: TextOptions = []
  ) -> ObjectQuery<Self> {
    all.sorted(by: key, ascending: isAscending, fold: fold)
  }

  /// The objects by the values of an attribute, each group made into a row; see ``GroupedQuery``.
  public static func grouped<Key: AttributeValue, Row>(
    by key: KeyPath<Self, Key>, _ row: @escaping (ObjectGroup<Self, Key>) -> Row
  ) -> GroupedQuery<Self, Key, Row> {
    all.grouped(by: key, row)
  }
}

extension ObjectContext {
  /// Returns the objects of a query.
  /// - Throws: as ``fetch(_:)-(ObjectFetchRequest)``; the ``failure`` of a property.
  public func fetch<Root: Object>(_ query: ObjectQuery<Root>) throws(ObjectGraphError) -> [Root] {
    try fetch(query.request, as: Root.self)
  }

  /// Returns the first object of a query; nil if there is none.
  /// - Throws: as ``fetch(_:)-(ObjectFetchRequest)``.
  public func first<Root: Object>(_ query: ObjectQuery<Root>) throws(ObjectGraphError) -> Root? {
    try fetch(query.limit(1)).first
  }

  /// Returns this context's own object for one of another context; nil if it is deleted here or gone from the source.
  /// - Throws: as ``object(_:)``.
  public func object<Root: Object>(for other: Root) throws(ObjectGraphError) -> Root? {
    try object(other.objectID) as? Root
  }

  /// Returns the number of objects that a query would find.
  /// - Throws: as ``fetch(_:)-(ObjectFetchRequest)``.
  public func count<Root: Object>(_ query: ObjectQuery<Root>) throws(ObjectGraphError) -> Int {
    try count(query.request)
  }
}
