/// What a request found.
public enum FetchResult: Hashable, Sendable {
  /// The ids of the objects, in order.
  case objects([ObjectID])
  /// The number of objects.
  case count(Int)
  /// Rows by the names of the columns; a nil value is `.null`.
  case dictionaries([[String: Value]])
}
