/// The left side of a comparison that is built with operators: `$0.age >= 18`.
public protocol PredicateOperand<ComparedValue>: Sendable {
  /// The type of the right side.
  associatedtype ComparedValue
  /// The side of the comparison.
  var predicateTerm: PredicateTerm { get }
  /// How many elements must pass, if there are several; nil for a single value.
  var predicateQuantifier: PredicateComparison.Quantifier? { get }
}

extension PredicateOperand {
  /// Nil, for a single value.
  public var predicateQuantifier: PredicateComparison.Quantifier? { nil }

  func compared(
    _ comparison: PredicateComparison.Operator, _ right: PredicateTerm, _ options: TextOptions = []
  ) -> ObjectPredicate {
    .comparison(
      PredicateComparison(
        predicateTerm, comparison, right, options: options, quantifier: predicateQuantifier))
  }

  func compared(
    _ comparison: PredicateComparison.Operator, _ value: some AttributeValue, _ options: TextOptions = []
  ) -> ObjectPredicate {
    compared(comparison, .constant(.value(value.attributeValue)), options)
  }
}

/// An attribute, the number of objects, or an aggregate of their values, in a condition.
public struct PredicateToken<ComparedValue>: PredicateOperand {
  /// The side of the comparison.
  public let predicateTerm: PredicateTerm
  /// How many elements must pass, if there are several; nil for a single value.
  public private(set) var predicateQuantifier: PredicateComparison.Quantifier?

  init(predicateTerm: PredicateTerm) { self.predicateTerm = predicateTerm }

  init(_ path: PredicatePath, _ quantifier: PredicateComparison.Quantifier? = nil) {
    predicateTerm = .path(path)
    predicateQuantifier = quantifier
  }
}

extension PredicateToken: ObjectCondition where ComparedValue == Bool {
  /// Whether the value is true.
  public var predicate: ObjectPredicate { self == true }
}

extension PredicateOperand where ComparedValue: AttributeValue {
  /// Returns a predicate that tests whether the values are equal; with nil, whether the left one is absent.
  public static func == (left: Self, right: ComparedValue) -> ObjectPredicate { left.compared(.equal, right) }
  /// Returns a predicate that tests whether the values differ; with nil, whether the left one is present.
  public static func != (left: Self, right: ComparedValue) -> ObjectPredicate { left.compared(.notEqual, right) }
  /// Returns a predicate that tests whether the left value is less.
  public static func < (left: Self, right: ComparedValue) -> ObjectPredicate { left.compared(.less, right) }
  /// Returns a predicate that tests whether the left value is less or equal.
  public static func <= (left: Self, right: ComparedValue) -> ObjectPredicate { left.compared(.lessOrEqual, right) }
  /// Returns a predicate that tests whether the left value is greater.
  public static func > (left: Self, right: ComparedValue) -> ObjectPredicate { left.compared(.greater, right) }
  /// Returns a predicate that tests whether the left value is greater or equal.
  public static func >= (left: Self, right: ComparedValue) -> ObjectPredicate { left.compared(.greaterOrEqual, right) }

  /// Returns a predicate that tests whether the value equals another value of the object.
  public func isEqual(to other: some PredicateOperand<ComparedValue>) -> ObjectPredicate {
    compared(.equal, other.predicateTerm)
  }

  /// Returns a predicate that tests whether the value is less than another value of the object.
  public func isLess(than other: some PredicateOperand<ComparedValue>) -> ObjectPredicate {
    compared(.less, other.predicateTerm)
  }

  /// Returns a predicate that tests whether the value equals one of these.
  public func isIn(_ values: [ComparedValue], options: TextOptions = []) -> ObjectPredicate {
    compared(.in, .constant(.list(values.map { .value($0.attributeValue) })), options)
  }

  /// Returns a predicate that tests whether the value is between two bounds, inclusive.
  public func isBetween(_ lower: ComparedValue, _ upper: ComparedValue) -> ObjectPredicate {
    compared(.between, .constant(.list([.value(lower.attributeValue), .value(upper.attributeValue)])))
  }
}

/// A string or an optional string.
public protocol TextValue: AttributeValue {}
extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension PredicateOperand where ComparedValue: TextValue {
  /// Returns a predicate that tests whether both strings are equal after folding.
  public func isEqual(to text: String, options: TextOptions) -> ObjectPredicate { compared(.equal, text, options) }
  /// Returns a predicate that tests whether the value begins with a string.
  public func beginsWith(_ text: String, options: TextOptions = []) -> ObjectPredicate {
    compared(.beginsWith, text, options)
  }
  /// Returns a predicate that tests whether the value ends with a string.
  public func endsWith(_ text: String, options: TextOptions = []) -> ObjectPredicate {
    compared(.endsWith, text, options)
  }
  /// Returns a predicate that tests whether the value contains a string.
  public func contains(_ text: String, options: TextOptions = []) -> ObjectPredicate {
    compared(.contains, text, options)
  }
  /// Returns a predicate that tests whether the whole value matches a pattern, in which `*` is any string and `?` is
  /// one Unicode scalar.
  public func isLike(_ pattern: String, options: TextOptions = []) -> ObjectPredicate {
    compared(.like, pattern, options)
  }
  /// Returns a predicate that tests whether the whole value matches a regular expression.
  public func matches(_ pattern: String, options: TextOptions = []) -> ObjectPredicate {
    compared(.matches, pattern, options)
  }
}

extension PredicateOperand where ComparedValue == ObjectID? {
  /// Returns a predicate that tests whether the left side points to the object; with nil, whether it points to none.
  public static func == (left: Self, right: ObjectID?) -> ObjectPredicate {
    left.compared(.equal, .constant(right.predicateConstant))
  }

  /// Returns a predicate that tests whether the left side points to another object; with nil, whether it points to any.
  public static func != (left: Self, right: ObjectID?) -> ObjectPredicate {
    left.compared(.notEqual, .constant(right.predicateConstant))
  }

  /// Returns a predicate that tests whether the left side points to the object.
  public static func == <Other: ManagedObject>(left: Self, right: Other?) -> ObjectPredicate { left == right?.objectID }

  /// Returns a predicate that tests whether the left side points to another object.
  public static func != <Other: ManagedObject>(left: Self, right: Other?) -> ObjectPredicate { left != right?.objectID }

  /// Returns a predicate that tests whether the left side points to one of these objects.
  public func isIn(_ objects: [ObjectID]) -> ObjectPredicate { compared(.in, .constant(objects.predicateConstant)) }
}

// The predicate in `count(where:)` is written for the element's class. Rooting makes its paths start at the variable of
// the SUBQUERY.
extension ObjectPredicate {
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
  func rooted(at root: PredicatePath.Root) -> ObjectPredicate {
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
    switch self {
    case .constant, .path: 0
    case .subquery(let subquery): subquery.predicate.subqueryDepth + 1
    case .function(_, let terms, offset: _): terms.map(\.subqueryDepth).max() ?? 0
    }
  }

  fileprivate func rooted(at root: PredicatePath.Root) -> PredicateTerm {
    switch self {
    case .constant: return self
    case .path(let path): return .path(path.rooted(at: root))
    case .function(let function, let terms, let offset):
      return .function(function, terms.map { $0.rooted(at: root) }, offset: offset)
    case .subquery(var subquery):
      subquery.path = subquery.path.rooted(at: root)
      subquery.predicate = subquery.predicate.rooted(at: root)
      return .subquery(subquery)
    }
  }
}

extension PredicatePath {
  fileprivate func rooted(at root: Root) -> PredicatePath {
    guard self.root == .object else { return self }
    var path = self
    path.root = root
    return path
  }
}
