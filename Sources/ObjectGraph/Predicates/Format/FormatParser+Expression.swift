extension FormatParser {
  /// What stands in parentheses: a predicate, a term, or either.
  private enum Content { case predicate, term, either }

  private enum Parsed {
    case predicate(ObjectPredicate)
    case term(PredicateTerm)
  }

  mutating func predicate() throws(InvalidPredicate) -> ObjectPredicate {
    guard case .predicate(let predicate) = try disjunction(.predicate) else { throw .syntax(offset: lastOffset) }
    return predicate
  }

  private mutating func disjunction(_ content: Content) throws(InvalidPredicate) -> Parsed {
    let first = try conjunction(content)
    guard case .predicate(let predicate) = first else { return first }
    var terms = [predicate]
    while try accept(.word(.or), .symbol(.or)) {
      if case .predicate(let next) = try conjunction(.predicate) { terms.append(next) }
    }
    return terms.count == 1 ? first : .predicate(.or(terms))
  }

  private mutating func conjunction(_ content: Content) throws(InvalidPredicate) -> Parsed {
    let first = try negation(content)
    guard case .predicate(let predicate) = first else { return first }
    var terms = [predicate]
    while try accept(.word(.and), .symbol(.and)) {
      if case .predicate(let next) = try negation(.predicate) { terms.append(next) }
    }
    return terms.count == 1 ? first : .predicate(.and(terms))
  }

  private mutating func negation(_ content: Content) throws(InvalidPredicate) -> Parsed {
    var content = content
    var isNegated = false
    while try accept(.word(.not), .symbol(.not)) {
      content = .predicate
      isNegated.toggle()
    }
    let parsed = try primary(content)
    // A double negation cancels out, even in three-valued logic.
    if isNegated, case .predicate(let predicate) = parsed { return .predicate(.not(predicate)) }
    return parsed
  }

  private mutating func primary(_ content: Content) throws(InvalidPredicate) -> Parsed {
    if try accept(.word(.truepredicate)) { return .predicate(.constant(true)) }
    if try accept(.word(.falsepredicate)) { return .predicate(.constant(false)) }
    let start = try peek()
    var quantifier: PredicateComparison.Quantifier?
    switch start.kind {
    case .word(.any), .word(.some): quantifier = .any
    case .word(.all): quantifier = .all
    case .word(.none): quantifier = PredicateComparison.Quantifier.none
    default: break
    }
    if quantifier != nil { try next() }
    let parsed = try sum(quantifier == nil ? .either : .term)
    guard case .term(let left) = parsed else { return parsed }
    let token = try peek()
    // Parentheses around a term.
    if content == .either, quantifier == nil, token.kind == .symbol(.close) { return .term(left) }
    guard let comparisonOperator = token.comparisonOperator else { throw .syntax(offset: token.offset) }
    try next()
    let options = comparisonOperator == .between ? [] : try options()
    var comparison = PredicateComparison(
      left, comparisonOperator, try term(), options: options, quantifier: quantifier)
    comparison.operatorOffset = SourceOffset(token.offset)
    if quantifier != nil { comparison.quantifierOffset = SourceOffset(start.offset) }
    return .predicate(.comparison(comparison))
  }

  // MARK: Terms

  private mutating func term() throws(InvalidPredicate) -> PredicateTerm {
    guard case .term(let term) = try sum(.term) else { throw .syntax(offset: lastOffset) }
    return term
  }

  private mutating func sum(_ content: Content) throws(InvalidPredicate) -> Parsed {
    var left = try product(content)
    var length = 0
    while let sign = try accept(.add, .subtract) {
      left = try applied(sign, left, &length) { parser throws(InvalidPredicate) in try parser.product(.term) }
    }
    return left
  }

  private mutating func product(_ content: Content) throws(InvalidPredicate) -> Parsed {
    var left = try operand(content)
    var length = 0
    while let sign = try accept(.multiply, .divide) {
      left = try applied(sign, left, &length) { parser throws(InvalidPredicate) in try parser.operand(.term) }
    }
    return left
  }

  private mutating func applied(
    _ sign: PredicateFunction, _ left: Parsed, _ length: inout Int,
    _ right: (inout FormatParser) throws(InvalidPredicate) -> Parsed
  ) throws(InvalidPredicate) -> Parsed {
    let offset = lastOffset
    length += 1
    guard length < Self.maximumDepth else { throw .tooDeep(offset: offset) }
    guard case .term(let first) = left, case .term(let second) = try right(&self) else { throw .syntax(offset: offset) }
    return .term(.function(sign, [first, second], offset: SourceOffset(offset)))
  }

  private mutating func operand(_ content: Content) throws(InvalidPredicate) -> Parsed {
    guard try accept(.symbol(.open)) else { return .term(try expression()) }
    return try nested { parser throws(InvalidPredicate) in
      let parsed = content == .term ? .term(try parser.term()) : try parser.disjunction(.either)
      try parser.expect(.symbol(.close))
      return parsed
    }
  }
}

extension PredicateFunction {
  /// False for a sign.
  fileprivate var isNamed: Bool { rawValue.count > 1 }
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

// expression = constant | path | subquery | function.
extension FormatParser {
  fileprivate mutating func expression() throws(InvalidPredicate) -> PredicateTerm {
    let token = try peek()
    switch token.kind {
    case .word(.subquery): return .subquery(try subquery())
    case .symbol(.keyArgument), .word(.self), .key: return .path(try path())
    case .variable(let name) where isElement(name): return .path(try path())
    case .function(let function) where function.isNamed: return try call(function)
    case .variable, .symbol(.argument), .symbol(.openList): return .constant(try indexed(try constant()))
    default: return .constant(try constant())
    }
  }

  /// Parses `max:(a, b)` or `max:({a, b})`.
  private mutating func call(_ function: PredicateFunction) throws(InvalidPredicate) -> PredicateTerm {
    let offset = try next().offset
    try expect(.symbol(.open))
    return try nested { parser throws(InvalidPredicate) in
      let isList = try parser.accept(.symbol(.openList))
      var terms: [PredicateTerm] = []
      repeat { terms.append(try parser.term()) } while try parser.accept(.symbol(.comma))
      if isList { try parser.expect(.symbol(.closeList)) }
      try parser.expect(.symbol(.close))
      return .function(function, terms, offset: SourceOffset(offset))
    }
  }

  /// Parses the indexes after a list.
  private mutating func indexed(_ list: PredicateConstant) throws(InvalidPredicate) -> PredicateConstant {
    guard try accept(.symbol(.openIndex)) else { return list }
    let offset = lastOffset
    let token = try next()
    let index: PredicateConstant.Index
    switch (token.kind, token.spelling.lowercased()) {
    case (.integer(let number), _): index = .number(Int(number))
    case (.key, "first"): index = .first
    case (.key, "last"): index = .last
    case (.key, "size"): index = .size
    default: throw .syntax(offset: token.offset)
    }
    try expect(.symbol(.closeIndex))
    return .element(of: list, at: index, offset: SourceOffset(offset))
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
    case .symbol(.integerArgument), .symbol(.numberArgument):
      switch (nextArgument(), token.kind) {
      case (nil, _): return .value(.null)
      case (.value(.integer(let number)), .symbol(.integerArgument)): return .value(.integer(number))
      case (.value(.integer(let number)), _): return .value(.double(Double(number)))
      case (.value(.double(let number)), .symbol(.numberArgument)): return .value(.double(number))
      default: return .invalid(.argumentType(offset: token.offset))
      }
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
