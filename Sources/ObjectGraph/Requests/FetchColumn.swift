/// A column of dictionary rows.
public enum FetchColumn: Codable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The value at a key path through to-one relationships, named after the key path; for a to-one itself, the object.
  case keyPath(String)
  /// A function of the values at a key path; `SELF` is the object, which can be counted.
  case function(name: String, AggregateFunction, keyPath: String)

  /// The number of objects that match a predicate.
  case count(name: String, where: Predicate)
  /// The number of objects in the to-many at the end of a key path, with one row for each object.
  case members(name: String, keyPath: String)

  /// The value at a key path.
  public init(stringLiteral value: String) { self = .keyPath(value) }

  /// The key of the column in a row.
  public var name: String {
    switch self {
    case .keyPath(let path): path
    case .function(let name, _, keyPath: _), .count(let name, where: _), .members(let name, keyPath: _): name
    }
  }
}
