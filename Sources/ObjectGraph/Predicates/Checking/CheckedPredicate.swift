/// A predicate that fits what it is asked of.
public struct CheckedPredicate: Sendable {
  var condition: Condition
  let patterns = PatternCache()

  /// Checks a predicate: every name is known and every operator has values that it takes.
  /// - Throws: The first error from left to right.
  public init(_ predicate: Predicate, for subject: PredicateSubject) throws(InvalidPredicate) {
    var checker = PredicateChecker(subject: subject)
    condition = try checker.condition(predicate)
  }
}
