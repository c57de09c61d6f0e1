/// One side of a comparison.
public indirect enum PredicateTerm: Codable, Hashable, Sendable {
  /// A value, a list or a variable.
  case constant(PredicateConstant)
  /// A property of the object, perhaps through others.
  case path(PredicatePath)
  /// How many elements of a to-many path fulfil a predicate.
  case subquery(PredicateSubquery)
}

/// A value that does not depend on the object.
public enum PredicateConstant: Codable, Hashable, Sendable {
  /// One value; `.null` is nil.
  case value(Value)
  /// A list, for IN and BETWEEN.
  case list([PredicateConstant])
  /// `$name`, which takes its value from the request.
  case variable(name: String, offset: SourceOffset)
  /// A CAST that gives no value. It is reported with the other errors of types, from left to right.
  case invalid(InvalidPredicate)
}

/// `SUBQUERY(path, $variable, predicate).@count`.
public struct PredicateSubquery: Codable, Hashable, Sendable {
  /// A to-many path without aggregate.
  public var path: PredicatePath
  /// The name of an element in the predicate, without `$`.
  public var variable: String
  /// What the counted elements fulfil.
  public var predicate: Predicate

  /// A count of the elements of a path that fulfil a predicate.
  public init(_ path: PredicatePath, variable: String, predicate: Predicate) {
    self.path = path
    self.variable = variable
    self.predicate = predicate
  }
}
