extension CheckedRequest {
  /// Returns the request with temporary ids in its predicates replaced by those that a save assigned.
  func resolving(_ resolve: (ObjectID) -> ObjectID) -> CheckedRequest {
    var request = self
    request.predicate.condition = predicate.condition.resolving(resolve)
    for index in (rows?.columns ?? []).indices {
      guard case .count(var predicate)? = rows?.columns[index].content else { continue }
      predicate.condition = predicate.condition.resolving(resolve)
      request.rows?.columns[index].content = .count(predicate)
    }
    if let having = rows?.having { request.rows?.having?.condition = having.condition.resolving(resolve) }
    return request
  }
}

extension Condition {
  fileprivate func resolving(_ resolve: (ObjectID) -> ObjectID) -> Condition {
    switch self {
    case .constant: self
    case .not(let condition): .not(condition.resolving(resolve))
    case .and(let conditions): .and(conditions.map { $0.resolving(resolve) })
    case .or(let conditions): .or(conditions.map { $0.resolving(resolve) })
    case .isNil(let operand): .isNil(operand.resolving(resolve))
    case .equal(let left, let right, let options): .equal(left.resolving(resolve), right.resolving(resolve), options)
    case .ordered(let left, let test, let right, let options):
      .ordered(left.resolving(resolve), test, right.resolving(resolve), options)
    case .isIn(let operand, let values, let options):
      .isIn(operand.resolving(resolve), values.map { $0.resolving(resolve) }, options)
    case .text(let left, let test, let right, let options):
      .text(left.resolving(resolve), test, right.resolving(resolve), options)
    case .quantified(let quantifier, let source, let condition):
      .quantified(quantifier, source, condition.resolving(resolve))
    }
  }
}

extension Operand {
  fileprivate func resolving(_ resolve: (ObjectID) -> ObjectID) -> Operand {
    switch self {
    case .constant(let value): .constant(value.resolving(resolve))
    case .path, .aggregate: self
    case .count(let source, where: let condition): .count(source, where: condition?.resolving(resolve))
    }
  }
}

extension Value {
  fileprivate func resolving(_ resolve: (ObjectID) -> ObjectID) -> Value {
    if case .object(let id) = self { .object(resolve(id)) } else { self }
  }
}
