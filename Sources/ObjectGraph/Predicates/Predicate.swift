/// A condition on objects, as a value: made from the format language or by operators on typed tokens, kept, sent, compiled
/// to SQL and evaluated in memory with one meaning.
///
/// ```swift
/// let predicate = try Predicate("age >= %@ AND ANY courses.name BEGINSWITH[cd] 'ca'", 18)
/// ```
///
/// It has three values, as SQL has: a comparison with an absent value is unknown, unless it is `==` or `!=` with the
/// constant nil. An object is found when the predicate is true.
public indirect enum Predicate: Codable, Hashable, Sendable {
  /// True or false of every object.
  case constant(Bool)
  /// A comparison of two values.
  case comparison(PredicateComparison)
  /// True when the other is false; unknown when it is unknown.
  case not(Predicate)
  /// All of them; true when there are none.
  case and([Predicate])
  /// At least one of them; false when there are none.
  case or([Predicate])
}

extension Predicate {
  /// Both.
  public static func && (left: Predicate, right: Predicate) -> Predicate {
    .and(left.terms(of: .and) + right.terms(of: .and))
  }

  /// At least one.
  public static func || (left: Predicate, right: Predicate) -> Predicate {
    .or(left.terms(of: .or) + right.terms(of: .or))
  }

  /// The contrary.
  public static prefix func ! (predicate: Predicate) -> Predicate {
    .not(predicate)
  }

  private enum Joint { case and, or }

  private func terms(of joint: Joint) -> [Predicate] {
    switch (self, joint) {
    case (.and(let terms), .and), (.or(let terms), .or): terms
    default: [self]
    }
  }
}
