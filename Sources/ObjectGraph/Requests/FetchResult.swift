/// The result of a request.
public enum FetchResult: Hashable, Sendable {
  /// The ids of the objects, in order.
  case objects([ObjectID])
  /// The number of objects.
  case count(Int)
  /// Rows keyed by the names of the columns; nil is `.null`.
  case dictionaries([[String: Value]])
}
