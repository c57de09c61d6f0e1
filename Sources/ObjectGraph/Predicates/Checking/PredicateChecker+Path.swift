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
