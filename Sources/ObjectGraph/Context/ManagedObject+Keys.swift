/// Typed access by key.
extension ManagedObject {
  /// Returns the value of an attribute.
  /// - Throws: as ``value(_:)-(String)``; `typeMismatch` when the value does not fit the key's type.
  @inlinable
  public func value<Root, Value>(_ key: AttributeKey<Root, Value>) throws(ObjectGraphError) -> Value {
    guard let value = Value(attributeValue: try value(key.name)) else {
      throw .typeMismatch(entity: entity.name, property: key.name)
    }
    return value
  }

  /// Sets an attribute.
  /// - Throws: as ``set(_:to:)-(String,Value)``.
  public func set<Root, Value>(_ key: AttributeKey<Root, Value>, to value: Value) throws(ObjectGraphError) {
    try set(key.name, to: value.attributeValue)
  }

  /// Returns the object of a to-one; nil if there is none or it is deleted.
  /// - Throws: as ``object(_:)``; `typeMismatch` when the object is of another class.
  public func value<Root, Destination>(_ key: ToOneKey<Root, Destination>) throws(ObjectGraphError) -> Destination? {
    guard let object = try object(key.name) else { return nil }
    guard let typed = object as? Destination else { throw .typeMismatch(entity: entity.name, property: key.name) }
    return typed
  }

  /// Sets a to-one.
  /// - Throws: as ``set(_:to:)-(String,ManagedObject?)``.
  public func set<Root, Destination>(
    _ key: ToOneKey<Root, Destination>, to object: Destination?
  ) throws(ObjectGraphError) {
    try set(key.name, to: object as ManagedObject?)
  }

  /// Returns the objects of a to-many.
  /// - Throws: as ``objects(_:)``; `typeMismatch` when an object is of another class.
  public func value<Root, Destination>(_ key: ToManyKey<Root, Destination>) throws(ObjectGraphError) -> [Destination] {
    let objects = try objects(key.name)
    let typed = objects.compactMap { $0 as? Destination }
    guard typed.count == objects.count else { throw .typeMismatch(entity: entity.name, property: key.name) }
    return typed
  }

  /// Sets all objects of a to-many.
  /// - Throws: as ``set(_:to:)-(String,[ManagedObject])``.
  public func set<Root, Destination>(
    _ key: ToManyKey<Root, Destination>, to objects: [Destination]
  ) throws(ObjectGraphError) {
    try set(key.name, to: objects as [ManagedObject])
  }

  /// Adds objects to a to-many.
  /// - Throws: as ``add(_:to:at:)``.
  public func add<Root, Destination>(
    _ objects: [Destination], to key: ToManyKey<Root, Destination>, at index: Int? = nil
  ) throws(ObjectGraphError) {
    try add(objects, to: key.name, at: index)
  }

  /// Removes objects from a to-many.
  /// - Throws: as ``remove(_:from:)``.
  public func remove<Root, Destination>(
    _ objects: [Destination], from key: ToManyKey<Root, Destination>
  ) throws(ObjectGraphError) {
    try remove(objects, from: key.name)
  }
}
