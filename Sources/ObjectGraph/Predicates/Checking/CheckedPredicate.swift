/// A predicate that fits its subject.
public struct CheckedPredicate: Sendable {
  var condition: Condition
  let patterns = PatternCache()

  /// Checks a predicate: every name must be known, and every operator must accept its values.
  /// - Throws: the first error in the order of the text.
  public init(_ predicate: Predicate, for subject: PredicateSubject) throws(InvalidPredicate) {
    var checker = PredicateChecker(subject: subject)
    condition = try checker.condition(predicate)
  }
}
