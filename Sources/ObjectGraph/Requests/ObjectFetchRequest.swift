/// A query of a context: which objects, in which order, and which of their values.
///
/// ```swift
/// var request = ObjectFetchRequest("Student", where: try ObjectPredicate("age >= %@", 18))
/// request.sort = [SortKey("myclass.name"), SortKey("age", ascending: false)]
/// request.limit = 20
/// ```
///
/// The steps are, in order: predicate, groups, having, distinct, sort, offset, limit. Objects with equal sort keys come
/// in the order of their first saves, unsaved ones last.
public struct ObjectFetchRequest: Codable, Hashable, Sendable {
  /// The form of the result.
  public enum Result: String, Codable, Hashable, Sendable {
    /// The objects.
    case objects
    /// The number of objects.
    case count
    /// Rows of ``properties``.
    case dictionaries
  }

  /// Name of the entity, which may be abstract.
  public var entity: String
  /// The condition on objects; nil for all.
  public var predicate: ObjectPredicate?
  /// Values of the variables in the request's predicates, by name without `$`.
  public var variables: [String: PredicateConstant] = [:]
  /// The sort keys; without any, the order of first saves.
  public var sort: [SortKey] = []
  /// The maximum number of results; 0 for no limit.
  public var limit = 0
  /// How many results are skipped.
  public var offset = 0
  /// Whether objects that were not read before are returned as faults, which are read on access,
  /// ``ObjectContext/faultBatchSize`` at a time; otherwise all objects are read at once.
  public var returnsObjectsAsFaults = false
  /// Key paths of relationships whose objects are prefetched.
  public var prefetch: [String] = []
  /// Whether objects of the entity's children are among the results.
  public var includesSubentities = true
  /// Whether the context's unsaved changes are included.
  public var includesPendingChanges = true
  /// Whether to find deleted objects that can be restored, as the store has them, instead of existing ones. Without a
  /// ``sort``, they are in descending order of the marks: if a mark is the time of the deletion, the most recently
  /// deleted object comes first. If deletions remove rows, there are no such objects. Objects that are not deleted in
  /// the context, such as those that it has restored, are left out.
  @DefaultFalse public var onlyDeleted = false
  /// The form of the result.
  public var result = Result.objects
  /// The columns of dictionaries.
  public var properties: [FetchColumn] = []
  /// Key paths to group by.
  public var groupBy: [String] = []
  /// The condition on grouped rows; its keys are the names of columns and groups.
  public var having: ObjectPredicate?
  /// Whether duplicate rows are removed.
  public var isDistinct = false

  /// Creates a request for the objects of an entity that match a predicate.
  public init(_ entity: String, where predicate: ObjectPredicate? = nil, sort: [SortKey] = []) {
    self.entity = entity
    self.predicate = predicate
    self.sort = sort
  }

  /// Whether unsaved changes are included. Deleted objects are always read as the store has them.
  var seesPendingChanges: Bool { includesPendingChanges && !onlyDeleted }

  /// Returns the request with values for some of its variables; the others keep theirs.
  public func binding(_ variables: [String: PredicateConstant]) -> ObjectFetchRequest {
    var request = self
    request.variables.merge(variables) { _, new in new }
    return request
  }
}

/// One sort key of a request.
public struct SortKey: Codable, Hashable, Sendable {
  /// A key path through to-one relationships to an attribute of an ordered type; with groups, functions, counts or
  /// distinct rows, the name of a column or group.
  public var key: String
  /// Whether the smallest value comes first. Nil is smaller than every value.
  public var isAscending: Bool
  /// How strings are folded before they are compared.
  public var fold: TextOptions

  /// Creates a sort key. Strings are compared by their Unicode scalars, data by its bytes.
  public init(_ key: String, ascending: Bool = true, fold: TextOptions = []) {
    self.key = key
    isAscending = ascending
    self.fold = fold
  }
}

/// A column of the rows of a request.
public enum FetchColumn: Codable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The value at a key path through to-one relationships, named after the key path; for a to-one itself, the object.
  case keyPath(String)
  /// A function of the values at a key path; `SELF` is the object, which can be counted.
  case function(name: String, AggregateFunction, keyPath: String)

  /// The number of the row's objects that match a predicate.
  case count(name: String, where: ObjectPredicate)
  /// The number of objects in the to-many at the end of a key path, for each requested object. It cannot be combined
  /// with groups, functions or counts.
  case members(name: String, keyPath: String)

  /// Creates a column for the value at a key path.
  public init(stringLiteral value: String) { self = .keyPath(value) }

  /// The key of the column in a row.
  public var name: String {
    switch self {
    case .keyPath(let path): path
    case .function(let name, _, keyPath: _), .count(let name, where: _), .members(let name, keyPath: _): name
    }
  }
}

/// The result of a request.
public enum FetchResult: Hashable, Sendable {
  /// The ids of the objects, in order.
  case objects([ObjectID])
  /// The number of objects.
  case count(Int)
  /// Rows keyed by the names of the columns; nil is `.null`.
  case dictionaries([[String: Value]])
}
