/// One side of a comparison.
public indirect enum PredicateTerm: Codable, Hashable, Sendable {
  /// A value, a list or a variable.
  case constant(PredicateConstant)
  /// The value at the end of a path from the object.
  case path(PredicatePath)
  /// The number of elements of a to-many path that match a predicate.
  case subquery(PredicateSubquery)
}

/// A value that does not depend on the object.
public enum PredicateConstant: Codable, Hashable, Sendable {
  /// One value; `.null` is nil.
  case value(Value)
  /// A list, for IN and BETWEEN.
  case list([PredicateConstant])
  /// `$name`, whose value comes from the request.
  case variable(name: String, offset: SourceOffset)
  /// A CAST whose arguments are wrong. This error is reported with the other type errors, in the order of the text.
  case invalid(InvalidPredicate)
}

/// `SUBQUERY(path, $variable, predicate).@count`.
public struct PredicateSubquery: Codable, Hashable, Sendable {
  /// A to-many path without an aggregate.
  public var path: PredicatePath
  /// The name of the element in the predicate, without `$`.
  public var variable: String
  /// The predicate that the counted elements match.
  public var predicate: Predicate

  /// Creates a count of the elements of a path that match a predicate.
  public init(_ path: PredicatePath, variable: String, predicate: Predicate) {
    self.path = path
    self.variable = variable
    self.predicate = predicate
  }
}
