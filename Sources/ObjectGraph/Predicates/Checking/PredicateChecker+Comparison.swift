extension PredicateChecker {
  mutating func condition(_ comparison: PredicateComparison) throws(InvalidPredicate) -> Condition {
    if let quantifier = comparison.quantifier {
      let elements = try elements(comparison)
      let condition = try condition(comparison, elements.element)
      return .quantified(quantifier, elements.source, condition)
    }
    if comparison.operator == .contains, let membership = try membership(of: comparison.left, comparison) {
      return membership
    }
    guard let left = try side(comparison.left) else {
      // A list is not allowed on the left. The right side comes later in the text, so it is not checked.
      throw .typeMismatch(offset: comparison.operatorOffset.scalars)
    }
    return try condition(comparison, left)
  }

  private func mismatch(_ comparison: PredicateComparison) -> InvalidPredicate {
    .typeMismatch(offset: comparison.operatorOffset.scalars)
  }

  // MARK: To-many sides

  private mutating func elements(
    _ comparison: PredicateComparison
  ) throws(InvalidPredicate) -> (source: ElementSource, element: Side) {
    guard case .path(let path) = comparison.left, path.aggregate == nil else {
      _ = try side(comparison.left)
      throw .notToMany(offset: comparison.quantifierOffset.scalars)
    }
    let resolved = try resolve(path, allowsToMany: true)
    guard let source = resolved.source else { throw .notToMany(offset: comparison.quantifierOffset.scalars) }
    return (source, Side(operand: .path(resolved.tail), kind: resolved.kind))
  }

  /// Checks `path CONTAINS object`; returns nil if the left side is not a to-many path to objects.
  private mutating func membership(
    of expression: PredicateTerm, _ comparison: PredicateComparison
  ) throws(InvalidPredicate) -> Condition? {
    guard case .path(let path) = expression, path.aggregate == nil else { return nil }
    let resolved = try resolve(path, allowsToMany: true)
    // Anything else is checked as a single value, and refused if it has a to-many key.
    guard let source = resolved.source, case .object = resolved.tail.end else { return nil }
    guard let right = try side(comparison.right), fits(right, .object), comparison.options.isEmpty else {
      throw mismatch(comparison)
    }
    return .quantified(.any, source, .equal(.path(resolved.tail), right.operand, []))
  }

  /// Checks `x IN path`, which means `ANY path == x`.
  private mutating func membership(
    _ left: Side, in path: PredicatePath, _ comparison: PredicateComparison
  ) throws(InvalidPredicate) -> Condition {
    if path.aggregate != nil {
      _ = try side(comparison.right)
      throw mismatch(comparison)
    }
    let resolved = try resolve(path, allowsToMany: true)
    guard let source = resolved.source, comparison.quantifier == nil else {
      throw resolved.source == nil ? mismatch(comparison) : .toManyNotAllowed(offset: firstToMany(path))
    }
    guard fits(left, resolved.kind), optionsFit(comparison, left.kind, resolved.kind) else {
      throw mismatch(comparison)
    }
    return .quantified(.any, source, .equal(left.operand, .path(resolved.tail), comparison.options))
  }

  /// Returns the offset of the first to-many key of a path that has one.
  private mutating func firstToMany(_ path: PredicatePath) -> Int? {
    do {
      _ = try resolve(path, allowsToMany: false)
      return path.offset.scalars
    } catch {
      if case .toManyNotAllowed(let offset) = error { return offset }
      return path.offset.scalars
    }
  }

  // MARK: One value on the left

  private mutating func condition(
    _ comparison: PredicateComparison, _ left: Side
  ) throws(InvalidPredicate) -> Condition {
    switch comparison.operator {
    case .in: return try isIn(comparison, left)
    case .between: return try isBetween(comparison, left)
    default: break
    }
    guard let right = try side(comparison.right), fits(left, right.kind),
      optionsFit(comparison, left.kind, right.kind)
    else { throw mismatch(comparison) }
    switch comparison.operator {
    case .equal, .notEqual:
      let equal: Condition =
        if left.isNil { .isNil(right.operand) } else if right.isNil { .isNil(left.operand) } else {
          .equal(left.operand, right.operand, comparison.options)
        }
      return comparison.operator == .equal ? equal : .not(equal)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard left.kind?.isOrdered != false, right.kind?.isOrdered != false else { throw mismatch(comparison) }
      return .ordered(left.operand, comparison.operator.orderTest, right.operand, comparison.options)
    default:
      guard fits(left, .text), fits(right, .text), let test = comparison.operator.textTest else {
        throw mismatch(comparison)
      }
      if test == .matches, case .constant(.string(let pattern)) = right.operand,
        TextPattern(pattern, options: comparison.options) == nil
      {
        throw .badPattern(offset: comparison.operatorOffset.scalars)
      }
      return .text(left.operand, test, right.operand, comparison.options)
    }
  }

  private mutating func isIn(_ comparison: PredicateComparison, _ left: Side) throws(InvalidPredicate) -> Condition {
    switch comparison.right {
    case .path(let path): return try membership(left, in: path, comparison)
    case .subquery, .function:
      _ = try side(comparison.right)
      throw mismatch(comparison)
    case .constant(let constant):
      guard optionsFit(comparison, left.kind, nil) else { throw mismatch(comparison) }
      guard let values = try values(constant, at: comparison.operatorOffset) else {
        if try value(constant)?.isNull == true { return .constant(nil) }
        throw mismatch(comparison)
      }
      guard values.allSatisfy({ fits(left, ValueKind($0)) && optionsFit(comparison, ValueKind($0), nil) }) else {
        throw mismatch(comparison)
      }
      return .isIn(left.operand, values, comparison.options)
    }
  }

  /// Checks `x BETWEEN {a, b}`, which means `x >= a AND x <= b`.
  private mutating func isBetween(_ comparison: PredicateComparison, _ left: Side) throws(InvalidPredicate) -> Condition
  {
    guard case .constant(let constant) = comparison.right else {
      _ = try side(comparison.right)
      throw mismatch(comparison)
    }
    guard left.kind?.isOrdered != false else {
      _ = try value(constant)
      throw mismatch(comparison)
    }
    guard let bounds = try values(constant, at: comparison.operatorOffset) else {
      if try value(constant)?.isNull == true { return .constant(nil) }
      throw mismatch(comparison)
    }
    guard bounds.count == 2, bounds.allSatisfy({ fits(left, ValueKind($0)) && ValueKind($0)?.isOrdered != false })
    else { throw mismatch(comparison) }
    return .and([
      .ordered(left.operand, .greaterOrEqual, .constant(bounds[0]), []),
      .ordered(left.operand, .lessOrEqual, .constant(bounds[1]), []),
    ])
  }

  // MARK: Kinds

  /// Returns whether a side fits a kind; a side or a kind that is nil always does.
  private func fits(_ side: Side, _ kind: ValueKind?) -> Bool {
    guard let own = side.kind, let kind else { return true }
    return own == kind
  }

  private func optionsFit(_ comparison: PredicateComparison, _ kinds: ValueKind?...) -> Bool {
    comparison.options.isEmpty || kinds.allSatisfy { $0 == nil || $0 == .text }
  }
}

extension PredicateComparison.Operator {
  fileprivate var orderTest: Condition.OrderTest {
    switch self {
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    default: .greaterOrEqual
    }
  }

  fileprivate var textTest: Condition.TextTest? {
    switch self {
    case .beginsWith: .begins
    case .endsWith: .ends
    case .contains: .contains
    case .like: .like
    case .matches: .matches
    default: nil
    }
  }
}
