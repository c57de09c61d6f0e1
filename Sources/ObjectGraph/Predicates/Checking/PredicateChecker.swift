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

/// Resolves the names of a predicate and checks the kinds of its values, from left to right.
struct PredicateChecker {
  let subject: PredicateSubject
  /// The variables of the enclosing SUBQUERYs, the innermost last.
  var variables: [Variable] = []
  private var level = 0

  /// A variable: the element of a level, or an object that a to-one path from there points to.
  struct Variable {
    let name: String
    let level: Int
    let relationships: [Relationship]
    let entity: Entity
  }

  init(subject: PredicateSubject) {
    self.subject = subject
  }

  mutating func condition(_ predicate: Predicate) throws(InvalidPredicate) -> Condition {
    switch predicate {
    case .constant(let isTrue): return .constant(isTrue)
    case .not(let predicate): return .not(try condition(predicate))
    case .and(let terms): return .and(try conditions(terms))
    case .or(let terms): return .or(try conditions(terms))
    case .comparison(let comparison): return try condition(comparison)
    }
  }

  private mutating func conditions(_ terms: [Predicate]) throws(InvalidPredicate) -> [Condition] {
    var conditions: [Condition] = []
    for term in terms { conditions.append(try condition(term)) }
    return conditions
  }

  // MARK: Operands

  /// One side of a comparison with the kind of its value, which is nil for `.null`.
  struct Side {
    let operand: Operand
    let kind: ValueKind?

    var isNil: Bool {
      if case .constant(.null) = operand { true } else { false }
    }
  }

  /// Returns the side for a term that is a single value; nil for a list.
  mutating func side(_ expression: PredicateTerm) throws(InvalidPredicate) -> Side? {
    switch expression {
    case .constant(let constant): return try value(constant).map { Side(operand: .constant($0), kind: ValueKind($0)) }
    case .path(let path): return try side(path)
    case .subquery(let subquery): return Side(operand: try count(subquery), kind: .number)
    }
  }

  private mutating func side(_ path: PredicatePath) throws(InvalidPredicate) -> Side {
    guard let aggregate = path.aggregate else {
      let resolved = try resolve(path, allowsToMany: false)
      return Side(operand: .path(resolved.tail), kind: resolved.kind)
    }
    return try self.side(path, aggregate)
  }

  /// Returns the value of a constant; nil for a list. NaN becomes null.
  func value(_ constant: PredicateConstant) throws(InvalidPredicate) -> Value? {
    switch constant {
    case .value(.double(let number)) where number.isNaN: return .null
    case .value(let value): return value
    case .list: return nil
    case .variable(let name, let offset): throw .unboundVariable(offset: offset.scalars, name: name)
    case .invalid(let error): throw error
    }
  }

  /// Returns the values of a list; nil if the constant is not a list. Nested lists are not allowed.
  func values(_ constant: PredicateConstant, at offset: SourceOffset) throws(InvalidPredicate) -> [Value]? {
    guard case .list(let elements) = constant else { return nil }
    var values: [Value] = []
    for element in elements {
      guard let value = try value(element) else { throw .typeMismatch(offset: offset.scalars) }
      values.append(value)
    }
    return values
  }

  /// Returns the operand that counts the elements that match a predicate.
  private mutating func count(_ subquery: PredicateSubquery) throws(InvalidPredicate) -> Operand {
    let resolved = try resolve(subquery.path, allowsToMany: true)
    guard let source = resolved.source, case .object = resolved.tail.end, let entity = resolved.entity else {
      throw .notToMany(offset: subquery.path.offset.scalars)
    }
    variables.append(
      Variable(
        name: subquery.variable, level: source.level, relationships: resolved.tail.relationships, entity: entity))
    defer { variables.removeLast() }
    return .count(source, where: try condition(subquery.predicate))
  }

  /// Returns a new level for the elements of a source.
  mutating func nextLevel() -> Int {
    defer { level += 1 }
    return level
  }
}
