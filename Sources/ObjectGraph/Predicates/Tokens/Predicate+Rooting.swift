// The predicate in `count(where:)` is written for the element's class. Rooting makes its paths start at the variable of
// the SUBQUERY.
extension Predicate {
  /// How deeply SUBQUERYs are nested.
  var subqueryDepth: Int {
    switch self {
    case .constant: 0
    case .not(let predicate): predicate.subqueryDepth
    case .and(let terms), .or(let terms): terms.map(\.subqueryDepth).max() ?? 0
    case .comparison(let comparison): max(comparison.left.subqueryDepth, comparison.right.subqueryDepth)
    }
  }

  /// Returns the predicate with paths that start at `root` instead of the object.
  func rooted(at root: PredicatePath.Root) -> Predicate {
    switch self {
    case .constant: return self
    case .not(let predicate): return .not(predicate.rooted(at: root))
    case .and(let terms): return .and(terms.map { $0.rooted(at: root) })
    case .or(let terms): return .or(terms.map { $0.rooted(at: root) })
    case .comparison(var comparison):
      comparison.left = comparison.left.rooted(at: root)
      comparison.right = comparison.right.rooted(at: root)
      return .comparison(comparison)
    }
  }
}

extension PredicateTerm {
  fileprivate var subqueryDepth: Int {
    if case .subquery(let subquery) = self { subquery.predicate.subqueryDepth + 1 } else { 0 }
  }

  fileprivate func rooted(at root: PredicatePath.Root) -> PredicateTerm {
    switch self {
    case .constant: return self
    case .path(let path): return .path(path.rooted(at: root))
    case .subquery(var subquery):
      subquery.path = subquery.path.rooted(at: root)
      subquery.predicate = subquery.predicate.rooted(at: root)
      return .subquery(subquery)
    }
  }
}

extension PredicatePath {
  func appending(_ name: String) -> PredicatePath {
    var path = self
    path.keys.append(Key(name))
    return path
  }

  fileprivate func rooted(at root: Root) -> PredicatePath {
    guard self.root == .object else { return self }
    var path = self
    path.root = root
    return path
  }
}
