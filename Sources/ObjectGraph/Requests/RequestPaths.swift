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
