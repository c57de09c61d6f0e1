/// One key of the order of a request.
public struct SortKey: Codable, Hashable, Sendable {
  /// A key path through to-one relationships to an attribute that has an order; in a request with groups, functions or
  /// distinct rows the name of a column or group.
  public var key: String
  /// Whether the least comes first. nil is less than everything.
  public var isAscending: Bool
  /// How texts are folded first.
  public var fold: TextOptions

  /// An order by a key. Texts are in the order of their Unicode scalars.
  public init(_ key: String, ascending: Bool = true, fold: TextOptions = []) {
    self.key = key
    isAscending = ascending
    self.fold = fold
  }
}
