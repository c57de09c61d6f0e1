/// A column of dictionary rows.
public enum FetchColumn: Codable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The value at a key path through to-one relationships, under the key path as its name; of a to-one itself the object.
  case keyPath(String)
  /// A function of the values at a key path; `SELF` is the object, which can be counted.
  case function(name: String, AggregateFunction, keyPath: String)

  /// How many objects a predicate is true of.
  case count(name: String, where: Predicate)
  /// How many objects the to-many at the end of a key path has; a row of its own for every object.
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
