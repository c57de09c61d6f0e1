/// Access by property name.
///
/// Each change is one undo step, unless it is part of a group or ``ObjectContext/collectsChanges`` is true. A change
/// that fails has no effect. A change to one end of a relationship also changes the other.
///
/// A fault is read first, which throws `store` if the store cannot be read. If the object was gone before it was first
/// read, all methods but ``objects(_:)`` throw `deletedObject`. Any other deleted object can be read, but changing it
/// throws `deletedObject`. Without its context, only attributes that were read are
/// available; everything else throws `contextGone`.
extension ManagedObject {
  /// Returns the value of an attribute, or the id of a to-one's object as `.object`.
  /// - Throws: `unknownKey`; `typeMismatch` for a to-many.
  public func value(_ name: String) throws(ObjectGraphError) -> Value {
    // The fast path for an attribute that was read: it makes no `Property`.
    if state.existence == .exists, case .attribute(let index) = entity.record.properties[name],
      state.unread.isEmpty || !state.unread.contains(index)
    {
      return state.values[index]
    }
    switch try property(name) {
    case .attribute(let attribute):
      try read()
      if !state.unread.isEmpty, state.unread.contains(attribute.index) {
        let context = try presentContext()
        try translating { try context.readValue(of: attribute, in: self) }
      }
      return state.values[attribute.index]
    case .relationship(let relationship):
      guard !relationship.isToMany else { throw mismatch(name) }
      return try object(name).map { .object($0.objectID) } ?? .null
    }
  }

  /// Returns the object of a to-one; nil if there is none or it is deleted.
  /// - Throws: `unknownKey`; `typeMismatch` for an attribute or a to-many.
  public func object(_ name: String) throws(ObjectGraphError) -> ManagedObject? {
    guard case .relationship(let relationship) = try property(name), !relationship.isToMany else {
      throw mismatch(name)
    }
    _ = try presentContext()
    try read()
    guard let object = state.ones[relationship.index], object.state.isLive else { return nil }
    return object
  }

  /// Returns the objects of a to-many, in order if the relationship is ordered.
  /// - Throws: `unknownKey`; `notToMany`.
  public func objects(_ name: String) throws(ObjectGraphError) -> [ManagedObject] {
    let relationship = try toMany(name)
    let context = try presentContext()
    try translating { try context.loadList(self, relationship) }
    return state.lists[relationship.index].items.filter(\.state.isLive)
  }

  /// Sets an attribute or a to-one. An integer is converted to a double if the attribute is a double; no other value is
  /// converted. A to-one takes `.object` with the id of an object, or `.null`.
  /// - Throws: `unknownKey`; `typeMismatch`, also for NaN and for a string with a NUL character; `deletedObject`;
  ///   `badURI` for an id of another stack.
  public func set(_ name: String, to value: Value) throws(ObjectGraphError) {
    switch (try property(name), value) {
    case (.attribute(let attribute), _):
      guard let converted = attribute.type.converted(value), converted.isStorable else { throw mismatch(name) }
      try editing { context in try context.change(self, attribute, to: converted) }
    case (.relationship, .null): try set(name, to: nil as ManagedObject?)
    case (.relationship, .object(let id)):
      let context = try editableContext()
      guard let object = try context.object(id) else { throw .deletedObject(id) }
      try set(name, to: object)
    case (.relationship, _): throw mismatch(name)
    }
  }

  /// Sets a to-one.
  /// - Throws: `unknownKey`, `typeMismatch`, `deletedObject`, `foreignObject`.
  public func set(_ name: String, to object: ManagedObject?) throws(ObjectGraphError) {
    guard case .relationship(let relationship) = try property(name), !relationship.isToMany else {
      throw mismatch(name)
    }
    try check(object.map { [$0] } ?? [], for: relationship)
    try editing { context in try context.relate(self, relationship, to: object) }
  }

  /// Sets all objects of a to-many, and their order if the relationship is ordered.
  /// - Throws: `unknownKey`, `typeMismatch`, `deletedObject`, `foreignObject`.
  public func set(_ name: String, to objects: [ManagedObject]) throws(ObjectGraphError) {
    guard case .relationship(let relationship) = try property(name), relationship.isToMany else { throw mismatch(name) }
    try check(objects, for: relationship)
    try editing { context in try context.replace(self, relationship, with: objects) }
  }

  /// Adds objects to a to-many. Unless an index is given, new members go to the end, and objects that are already
  /// members keep their positions.
  /// - Parameters:
  ///   - objects: the new members.
  ///   - name: the relationship.
  ///   - index: where to put the objects, side by side, among the members that are not moved. An index that is out of
  ///     range means the beginning or the end.
  /// - Throws: `unknownKey`, `notToMany`, `notOrdered`, `typeMismatch`, `deletedObject`, `foreignObject`.
  public func add(_ objects: [ManagedObject], to name: String, at index: Int? = nil) throws(ObjectGraphError) {
    let relationship = try toMany(name)
    if index != nil, !relationship.isOrdered { throw .notOrdered(entity: entity.name, property: name) }
    try check(objects, for: relationship)
    try editing { context in try context.add(objects, to: self, relationship, at: index) }
  }

  /// Removes objects from a to-many. Objects that are not members are ignored.
  /// - Throws: `unknownKey`, `notToMany`, `typeMismatch`, `deletedObject`, `foreignObject`.
  public func remove(_ objects: [ManagedObject], from name: String) throws(ObjectGraphError) {
    let relationship = try toMany(name)
    try check(objects, for: relationship, allowsDeleted: true)
    try editing { context in
      for object in objects { try context.remove(object, from: self, relationship) }
    }
  }

  // MARK: -

  private func property(_ name: String) throws(ObjectGraphError) -> Property {
    guard let property = entity.property(named: name) else { throw .unknownKey(name, entity: entity.name) }
    return property
  }

  private func toMany(_ name: String) throws(ObjectGraphError) -> Relationship {
    guard case .relationship(let relationship) = try property(name), relationship.isToMany else {
      throw .notToMany(entity: entity.name, property: name)
    }
    return relationship
  }

  private func mismatch(_ name: String) -> ObjectGraphError { .typeMismatch(entity: entity.name, property: name) }

  private func check(
    _ objects: [ManagedObject], for relationship: Relationship, allowsDeleted: Bool = false
  ) throws(ObjectGraphError) {
    for object in objects {
      guard object.entity.isKind(of: relationship.destination) else { throw mismatch(relationship.name) }
      guard object.context === context else { throw .foreignObject(object.objectID) }
      guard allowsDeleted || !object.isUnreachable else { throw .deletedObject(object.objectID) }
    }
  }

  private func read() throws(ObjectGraphError) {
    if state.existence == .unknown {
      let context = try presentContext()
      try translating { try context.fire(self) }
    }
    guard !state.isMissing else { throw .deletedObject(objectID) }
  }

  private func editableContext() throws(ObjectGraphError) -> ObjectContext {
    let context = try presentContext()
    try read()
    guard !isUnreachable else { throw .deletedObject(objectID) }
    return context
  }

  private func presentContext() throws(ObjectGraphError) -> ObjectContext {
    guard let context else { throw .contextGone(objectID) }
    return context
  }

  private func editing(_ edit: (ObjectContext) throws -> Void) throws(ObjectGraphError) {
    let context = try editableContext()
    try translating { try context.undoGroup { try edit(context) } }
  }
}

extension Value {
  /// False for strings with a NUL character, where GRDB would truncate them.
  var isStorable: Bool {
    if case .string(let text) = self { !text.utf8.contains(0) } else { true }
  }
}
