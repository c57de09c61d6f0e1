/// Why a predicate cannot be parsed or does not fit its entity.
///
/// Offsets count Unicode scalars from 0, in the text of the predicate or of a request's key path. They are nil if the
/// predicate was built with operators.
public enum InvalidPredicate: Error, Codable, Hashable, Sendable {
  /// The token at this offset does not fit; the offset is the length of the text if the text ends too early.
  case syntax(offset: Int?)
  /// The number of placeholders differs from the number of arguments.
  case argumentCount(expected: Int, given: Int)
  /// The argument of `%K` at this offset is not a string.
  case argumentType(offset: Int?)
  /// The variable `$name` has no value.
  case unboundVariable(offset: Int?, name: String)
  /// The entity has no such property that a predicate can use. The entity is nil if the key follows a value, which has
  /// no properties, or names a column that a grouped row does not have.
  case unknownKey(offset: Int?, key: String, entity: String?)
  /// The operator, function or literal at this offset does not accept values of these kinds.
  case typeMismatch(offset: Int?)
  /// A to-many key is used where a single value is needed.
  case toManyNotAllowed(offset: Int?)
  /// The quantifier, `@…` or SUBQUERY at this offset needs a to-many path.
  case notToMany(offset: Int?)
  /// The pattern of the MATCHES at this offset is not a regular expression.
  case badPattern(offset: Int?)
}
