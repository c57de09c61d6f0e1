/// A predicate that was checked and fits its subject.
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

/// The subject of a predicate.
public enum PredicateSubject: Sendable {
  /// The objects of an entity in a store, without transient attributes.
  case objects(Entity)
  /// An object in a context, for a rule of an entity.
  case rule(Entity)
  /// The value of an attribute, which is SELF in a rule of the attribute.
  case value(AttributeType)
  /// A grouped row, for `having`. The keys are the names of its columns. The type of a column of objects is nil.
  case row([String: AttributeType?])
}
