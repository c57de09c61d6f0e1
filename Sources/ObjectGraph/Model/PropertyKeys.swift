/// A typed key of an attribute: `static let age = AttributeKey<Student, Int?>("age")`.
///
/// It reads and writes the attribute with its Swift type, and makes predicates.
public struct AttributeKey<Root: ManagedObject, Value: AttributeValue>: Hashable, Sendable {
  /// The name of the attribute.
  public let name: String

  /// Creates a key of the attribute with this name.
  public init(_ name: String) { self.name = name }
}

/// A typed key of a to-one relationship: `static let teacher = ToOneKey<Course, Teacher>("teacher")`.
public struct ToOneKey<Root: ManagedObject, Destination: ManagedObject>: Hashable, Sendable {
  /// The name of the relationship.
  public let name: String

  /// Creates a key of the relationship with this name.
  public init(_ name: String) { self.name = name }
}

/// A typed key of a to-many relationship: `static let courses = ToManyKey<Student, Course>("courses")`.
public struct ToManyKey<Root: ManagedObject, Destination: ManagedObject>: Hashable, Sendable {
  /// The name of the relationship.
  public let name: String

  /// Creates a key of the relationship with this name.
  public init(_ name: String) { self.name = name }
}

extension ToOneKey {
  /// An attribute of the object that the relationship points to: `Student.myclass[MyClass.name]`.
  public subscript<Value>(_ key: AttributeKey<Destination, Value>) -> ValueToken<Value> {
    ValueToken(path: PredicatePath(name, key.name))
  }

  /// A to-one of the object that the relationship points to.
  public subscript<Other>(_ key: ToOneKey<Destination, Other>) -> ObjectToken<Other> {
    ObjectToken(path: PredicatePath(name, key.name))
  }

  /// A to-many of the object that the relationship points to.
  public subscript<Other>(_ key: ToManyKey<Destination, Other>) -> ObjectsToken<Other> {
    ObjectsToken(path: PredicatePath(name, key.name))
  }
}

/// An object at the end of several to-one relationships: `Student.myclass[MyClass.teacher]`.
public struct ObjectToken<Object: ManagedObject>: PredicateOperand {
  /// The id of an object, or nil.
  public typealias ComparedValue = ObjectID?

  let path: PredicatePath

  /// The path.
  public var predicateTerm: PredicateTerm { .path(path) }

  /// An attribute of the object.
  public subscript<Value>(_ key: AttributeKey<Object, Value>) -> ValueToken<Value> {
    ValueToken(path: path.appending(key.name))
  }

  /// A to-one of the object.
  public subscript<Other>(_ key: ToOneKey<Object, Other>) -> ObjectToken<Other> {
    ObjectToken<Other>(path: path.appending(key.name))
  }

  /// A to-many of the object.
  public subscript<Other>(_ key: ToManyKey<Object, Other>) -> ObjectsToken<Other> {
    ObjectsToken<Other>(path: path.appending(key.name))
  }
}

/// The objects of a to-many at the end of to-one relationships.
public struct ObjectsToken<Object: ManagedObject>: Sendable {
  let path: PredicatePath

  /// The values of an attribute of the objects.
  public subscript<Value>(_ key: AttributeKey<Object, Value>) -> ElementsToken<Value> {
    ElementsToken(path: path.appending(key.name))
  }

  /// A to-one of the objects.
  public subscript<Other>(_ key: ToOneKey<Object, Other>) -> ElementsToken<ObjectID?> {
    ElementsToken(path: path.appending(key.name))
  }

  /// The number of objects.
  public var count: ComputedToken<Int> { aggregate(.count, []) }

  /// Counts the objects that match a predicate, as SUBQUERY does.
  public func count(where predicate: ObjectPredicate) -> ComputedToken<Int> {
    let variable = "element\(predicate.subqueryDepth)"
    return ComputedToken(
      predicateTerm: .subquery(
        PredicateSubquery(path, variable: variable, predicate: predicate.rooted(at: .element(variable)))))
  }

  /// Returns the sum of an attribute; 0 if there are no values.
  public func sum<Value>(_ key: AttributeKey<Object, Value>) -> ComputedToken<Value> { aggregate(.sum, [key.name]) }
  /// Returns the mean of an attribute; nil if there are no values.
  public func average<Value>(_ key: AttributeKey<Object, Value>) -> ComputedToken<Double?> {
    aggregate(.average, [key.name])
  }
  /// Returns the smallest value of an attribute; nil if there are none.
  public func minimum<Value>(_ key: AttributeKey<Object, Value>) -> ComputedToken<Value> {
    aggregate(.minimum, [key.name])
  }
  /// Returns the largest value of an attribute; nil if there are none.
  public func maximum<Value>(_ key: AttributeKey<Object, Value>) -> ComputedToken<Value> {
    aggregate(.maximum, [key.name])
  }

  /// Returns a predicate that tests whether an object is among the objects of the to-many.
  public func contains(_ object: ObjectID) -> ObjectPredicate {
    .comparison(PredicateComparison(.path(path), .contains, .constant(object.predicateConstant)))
  }

  private func aggregate<Value>(_ function: AggregateFunction, _ keys: [String]) -> ComputedToken<Value> {
    var computed = path
    computed.aggregate = PredicatePath.Aggregate(function, keys: keys.map { PredicatePath.Key($0) })
    return ComputedToken(predicateTerm: .path(computed))
  }
}

extension ToManyKey {
  /// The objects, for counts, aggregates and conditions.
  public var objects: ObjectsToken<Destination> { ObjectsToken(path: PredicatePath(name)) }

  /// The values of an attribute of the objects: `Student.courses[Course.name].any == "CAD"`.
  public subscript<Value>(_ key: AttributeKey<Destination, Value>) -> ElementsToken<Value> { objects[key] }

  /// A to-one of the objects.
  public subscript<Other>(_ key: ToOneKey<Destination, Other>) -> ElementsToken<ObjectID?> { objects[key] }

  /// The number of objects.
  public var count: ComputedToken<Int> { objects.count }

  /// Counts the objects that match a predicate, as SUBQUERY does.
  public func count(where predicate: ObjectPredicate) -> ComputedToken<Int> { objects.count(where: predicate) }

  /// Returns a predicate that tests whether an object is among the objects of the to-many.
  public func contains(_ object: ObjectID) -> ObjectPredicate { objects.contains(object) }
}
