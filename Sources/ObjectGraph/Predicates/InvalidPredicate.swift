/// Why a predicate is not one, or does not fit the entity that it is asked of.
///
/// Offsets count Unicode scalars of the predicate's text from 0. They are nil where the predicate was built by operators.
public enum InvalidPredicate: Error, Codable, Hashable, Sendable {
  /// The first token that does not fit; at the end, the length of the text.
  case syntax(offset: Int?)
  /// How many placeholders the text has, and how many arguments came.
  case argumentCount(expected: Int, given: Int)
  /// The argument of `%K` at this offset is not a text.
  case argumentType(offset: Int?)
  /// `$name` has no value.
  case unboundVariable(offset: Int?, name: String)
  /// No such property of the entity; the entity is nil where an attribute has no keys at all.
  case unknownKey(offset: Int?, key: String, entity: String?)
  /// The operator, function or text at this offset does not take values of these kinds.
  case typeMismatch(offset: Int?)
  /// This to-many key stands where one value is needed.
  case toManyNotAllowed(offset: Int?)
  /// The quantifier, `@…` or SUBQUERY at this offset needs a to-many path.
  case notToMany(offset: Int?)
  /// The pattern of the MATCHES at this offset is not a regular expression.
  case badPattern(offset: Int?)
}
