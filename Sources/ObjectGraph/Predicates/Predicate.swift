/// A condition on objects, as a value. It is parsed from the format language or built with operators on typed keys, can
/// be encoded, and means the same in SQL and in memory.
///
/// ```swift
/// let predicate = try Predicate("age >= %@ AND ANY courses.name BEGINSWITH[cd] 'ca'", 18)
/// ```
///
/// It uses three-valued logic, as SQL does: a comparison with an absent value is unknown, unless it is `==` or `!=`
/// with the constant nil. ANY, ALL and NONE are never unknown. A request finds the objects for which the predicate is
/// true.
public indirect enum Predicate: Codable, Hashable, Sendable {
  /// True or false for every object.
  case constant(Bool)
  /// A comparison of two values.
  case comparison(PredicateComparison)
  /// True if the predicate is false; unknown if it is unknown.
  case not(Predicate)
  /// True if all predicates of the list are true, or if the list is empty.
  case and([Predicate])
  /// True if at least one predicate of the list is true; false if the list is empty.
  case or([Predicate])
}

extension Predicate {
  /// Returns a predicate that is true if both are.
  public static func && (left: Predicate, right: Predicate) -> Predicate {
    .and(left.terms(of: .and) + right.terms(of: .and))
  }

  /// Returns a predicate that is true if at least one is.
  public static func || (left: Predicate, right: Predicate) -> Predicate {
    .or(left.terms(of: .or) + right.terms(of: .or))
  }

  /// Returns the negation.
  public static prefix func ! (predicate: Predicate) -> Predicate {
    .not(predicate)
  }

  private enum Connective { case and, or }

  private func terms(of connective: Connective) -> [Predicate] {
    switch (self, connective) {
    case (.and(let terms), .and), (.or(let terms), .or): terms
    default: [self]
    }
  }
}
