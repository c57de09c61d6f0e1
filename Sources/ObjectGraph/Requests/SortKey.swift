/// One sort key of a request.
public struct SortKey: Codable, Hashable, Sendable {
  /// A key path through to-one relationships to an attribute of an ordered type; with groups, functions or distinct
  /// rows, the name of a column or group.
  public var key: String
  /// Whether the smallest comes first. nil sorts before everything.
  public var isAscending: Bool
  /// How strings are folded first.
  public var fold: TextOptions

  /// Sorts by a key. Strings are compared by their Unicode scalars.
  public init(_ key: String, ascending: Bool = true, fold: TextOptions = []) {
    self.key = key
    isAscending = ascending
    self.fold = fold
  }
}
