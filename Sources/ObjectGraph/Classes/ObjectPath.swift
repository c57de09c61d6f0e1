/// The object that a condition tests, or one that it points to: `$0` in `Student.where { $0.class.name == "1A" }`.
@dynamicMemberLookup
public struct ObjectPath<Root: Object>: PredicateOperand {
  /// The id of an object, or nil.
  public typealias ComparedValue = ObjectID?

  let path: PredicatePath

  /// The path.
  public var predicateTerm: PredicateTerm { .path(path) }

  /// An attribute.
  public subscript<Stored: AttributeValue>(dynamicMember keyPath: KeyPath<Root, Stored>) -> ValueToken<Stored> {
    ValueToken(path: path.appending(keyPath))
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
  public var count: ComputedToken<Int> { objects.count }

  /// The number of objects that match a condition.
  public func count(where condition: (ObjectPath<Element>) -> ObjectPredicate) -> ComputedToken<Int> {
    objects.count(where: condition(ObjectPath(path: PredicatePath())))
  }

  /// Whether an object is among them.
  public func contains(_ object: Element) -> ObjectPredicate { objects.contains(object.objectID) }

  /// The sum of an attribute; 0 if there are no values.
  public func sum<Stored: AttributeValue>(_ key: KeyPath<Element, Stored>) -> ComputedToken<Stored> {
    objects.sum(AttributeKey(key))
  }

  /// The mean of an attribute; nil if there are no values.
  public func average<Stored: AttributeValue>(_ key: KeyPath<Element, Stored>) -> ComputedToken<Double?> {
    objects.average(AttributeKey(key))
  }

  /// The smallest value of an attribute; nil if there are none.
  public func minimum<Stored: AttributeValue>(_ key: KeyPath<Element, Stored>) -> ComputedToken<Stored> {
    objects.minimum(AttributeKey(key))
  }

  /// The largest value of an attribute; nil if there are none.
  public func maximum<Stored: AttributeValue>(_ key: KeyPath<Element, Stored>) -> ComputedToken<Stored> {
    objects.maximum(AttributeKey(key))
  }

  private var objects: ObjectsToken<Element> { ObjectsToken(path: path) }
}

/// The objects of a to-many in a condition, and how many of them must pass.
@dynamicMemberLookup
public struct QuantifiedPath<Element: Object>: Sendable {
  let path: PredicatePath
  let quantifier: PredicateComparison.Quantifier

  /// An attribute of the objects.
  public subscript<Stored: AttributeValue>(dynamicMember keyPath: KeyPath<Element, Stored>) -> QuantifiedToken<Stored> {
    QuantifiedToken(path: path.appending(keyPath), quantifier: quantifier)
  }

  /// A to-one of the objects.
  public subscript<Destination: Object>(
    dynamicMember keyPath: KeyPath<Element, Destination?>
  ) -> QuantifiedToken<ObjectID?> {
    QuantifiedToken(path: path.appending(keyPath), quantifier: quantifier)
  }
}

extension AttributeKey where Root: Object {
  /// The key of a declared attribute.
  init(_ keyPath: KeyPath<Root, Value>) { self.init(KeyPathRecorder.key(of: keyPath)) }
}

extension KeyPathRecorder {
  /// The properties that a key path goes through, as one key: `class.name`.
  static func key<Root: Object, Side>(of keyPath: KeyPath<Root, Side>) -> String {
    names(of: keyPath).joined(separator: ".")
  }
}

extension PredicatePath {
  fileprivate func appending<Root: Object, Side>(_ keyPath: KeyPath<Root, Side>) -> PredicatePath {
    KeyPathRecorder.names(of: keyPath).reduce(self) { $0.appending($1) }
  }
}
