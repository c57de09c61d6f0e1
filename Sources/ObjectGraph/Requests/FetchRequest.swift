/// What to read of a store: which objects, in which order, and what of them.
///
/// ```swift
/// var request = FetchRequest("Student", where: try Predicate("age >= %@", 18))
/// request.sort = [SortKey("myclass.name"), SortKey("age", ascending: false)]
/// request.limit = 20
/// ```
///
/// The order of work is: predicate, groups, having, distinct, sort, offset, limit. Objects that the sort keys leave equal
/// come in the order of their first saves, unsaved ones last.
public struct FetchRequest: Codable, Hashable, Sendable {
  /// What a request gives.
  public enum Result: String, Codable, Hashable, Sendable {
    /// The objects.
    case objects
    /// How many objects it would give.
    case count
    /// Rows of ``properties``.
    case dictionaries
  }

  /// Name of the entity, which may be abstract.
  public var entity: String
  /// Which objects; nil for all.
  public var predicate: Predicate?
  /// Values of the variables of ``predicate`` and ``having``, by name without `$`.
  public var variables: [String: PredicateConstant] = [:]
  /// The order; without it, that of the first saves.
  public var sort: [SortKey] = []
  /// The greatest number of results; 0 for no limit.
  public var limit = 0
  /// How many results are passed over.
  public var offset = 0
  /// How many objects are read from the store at a time, as they are touched; 0 for all at once.
  public var batchSize = 0
  /// Key paths of relationships whose objects are read along.
  public var prefetch: [String] = []
  /// Whether objects of the entity's children are among the results.
  public var includesSubentities = true
  /// Whether the context's unsaved changes count.
  public var includesPendingChanges = true
  /// Whether the request is for objects that were deleted and can come back, as the store has them, instead of those that
  /// exist. Without a ``sort`` they come newest deletion first. Where a deletion removes the row there are none.
  @LaterFlag public var onlyDeleted = false
  /// What the request gives.
  public var result = Result.objects
  /// The columns of dictionaries.
  public var properties: [FetchColumn] = []
  /// Key paths whose equal values make one row.
  public var groupBy: [String] = []
  /// Which rows of groups; its keys are the names of columns and groups.
  public var having: Predicate?
  /// Whether equal rows come once.
  public var isDistinct = false

  /// A request for the objects of an entity that fulfil a predicate.
  public init(_ entity: String, where predicate: Predicate? = nil, sort: [SortKey] = []) {
    self.entity = entity
    self.predicate = predicate
    self.sort = sort
  }

  /// What was deleted is as the store has it.
  var seesPendingChanges: Bool { includesPendingChanges && !onlyDeleted }

  /// The request with values for its variables; others keep theirs.
  public func binding(_ variables: [String: PredicateConstant]) -> FetchRequest {
    var request = self
    request.variables.merge(variables) { _, new in new }
    return request
  }
}
