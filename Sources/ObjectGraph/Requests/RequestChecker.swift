/// Checks the fields of a request and resolves its key paths.
struct RequestChecker {
  let request: ObjectFetchRequest
  let entity: Entity

  func predicate() throws(ObjectGraphError) -> CheckedPredicate {
    try check(request.predicate ?? .constant(true), for: .objects(entity))
  }

  private func check(
    _ predicate: ObjectPredicate, for subject: PredicateSubject
  ) throws(ObjectGraphError) -> CheckedPredicate {
    do throws(InvalidPredicate) {
      return try CheckedPredicate(try predicate.binding(request.variables), for: subject)
    } catch {
      throw .predicate(error)
    }
  }

  func checkFields() throws(ObjectGraphError) {
    if request.limit < 0 { throw .badRequest(field: "limit") }
    if request.offset < 0 { throw .badRequest(field: "offset") }
    if request.result == .dictionaries {
      if request.properties.isEmpty { throw .badRequest(field: "properties") }
    } else if !request.properties.isEmpty || !request.groupBy.isEmpty || request.having != nil || request.isDistinct {
      throw .badRequest(field: "result")
    }
    if request.having != nil, request.groupBy.isEmpty { throw .badRequest(field: "having") }
  }

  // MARK: Rows

  func rows() throws(ObjectGraphError) -> CheckedRequest.Rows? {
    guard request.result == .dictionaries else { return nil }
    var groups: [CheckedRequest.Rows.Column] = []
    for path in request.groupBy {
      groups.append(CheckedRequest.Rows.Column(name: path, content: .input(try input(path))))
    }
    var columns: [CheckedRequest.Rows.Column] = []
    var hasFunctions = false
    for property in request.properties {
      switch property {
      case .keyPath(let path):
        columns.append(CheckedRequest.Rows.Column(name: path, content: .input(try input(path))))
      case .function(let name, let function, let path):
        hasFunctions = true
        let input = try input(path)
        guard function == .count || input.type.map(function.accepts) == true else { throw .wrongKind(key: path) }
        columns.append(CheckedRequest.Rows.Column(name: name, content: .function(function, input)))
      case .count(let name, let predicate):
        hasFunctions = true
        let checked = try check(predicate, for: .objects(entity))
        columns.append(CheckedRequest.Rows.Column(name: name, content: .count(checked)))
      case .members(let name, let path):
        columns.append(CheckedRequest.Rows.Column(name: name, content: .members(try members(path))))
      }
    }
    let isGrouped = hasFunctions || !groups.isEmpty
    if isGrouped {
      for property in request.properties {
        switch property {
        case .keyPath(let path) where !request.groupBy.contains(path): throw .badRequest(field: "properties")
        case .members: throw .badRequest(field: "properties")
        default: break
        }
      }
    }
    return CheckedRequest.Rows(
      columns: columns, groups: groups, having: try having(columns + groups), isGrouped: isGrouped)
  }

  private func having(_ columns: [CheckedRequest.Rows.Column]) throws(ObjectGraphError) -> CheckedPredicate? {
    guard let having = request.having else { return nil }
    let types = Dictionary(columns.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    return try check(having, for: .row(types))
  }

  // MARK: Order

  func order(_ rows: CheckedRequest.Rows?) throws(ObjectGraphError) -> [CheckedRequest.Order] {
    var order: [CheckedRequest.Order] = []
    for descriptor in request.sort {
      let type: AttributeType?
      let source: CheckedRequest.Order.Source
      if let rows, rows.isGrouped || request.isDistinct {
        guard let column = (rows.columns + rows.groups).first(where: { $0.name == descriptor.key }) else {
          throw .badRequest(field: "sort")
        }
        type = column.type
        source = .name(descriptor.key)
      } else {
        let input = try input(descriptor.key)
        type = input.type
        source = .input(input)
      }
      guard let type, type.isOrdered, descriptor.fold.isEmpty || type == .string else {
        throw .wrongKind(key: descriptor.key)
      }
      order.append(CheckedRequest.Order(source: source, isAscending: descriptor.isAscending, fold: descriptor.fold))
    }
    return order
  }

  // MARK: Key paths

  /// Resolves a key path through to-one relationships. No names are reserved here, except SELF as the first key if the
  /// entity has no property of that name.
  private func input(_ keyPath: String) throws(ObjectGraphError) -> CheckedRequest.Input {
    var checker = PredicateChecker(subject: .objects(entity))
    do throws(InvalidPredicate) {
      let resolved = try checker.resolve(path(keyPath), allowsToMany: false)
      return CheckedRequest.Input(path: resolved.tail, type: resolved.type)
    } catch {
      throw .predicate(error)
    }
  }

  /// Resolves a key path through to-one relationships that ends in a to-many.
  private func members(_ keyPath: String) throws(ObjectGraphError) -> ElementSource {
    var checker = PredicateChecker(subject: .objects(entity))
    do throws(InvalidPredicate) {
      let side = try checker.side(path(keyPath), PredicatePath.Aggregate(.count))
      guard case .count(let source, where: nil) = side.operand else { throw InvalidPredicate.notToMany(offset: nil) }
      return source
    } catch {
      throw .predicate(error)
    }
  }

  private func path(_ keyPath: String) -> PredicatePath {
    var keys: [PredicatePath.Key] = []
    var offset = 0
    for name in keyPath.split(separator: ".", omittingEmptySubsequences: false) {
      keys.append(PredicatePath.Key(String(name), offset: SourceOffset(offset)))
      offset += name.unicodeScalars.count + 1
    }
    if keys.first?.name.uppercased() == "SELF", entity.property(named: keys[0].name) == nil { keys.removeFirst() }
    return PredicatePath(keys: keys, offset: SourceOffset(0))
  }

  /// Checks that every key of a prefetch path is a relationship.
  func checkPrefetch() throws(ObjectGraphError) {
    for keyPath in request.prefetch {
      var checker = PredicateChecker(subject: .objects(entity))
      do throws(InvalidPredicate) {
        guard try checker.resolve(path(keyPath), allowsToMany: true).type == nil else {
          throw InvalidPredicate.typeMismatch(offset: nil)
        }
      } catch {
        if case .typeMismatch = error { throw .wrongKind(key: keyPath) }
        throw .predicate(error)
      }
    }
  }
}

/// The paths from the requested objects to the others that the result depends on.
struct RequestPaths {
  /// Each path is a list of relationships, starting at the object.
  private(set) var paths: Set<[Relationship]> = []
  private var elements: [Int: [Relationship]] = [:]

  init(_ request: CheckedRequest, _ inputs: RequestInputs) {
    add(request.predicate.condition)
    for entry in inputs.entries {
      switch entry {
      case .value(let input): add(input.path)
      case .memberCount(let source): add(source)
      case .truth(let predicate): add(predicate.condition)
      }
    }
  }

  private mutating func add(_ condition: Condition) {
    switch condition {
    case .constant: break
    case .not(let condition): add(condition)
    case .and(let conditions), .or(let conditions): for condition in conditions { add(condition) }
    case .isNil(let operand), .isIn(let operand, _, _): add(operand)
    case .equal(let left, let right, _), .ordered(let left, _, let right, _), .text(let left, _, let right, _):
      add(left)
      add(right)
    case .quantified(_, let source, let condition):
      add(source)
      add(condition)
    }
  }

  private mutating func add(_ operand: Operand) {
    switch operand {
    case .constant: break
    case .path(let path): add(path)
    case .function(_, let operands): for operand in operands { add(operand) }
    case .count(let source, where: let condition):
      add(source)
      if let condition { add(condition) }
    case .aggregate(_, let source, let path):
      add(source)
      add(path)
    }
  }

  private mutating func add(_ source: ElementSource) {
    let whole = start(source.root) + source.relationships
    elements[source.level] = whole
    paths.insert(whole)
  }

  private mutating func add(_ path: ValuePath) {
    let whole = start(path.root) + path.relationships
    if !whole.isEmpty { paths.insert(whole) }
  }

  private func start(_ root: PathRoot) -> [Relationship] {
    if case .element(let level) = root { elements[level] ?? [] } else { [] }
  }
}
