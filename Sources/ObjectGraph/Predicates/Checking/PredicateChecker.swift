/// A predicate that was checked and fits its subject.
public struct CheckedPredicate: Sendable {
  var condition: Condition
  let patterns = PatternCache()

  /// Checks a predicate: every name must be known, and every operator must accept its values.
  /// - Throws: the first error in the order of the text.
  public init(_ predicate: ObjectPredicate, for subject: PredicateSubject) throws(InvalidPredicate) {
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
  private var depth = 0

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

  mutating func condition(_ predicate: ObjectPredicate) throws(InvalidPredicate) -> Condition {
    try descend(to: nil)
    defer { depth -= 1 }
    switch predicate {
    case .constant(let isTrue): return .constant(isTrue)
    case .not(let predicate): return .not(try condition(predicate))
    case .and(let terms): return .and(try conditions(terms))
    case .or(let terms): return .or(try conditions(terms))
    case .comparison(let comparison): return try condition(comparison)
    }
  }

  /// A predicate may be built with operators, so its text does not limit its depth.
  private mutating func descend(to offset: Int?) throws(InvalidPredicate) {
    guard depth < 2 * FormatParser.maximumDepth else { throw .tooDeep(offset: offset) }
    depth += 1
  }

  private mutating func conditions(_ terms: [ObjectPredicate]) throws(InvalidPredicate) -> [Condition] {
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
    case .function(let function, let terms, let offset): return try side(function, terms, offset.scalars)
    }
  }

  private mutating func side(
    _ function: PredicateFunction, _ terms: [PredicateTerm], _ offset: Int?
  ) throws(InvalidPredicate) -> Side {
    try descend(to: offset)
    defer { depth -= 1 }
    // The only argument may be a list or a to-many.
    if terms.count == 1, let aggregate = function.aggregate {
      if case .path(let path) = terms[0], path.aggregate == nil {
        let resolved = try resolve(path, allowsToMany: true)
        if let source = resolved.source {
          guard let type = resolved.type, aggregate.accepts(type) else { throw .typeMismatch(offset: offset) }
          return Side(operand: .aggregate(aggregate, source, resolved.tail), kind: ValueKind(type))
        }
      } else if case .constant(let constant) = terms[0], let values = try values(constant, at: SourceOffset(offset)) {
        return try side(function, values.map { Side(operand: .constant($0), kind: ValueKind($0)) }, offset)
      }
    }
    var sides: [Side] = []
    for term in terms {
      guard let side = try side(term) else { throw .typeMismatch(offset: offset) }
      sides.append(side)
    }
    return try side(function, sides, offset)
  }

  private func side(
    _ function: PredicateFunction, _ sides: [Side], _ offset: Int?
  ) throws(InvalidPredicate) -> Side {
    let kinds = Set(sides.compactMap(\.kind))
    let (needed, count): (ValueKind?, ClosedRange<Int>) =
      switch function {
      case .lowercase, .uppercase: (.text, 1...1)
      case .minimum, .maximum: (nil, 1...100)
      case .sum: (.number, 1...100)
      case .add, .subtract, .multiply, .divide: (.number, 2...2)
      }
    let fits = needed.map { kinds.isSubset(of: [$0]) } ?? (kinds.count < 2 && kinds.allSatisfy(\.isOrdered))
    guard fits, count.contains(sides.count) else { throw .typeMismatch(offset: offset) }
    return Side(operand: .function(function, sides.map(\.operand)), kind: needed ?? kinds.first)
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
    case .element(let list, let index, let offset):
      guard let values = try values(list, at: offset) else { throw .typeMismatch(offset: offset.scalars) }
      switch index {
      case .number(let number): return values.indices.contains(number) ? values[number] : .null
      case .first: return values.first ?? .null
      case .last: return values.last ?? .null
      case .size: return .integer(Int64(values.count))
      }
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

/// A path with resolved keys.
struct ResolvedPath {
  /// The elements that the path goes through; nil if it has no to-many key.
  var source: ElementSource?
  /// The rest of the path, from the object or from an element of the source.
  var tail: ValuePath
  /// Nil only for a row as a whole, before its column is resolved.
  var kind: ValueKind?
  var type: AttributeType?
  /// The entity of the object at the end, if it is an object.
  var entity: Entity?
}

extension PredicateChecker {
  /// Resolves the keys of a path, without its aggregate.
  mutating func resolve(_ path: PredicatePath, allowsToMany: Bool) throws(InvalidPredicate) -> ResolvedPath {
    let start = try start(path)
    guard let entity = start.entity else { return try resolve(path, without: start) }
    return try resolve(path.keys, from: start, entity: entity, allowsToMany: allowsToMany)
  }

  private func start(_ path: PredicatePath) throws(InvalidPredicate) -> ResolvedPath {
    switch path.root {
    case .invalid(let error): throw error
    case .element(let name):
      // The parser accepts this only inside the SUBQUERY of the variable, but a predicate may be built by hand.
      guard let variable = variables.last(where: { $0.name == name }) else {
        throw .unboundVariable(offset: path.offset.scalars, name: name)
      }
      return ResolvedPath(
        tail: ValuePath(root: .element(variable.level), relationships: variable.relationships, end: .object),
        kind: .object, entity: variable.entity)
    case .object:
      switch subject {
      case .objects(let entity), .rule(let entity):
        return ResolvedPath(tail: ValuePath(root: .object, end: .object), kind: .object, entity: entity)
      case .value(let type):
        return ResolvedPath(tail: ValuePath(root: .object, end: .value), kind: ValueKind(type), type: type)
      case .row: return ResolvedPath(tail: ValuePath(root: .object, end: .value))
      }
    }
  }

  /// Resolves a path from a value, which has no keys, or from a row, whose columns may have dots in their names.
  private func resolve(_ path: PredicatePath, without start: ResolvedPath) throws(InvalidPredicate) -> ResolvedPath {
    guard case .row(let columns) = subject else {
      guard let key = path.keys.first else { return start }
      throw .unknownKey(offset: key.offset.scalars, key: key.name, entity: nil)
    }
    let name = path.keys.map(\.name).joined(separator: ".")
    guard let type = columns[name] else {
      throw .unknownKey(offset: path.keys.first?.offset.scalars ?? path.offset.scalars, key: name, entity: nil)
    }
    return ResolvedPath(
      tail: ValuePath(root: .object, end: .column(name)), kind: type.map { ValueKind($0) } ?? .object, type: type)
  }

  private mutating func resolve(
    _ keys: [PredicatePath.Key], from start: ResolvedPath, entity: Entity, allowsToMany: Bool
  ) throws(InvalidPredicate) -> ResolvedPath {
    var resolved = start
    for key in keys {
      guard let entity = resolved.entity, let property = property(key.name, of: entity) else {
        throw .unknownKey(offset: key.offset.scalars, key: key.name, entity: resolved.entity?.name)
      }
      switch property {
      case .attribute(let attribute):
        resolved.tail.end = .attribute(attribute)
        resolved.kind = ValueKind(attribute.type)
        resolved.type = attribute.type
        resolved.entity = nil
      case .relationship(let relationship):
        resolved.entity = relationship.destination
        resolved.tail.relationships.append(relationship)
        guard relationship.isToMany else { break }
        guard allowsToMany else { throw .toManyNotAllowed(offset: key.offset.scalars) }
        // All to-many keys of a path share one source, whose elements are those of the last key.
        let level = resolved.source?.level ?? nextLevel()
        let before = resolved.source?.relationships ?? []
        resolved.source = ElementSource(
          root: resolved.source?.root ?? resolved.tail.root, relationships: before + resolved.tail.relationships,
          level: level)
        resolved.tail = ValuePath(root: .element(level), end: .object)
      }
    }
    return resolved
  }

  private func property(_ name: String, of entity: Entity) -> Property? {
    let property = entity.property(named: name)
    guard case .attribute(let attribute) = property else { return property }
    if attribute.description.isHidden { return nil }
    if attribute.description.isTransient, case .objects = subject { return nil }
    return property
  }

  // MARK: Aggregates

  /// Checks `@count` and the like, which directly follow the only to-many key of their path.
  mutating func side(
    _ path: PredicatePath, _ aggregate: PredicatePath.Aggregate
  ) throws(InvalidPredicate) -> Side {
    var owner = path
    let last = owner.keys.popLast()
    let before = try resolve(owner, allowsToMany: false)
    guard let last else { throw .notToMany(offset: aggregate.offset.scalars) }
    guard let entity = before.entity, let property = property(last.name, of: entity) else {
      throw .unknownKey(offset: last.offset.scalars, key: last.name, entity: before.entity?.name)
    }
    guard case .relationship(let relationship) = property, relationship.isToMany else {
      throw .notToMany(offset: aggregate.offset.scalars)
    }
    let source = ElementSource(
      root: before.tail.root, relationships: before.tail.relationships + [relationship], level: nextLevel())
    if aggregate.function == .count { return Side(operand: .count(source, where: nil), kind: .number) }
    let element = ResolvedPath(
      tail: ValuePath(root: .element(source.level), end: .object), kind: .object, entity: relationship.destination)
    let value = try resolve(aggregate.keys, from: element, entity: relationship.destination, allowsToMany: false)
    guard let type = value.type, aggregate.function.accepts(type) else {
      throw .typeMismatch(offset: aggregate.offset.scalars)
    }
    return Side(
      operand: .aggregate(aggregate.function, source, value.tail),
      kind: aggregate.function == .average ? .number : ValueKind(type))
  }
}

extension PredicateFunction {
  /// The function of the values of a to-many; nil if there is none.
  fileprivate var aggregate: AggregateFunction? {
    switch self {
    case .minimum: .minimum
    case .maximum: .maximum
    case .sum: .sum
    default: nil
    }
  }
}

extension AggregateFunction {
  /// Returns whether the function accepts the type: sums and means need numbers, minimum and maximum an ordered type.
  func accepts(_ type: AttributeType) -> Bool {
    switch self {
    case .count: true
    case .sum, .average: type == .integer || type == .double
    case .minimum, .maximum: type.isOrdered
    }
  }
}
