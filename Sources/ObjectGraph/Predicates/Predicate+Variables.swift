extension Predicate {
  /// Returns the predicate with values for its variables.
  /// - Parameter variables: values by name without `$`; unused names are ignored.
  /// - Throws: ``InvalidPredicate/unboundVariable(offset:name:)`` for the first variable without a value.
  public func binding(_ variables: [String: PredicateConstant]) throws(InvalidPredicate) -> Predicate {
    switch self {
    case .constant: return self
    case .not(let predicate): return .not(try predicate.binding(variables))
    case .and(let terms): return .and(try Self.bind(terms, variables))
    case .or(let terms): return .or(try Self.bind(terms, variables))
    case .comparison(var comparison):
      comparison.left = try comparison.left.binding(variables)
      comparison.right = try comparison.right.binding(variables)
      return .comparison(comparison)
    }
  }

  private static func bind(
    _ terms: [Predicate], _ variables: [String: PredicateConstant]
  ) throws(InvalidPredicate) -> [Predicate] {
    var bound: [Predicate] = []
    for term in terms { bound.append(try term.binding(variables)) }
    return bound
  }
}

extension PredicateTerm {
  fileprivate func binding(_ variables: [String: PredicateConstant]) throws(InvalidPredicate) -> PredicateTerm {
    switch self {
    case .path: return self
    case .constant(let constant): return .constant(try constant.binding(variables))
    case .subquery(var subquery):
      subquery.predicate = try subquery.predicate.binding(variables)
      return .subquery(subquery)
    }
  }
}

extension PredicateConstant {
  fileprivate func binding(_ variables: [String: PredicateConstant]) throws(InvalidPredicate) -> PredicateConstant {
    switch self {
    case .value, .invalid: return self
    case .variable(let name, let offset):
      guard let value = variables[name] else { throw .unboundVariable(offset: offset.scalars, name: name) }
      return value
    case .list(let elements):
      var bound: [PredicateConstant] = []
      for element in elements { bound.append(try element.binding(variables)) }
      return .list(bound)
    }
  }
}
