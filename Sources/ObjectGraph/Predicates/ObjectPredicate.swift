/// A condition on objects, as a value. It is parsed from the format language or built with operators on the properties of a
/// class, can be encoded, and means the same in SQL and in memory.
///
/// ```swift
/// let predicate = try ObjectPredicate("age >= %@ AND ANY courses.name BEGINSWITH[cd] 'ca'", 18)
/// ```
///
/// It uses three-valued logic, as SQL does: a comparison with an absent value is unknown, unless it is `==` or `!=`
/// with the constant nil. ANY, ALL and NONE are never unknown. A request finds the objects for which the predicate is
/// true.
public indirect enum ObjectPredicate: Codable, Hashable, Sendable {
  /// True or false for every object.
  case constant(Bool)
  /// A comparison of two values.
  case comparison(PredicateComparison)
  /// True if the predicate is false; unknown if it is unknown.
  case not(ObjectPredicate)
  /// True if all predicates of the list are true, or if the list is empty.
  case and([ObjectPredicate])
  /// True if at least one predicate of the list is true; false if the list is empty.
  case or([ObjectPredicate])
}

/// What is true or false for an object: a predicate, or an attribute that is a Bool (`$0.isActive && $0.age >= 18`).
public protocol ObjectCondition {
  /// The condition as a predicate.
  var predicate: ObjectPredicate { get }
}

extension ObjectCondition {
  /// Returns a predicate that is true if both are.
  public static func && (left: Self, right: some ObjectCondition) -> ObjectPredicate {
    .and(left.predicate.terms(of: .and) + right.predicate.terms(of: .and))
  }

  /// Returns a predicate that is true if at least one is.
  public static func || (left: Self, right: some ObjectCondition) -> ObjectPredicate {
    .or(left.predicate.terms(of: .or) + right.predicate.terms(of: .or))
  }

  /// Returns the negation.
  public static prefix func ! (condition: Self) -> ObjectPredicate { .not(condition.predicate) }
}

extension ObjectPredicate: ObjectCondition {
  /// The predicate itself.
  public var predicate: ObjectPredicate { self }

  fileprivate enum Connective { case and, or }

  fileprivate func terms(of connective: Connective) -> [ObjectPredicate] {
    switch (self, connective) {
    case (.and(let terms), .and), (.or(let terms), .or): terms
    default: [self]
    }
  }
}

extension ObjectPredicate {
  /// Returns the predicate with values for its variables.
  /// - Parameter variables: values by name without `$`; unused names are ignored.
  /// - Throws: ``InvalidPredicate/unboundVariable(offset:name:)`` for the first variable without a value.
  public func binding(_ variables: [String: PredicateConstant]) throws(InvalidPredicate) -> ObjectPredicate {
    switch self {
    case .constant: return self
    case .not(let predicate): return .not(try predicate.binding(variables))
    case .and(let terms): return .and(try Self.bind(terms, variables))
    case .or(let terms): return .or(try Self.bind(terms, variables))
    case .comparison(var comparison):
      comparison.left = try comparison.left.binding(variables)
      comparison.right = try comparison.right.binding(variables)
      return .comparison(comparison)
    }
  }

  private static func bind(
    _ terms: [ObjectPredicate], _ variables: [String: PredicateConstant]
  ) throws(InvalidPredicate) -> [ObjectPredicate] {
    var bound: [ObjectPredicate] = []
    for term in terms { bound.append(try term.binding(variables)) }
    return bound
  }
}

extension PredicateTerm {
  fileprivate func binding(_ variables: [String: PredicateConstant]) throws(InvalidPredicate) -> PredicateTerm {
    switch self {
    case .path: return self
    case .constant(let constant): return .constant(try constant.binding(variables))
    case .function(let function, let terms, let offset):
      var bound: [PredicateTerm] = []
      for term in terms { bound.append(try term.binding(variables)) }
      return .function(function, bound, offset: offset)
    case .subquery(var subquery):
      subquery.predicate = try subquery.predicate.binding(variables)
      return .subquery(subquery)
    }
  }
}

extension PredicateConstant {
  fileprivate func binding(_ variables: [String: PredicateConstant]) throws(InvalidPredicate) -> PredicateConstant {
    switch self {
    case .value, .invalid: return self
    case .variable(let name, let offset):
      guard let value = variables[name] else { throw .unboundVariable(offset: offset.scalars, name: name) }
      return value
    case .element(let list, let index, let offset):
      return .element(of: try list.binding(variables), at: index, offset: offset)
    case .list(let elements):
      var bound: [PredicateConstant] = []
      for element in elements { bound.append(try element.binding(variables)) }
      return .list(bound)
    }
  }
}

/// Why a predicate cannot be parsed or does not fit its entity.
///
/// Offsets count Unicode scalars from 0, in the text of the predicate or of a request's key path. They are nil if the
/// predicate was built with operators.
public enum InvalidPredicate: Error, Codable, Hashable, Sendable {
  /// The token at this offset does not fit; the offset is the length of the text if the text ends too early.
  case syntax(offset: Int?)
  /// The number of placeholders differs from the number of arguments.
  case argumentCount(expected: Int, given: Int)
  /// Parentheses, lists, SUBQUERYs or operators are nested more than 200 deep, or the predicate has more than 400 levels.
  case tooDeep(offset: Int?)
  /// The argument of the `%K`, `%d` or `%f` at this offset is not a string, an integer or a number.
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

/// The offset of a part of a predicate in its text, in Unicode scalars from 0; nil if the predicate was built with
/// operators.
///
/// Offsets only locate errors, so all offsets are equal: predicates that differ only in offsets are equal.
public struct SourceOffset: Codable, Hashable, Sendable {
  /// The offset in Unicode scalars.
  public let scalars: Int?

  /// Creates an offset, or none.
  public init(_ scalars: Int? = nil) {
    self.scalars = scalars
  }

  /// Returns true, because all offsets are equal.
  public static func == (left: SourceOffset, right: SourceOffset) -> Bool { true }

  /// Hashes nothing, because all offsets are equal.
  public func hash(into hasher: inout Hasher) {}
}
