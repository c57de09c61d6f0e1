// predicate = conjunction { OR conjunction }, conjunction = negation { AND negation }, and so on down to a comparison.
extension FormatParser {
  mutating func predicate() throws(InvalidPredicate) -> Predicate {
    var terms = [try conjunction()]
    while try accept(.word(.or), .symbol(.or)) {
      terms.append(try conjunction())
    }
    return terms.count == 1 ? terms[0] : .or(terms)
  }

  private mutating func conjunction() throws(InvalidPredicate) -> Predicate {
    var terms = [try negation()]
    while try accept(.word(.and), .symbol(.and)) {
      terms.append(try negation())
    }
    return terms.count == 1 ? terms[0] : .and(terms)
  }

  private mutating func negation() throws(InvalidPredicate) -> Predicate {
    var isNegated = false
    while try accept(.word(.not), .symbol(.not)) { isNegated.toggle() }
    let predicate = try primary()
    // A double negation cancels out, even in three-valued logic.
    return isNegated ? .not(predicate) : predicate
  }

  private mutating func primary() throws(InvalidPredicate) -> Predicate {
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
