/// The object that a condition tests, or one that it points to: `$0` in `Student.where { $0.class.name == "1A" }`.
@dynamicMemberLookup
public struct ObjectPath<Root: Object>: PredicateOperand {
  /// The id of an object, or nil.
  public typealias ComparedValue = ObjectID?

  let path: PredicatePath

  /// The object itself.
  public init() { path = PredicatePath() }

  fileprivate init(path: PredicatePath) { self.path = path }

  /// The path.
  public var predicateTerm: PredicateTerm { .path(path) }

  /// An attribute.
  public subscript<Stored: AttributeValue>(dynamicMember keyPath: KeyPath<Root, Stored>) -> PredicateToken<Stored> {
    PredicateToken(path.appending(keyPath))
  }

  /// The object that a to-one points to.
  public subscript<Destination: Object>(dynamicMember keyPath: KeyPath<Root, Destination?>) -> ObjectPath<Destination> {
    ObjectPath<Destination>(path: path.appending(keyPath))
  }

  /// The objects that a to-many points to.
  public subscript<Destination: Object>(dynamicMember keyPath: KeyPath<Root, [Destination]>) -> MembersPath<Destination>
  {
    MembersPath(path: path.appending(keyPath))
  }
}

/// The objects of a to-many in a condition: `$0.courses.count > 2`, `$0.courses.any.name == "CAD"`.
public struct MembersPath<Element: Object>: Sendable {
  let path: PredicatePath

  /// At least one object must pass.
  public var any: QuantifiedPath<Element> { QuantifiedPath(path: path, quantifier: .any) }
  /// Every object must pass; true if there are none.
  public var all: QuantifiedPath<Element> { QuantifiedPath(path: path, quantifier: .all) }
  /// No object may pass.
  public var none: QuantifiedPath<Element> { QuantifiedPath(path: path, quantifier: .none) }

  /// The number of objects.
  public var count: PredicateToken<Int> { PredicateToken(path.aggregating(.count)) }

  /// The number of objects that match a condition, as SUBQUERY counts them.
  public func count(where condition: (ObjectPath<Element>) -> some ObjectCondition) -> PredicateToken<Int> {
    let predicate = condition(ObjectPath()).predicate
    let variable = "element\(predicate.subqueryDepth)"
    let subquery = PredicateSubquery(path, variable: variable, predicate: predicate.rooted(at: .element(variable)))
    return PredicateToken(predicateTerm: .subquery(subquery))
  }

  /// Whether an object is among them.
  public func contains(_ object: Element) -> ObjectPredicate {
    .comparison(PredicateComparison(.path(path), .contains, .constant(object.objectID.predicateConstant)))
  }

  /// The sum of an attribute; 0 if there are no values.
  public func sum<Stored: AttributeValue>(_ key: KeyPath<Element, Stored>) -> PredicateToken<Stored> {
    PredicateToken(path.aggregating(.sum, key))
  }

  /// The mean of an attribute; nil if there are no values.
  public func average<Stored: AttributeValue>(_ key: KeyPath<Element, Stored>) -> PredicateToken<Double?> {
    PredicateToken(path.aggregating(.average, key))
  }

  /// The smallest value of an attribute; nil if there are none.
  public func minimum<Stored: AttributeValue>(_ key: KeyPath<Element, Stored>) -> PredicateToken<Stored> {
    PredicateToken(path.aggregating(.minimum, key))
  }

  /// The largest value of an attribute; nil if there are none.
  public func maximum<Stored: AttributeValue>(_ key: KeyPath<Element, Stored>) -> PredicateToken<Stored> {
    PredicateToken(path.aggregating(.maximum, key))
  }
}

/// The objects of a to-many in a condition, or those that they point to, and how many of them must pass.
@dynamicMemberLookup
public struct QuantifiedPath<Element: Object>: PredicateOperand {
  /// The id of an object, or nil.
  public typealias ComparedValue = ObjectID?

  let path: PredicatePath
  let quantifier: PredicateComparison.Quantifier

  /// The path.
  public var predicateTerm: PredicateTerm { .path(path) }
  /// How many must pass.
  public var predicateQuantifier: PredicateComparison.Quantifier? { quantifier }

  /// An attribute of the objects.
  public subscript<Stored: AttributeValue>(dynamicMember keyPath: KeyPath<Element, Stored>) -> PredicateToken<Stored> {
    PredicateToken(path.appending(keyPath), quantifier)
  }

  /// The objects that a to-one of the objects points to.
  public subscript<Destination: Object>(
    dynamicMember keyPath: KeyPath<Element, Destination?>
  ) -> QuantifiedPath<Destination> {
    QuantifiedPath<Destination>(path: path.appending(keyPath), quantifier: quantifier)
  }
}

extension KeyPathRecorder {
  /// The properties that a key path goes through, as one key: `class.name`.
  static func key<Root: Object, Side>(of keyPath: KeyPath<Root, Side>) -> String {
    names(of: keyPath).joined(separator: ".")
  }
}

extension PredicatePath {
  fileprivate func appending<Root: Object, Side>(_ keyPath: KeyPath<Root, Side>) -> PredicatePath {
    var path = self
    path.keys += KeyPathRecorder.names(of: keyPath).map { Key($0) }
    return path
  }

  fileprivate func aggregating(_ function: AggregateFunction) -> PredicatePath {
    var path = self
    path.aggregate = Aggregate(function, keys: [])
    return path
  }

  fileprivate func aggregating<Root: Object, Side>(
    _ function: AggregateFunction, _ keyPath: KeyPath<Root, Side>
  ) -> PredicatePath {
    var path = self
    path.aggregate = Aggregate(function, keys: KeyPathRecorder.names(of: keyPath).map { Key($0) })
    return path
  }
}
