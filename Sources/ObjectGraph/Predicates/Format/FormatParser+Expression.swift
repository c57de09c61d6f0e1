extension FormatParser {
  mutating func predicate() throws(InvalidPredicate) -> ObjectPredicate {
    var terms = [try conjunction()]
    while try accept(.word(.or), .symbol(.or)) {
      terms.append(try conjunction())
    }
    return terms.count == 1 ? terms[0] : .or(terms)
  }

  private mutating func conjunction() throws(InvalidPredicate) -> ObjectPredicate {
    var terms = [try negation()]
    while try accept(.word(.and), .symbol(.and)) {
      terms.append(try negation())
    }
    return terms.count == 1 ? terms[0] : .and(terms)
  }

  private mutating func negation() throws(InvalidPredicate) -> ObjectPredicate {
    var isNegated = false
    while try accept(.word(.not), .symbol(.not)) { isNegated.toggle() }
    let predicate = try primary()
    // A double negation cancels out, even in three-valued logic.
    return isNegated ? .not(predicate) : predicate
  }

  private mutating func primary() throws(InvalidPredicate) -> ObjectPredicate {
    if try accept(.word(.truepredicate)) { return .constant(true) }
    if try accept(.word(.falsepredicate)) { return .constant(false) }
    guard try accept(.symbol(.open)) else { return .comparison(try comparison()) }
    return try nested { parser throws(InvalidPredicate) in
      let predicate = try parser.predicate()
      try parser.expect(.symbol(.close))
      return predicate
    }
  }

  private mutating func comparison() throws(InvalidPredicate) -> PredicateComparison {
    let start = try peek()
    var quantifier: PredicateComparison.Quantifier?
    switch start.kind {
    case .word(.any), .word(.some): quantifier = .any
    case .word(.all): quantifier = .all
    case .word(.none): quantifier = PredicateComparison.Quantifier.none
    default: break
    }
    if quantifier != nil { try next() }
    let left = try expression()
    let token = try next()
    guard let comparisonOperator = token.comparisonOperator else { throw .syntax(offset: token.offset) }
    let options = comparisonOperator == .between ? [] : try options()
    var comparison = PredicateComparison(
      left, comparisonOperator, try expression(), options: options, quantifier: quantifier)
    comparison.operatorOffset = SourceOffset(token.offset)
    if quantifier != nil { comparison.quantifierOffset = SourceOffset(start.offset) }
    return comparison
  }
}

extension FormatToken {
  fileprivate var comparisonOperator: PredicateComparison.Operator? {
    switch kind {
    case .comparison(let comparison): comparison
    case .word(.in): .in
    case .word(.beginswith): .beginsWith
    case .word(.endswith): .endsWith
    case .word(.contains): .contains
    case .word(.like): .like
    case .word(.matches): .matches
    case .word(.between): .between
    default: nil
    }
  }
}

// expression = constant | path | subquery.
extension FormatParser {
  mutating func expression() throws(InvalidPredicate) -> PredicateTerm {
    let token = try peek()
    switch token.kind {
    case .word(.subquery): return .subquery(try subquery())
    case .symbol(.keyArgument), .word(.self), .key: return .path(try path())
    case .variable(let name) where isElement(name): return .path(try path())
    default: return .constant(try constant())
    }
  }

  // MARK: Constants

  private mutating func constant() throws(InvalidPredicate) -> PredicateConstant {
    let token = try next()
    switch token.kind {
    case .string(let text): return .value(.string(text))
    case .integer(let integer): return .value(.integer(integer))
    case .double(let double): return .value(.double(double))
    case .word(.true), .word(.yes): return .value(.boolean(true))
    case .word(.false), .word(.no): return .value(.boolean(false))
    case .word(.nil), .word(.null): return .value(.null)
    case .word(.cast): return try cast()
    case .variable(let name) where !isElement(name): return .variable(name: name, offset: SourceOffset(token.offset))
    case .symbol(.argument): return nextArgument() ?? .value(.null)
    case .symbol(.openList): return try nested { parser throws(InvalidPredicate) in try parser.list() }
    default: throw .syntax(offset: token.offset)
    }
  }

  private mutating func list() throws(InvalidPredicate) -> PredicateConstant {
    var elements: [PredicateConstant] = []
    if try accept(.symbol(.closeList)) { return .list(elements) }
    repeat { elements.append(try constant()) } while try accept(.symbol(.comma))
    try expect(.symbol(.closeList))
    return .list(elements)
  }

  private mutating func cast() throws(InvalidPredicate) -> PredicateConstant {
    try expect(.symbol(.open))
    let (text, textOffset) = try string()
    try expect(.symbol(.comma))
    let (type, typeOffset) = try string()
    try expect(.symbol(.close))
    guard let date = FormatDate.date(text) else { return .invalid(.typeMismatch(offset: textOffset)) }
    guard type == "NSDate" else { return .invalid(.typeMismatch(offset: typeOffset)) }
    return .value(.date(date))
  }

  private mutating func string() throws(InvalidPredicate) -> (String, Int) {
    let token = try next()
    guard case .string(let text) = token.kind else { throw .syntax(offset: token.offset) }
    return (text, token.offset)
  }

  // MARK: Paths

  mutating func path() throws(InvalidPredicate) -> PredicatePath {
    let token = try next()
    var path = PredicatePath(offset: SourceOffset(token.offset))
    switch token.kind {
    case .symbol(.keyArgument): return self.path(argument: nextArgument(), offset: token.offset)
    case .word(.self): break
    case .variable(let name) where isElement(name): path.root = .element(name)
    case .key(let name): path.keys = [PredicatePath.Key(name, offset: path.offset)]
    default: throw .syntax(offset: token.offset)
    }
    while try accept(.symbol(.dot)) {
      let token = try peek()
      if case .aggregate(let function) = token.kind {
        try next()
        path.aggregate = PredicatePath.Aggregate(function, offset: SourceOffset(token.offset))
        if function != .count { path.aggregate?.keys = try aggregateKeys() }
        break
      }
      path.keys.append(try key())
    }
    return path
  }

  private mutating func aggregateKeys() throws(InvalidPredicate) -> [PredicatePath.Key] {
    try expect(.symbol(.dot))
    var keys = [try key()]
    while try accept(.symbol(.dot)) { keys.append(try key()) }
    return keys
  }

  /// Parses a key after a dot, where reserved words are allowed.
  private mutating func key() throws(InvalidPredicate) -> PredicatePath.Key {
    let token = try next()
    guard !token.spelling.isEmpty else { throw .syntax(offset: token.offset) }
    return PredicatePath.Key(token.spelling, offset: SourceOffset(token.offset))
  }

  private mutating func subquery() throws(InvalidPredicate) -> PredicateSubquery {
    try next()
    try expect(.symbol(.open))
    let start = try peek()
    var path = try path()
    if let aggregate = path.aggregate {
      guard start.kind == .symbol(.keyArgument) else { throw .syntax(offset: aggregate.offset.scalars) }
      path = PredicatePath(root: .invalid(.syntax(offset: start.offset)), offset: path.offset)
    }
    try expect(.symbol(.comma))
    let token = try next()
    guard case .variable(let variable) = token.kind else { throw .syntax(offset: token.offset) }
    try expect(.symbol(.comma))
    let predicate = try nested { parser throws(InvalidPredicate) in
      try parser.withElement(variable) { parser throws(InvalidPredicate) in try parser.predicate() }
    }
    try expect(.symbol(.close))
    try expect(.symbol(.dot))
    try expect(.aggregate(.count))
    return PredicateSubquery(path, variable: variable, predicate: predicate)
  }
}
