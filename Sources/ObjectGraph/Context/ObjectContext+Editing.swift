import Foundation

/// Changes to objects and relationships. Each is recorded as one or more ``Change``s.
extension ObjectContext {
  /// Inserts a new object of an entity, with its default values; the next save writes it.
  /// - Throws: `unknownEntity`, `abstractEntity`; `refused` if `awakeFromInsert()` throws.
  @discardableResult
  public func insert(_ entity: String) throws(ObjectGraphError) -> ManagedObject {
    try insert(model.entity(entity))
  }

  /// Inserts a new object of an entity and sets its values, as one undo step.
  /// - Throws: as ``insert(_:)-(String)``; `refused` with the error of the body, or the error itself if it is an
  ///   `ObjectGraphError`.
  @discardableResult
  public func insert(
    _ entity: String, _ body: (ManagedObject) throws -> Void
  ) throws(ObjectGraphError) -> ManagedObject {
    try filled(body) { () throws(ObjectGraphError) in try insert(entity) }
  }

  /// Inserts a new object of a class and sets its values, as one undo step.
  /// - Throws: as ``insert(_:_:)-(String,_)``.
  @discardableResult
  public func insert<Object: ManagedObject>(
    _ type: Object.Type, _ body: (Object) throws -> Void
  ) throws(ObjectGraphError) -> Object {
    try filled(body) { () throws(ObjectGraphError) in try insert(type) }
  }

  private func filled<Object: ManagedObject>(
    _ body: (Object) throws -> Void, _ insert: () throws(ObjectGraphError) -> Object
  ) throws(ObjectGraphError) -> Object {
    try throwFailure()
    return try translating {
      try undoGroup {
        let object = try insert()
        try refusing { try body(object) }
        return object
      }
    }
  }

  /// Inserts a new object of the first entity in the model that has the class and is not abstract.
  /// - Throws: `unknownEntity` when there is no such entity; `refused` if `awakeFromInsert()` throws.
  @discardableResult
  public func insert<Object: ManagedObject>(_ type: Object.Type) throws(ObjectGraphError) -> Object {
    guard let entity = model.entities.first(where: { $0.description.objectClass == type && !$0.isAbstract }),
      let object = try insert(entity) as? Object
    else { throw .unknownEntity(String(describing: type)) }
    return object
  }

  private func insert(_ entity: Entity) throws(ObjectGraphError) -> ManagedObject {
    guard !entity.isAbstract else { throw .abstractEntity(entity.name) }
    return try translating {
      try undoGroup {
        let store = try source.storeIdentifier(of: entity)
        let object = makeInserted(ObjectID(store: store, entity: entity.name, key: .temporary(UUID())), entity)
        apply(.existence(object, isLive: true))
        try refusing { try object.awakeFromInsert() }
        return object
      }
    }
  }

  /// Returns the object of a to-one, or inserts one if there is none. If its entity shares the owner's number, an
  /// object that was deleted earlier is inserted again under the same id, with its default values.
  /// - Throws: `unknownKey`, `typeMismatch`, `abstractEntity`, `deletedObject`, `foreignObject`, `store`.
  public func insert(_ name: String, of owner: ManagedObject) throws(ObjectGraphError) -> ManagedObject {
    guard owner.context === self else { throw .foreignObject(owner.objectID) }
    guard !owner.isUnreachable else { throw .deletedObject(owner.objectID) }
    if let present = try owner.object(name) { return present }
    guard let relationship = owner.entity.relationship(named: name) else {
      throw .unknownKey(name, entity: owner.entity.name)
    }
    let entity = relationship.destination
    return try translating {
      try undoGroup {
        let object: ManagedObject
        if owner.objectID.isTemporary || source.sharedKey(of: entity)?.name != relationship.inverse.name {
          object = try insert(entity)
        } else {
          object = try insertAgain(
            ObjectID(store: owner.objectID.store, entity: entity.name, key: owner.objectID.key), entity)
        }
        try relate(object, relationship.inverse, to: owner)
        // `relate` does nothing if the object kept its reference to the owner when it was deleted.
        point(owner, relationship, to: object)
        return object
      }
    }
  }

  /// Inserts an object under an id that may have been used before.
  private func insertAgain(_ id: ObjectID, _ entity: Entity) throws -> ManagedObject {
    let object = registered(id) ?? makeInserted(id, entity)
    if object.state.existence == .unknown { markMissing(object) }
    apply(.existence(object, isLive: true))
    for attribute in entity.attributes { try change(object, attribute, to: attribute.description.defaultValue) }
    try refusing { try object.awakeFromInsert() }
    return object
  }

  /// Makes and registers a new object that is not live yet.
  func makeInserted(_ id: ObjectID, _ entity: Entity) -> ManagedObject {
    let object = entity.schema.classes[entity.index].init(entity: entity, objectID: id, context: self)
    object.state = ObjectState(inserted: entity)
    object.state.isLive = false
    insertionCount += 1
    object.insertionOrder = insertionCount
    register(object)
    return object
  }

  // MARK: - Attributes and to-ones

  func change(_ object: ManagedObject, _ attribute: EntityAttribute, to value: Value) throws {
    if object.entity.description.isAtomic {
      // A merge compares all values of such an object.
      try readValues(of: object)
    } else {
      try readValue(of: attribute, in: object)
    }
    let old = object.state.values[attribute.index]
    guard old != value else { return }
    apply(.attribute(object, attribute.index, old: old, new: value))
    guard object.entity.description.isAtomic else { return }
    // An undo compares them too, so the values that stay the same are also recorded.
    for other in object.entity.attributes where other.index != attribute.index && !other.description.isTransient {
      let value = object.state.values[other.index]
      apply(.attribute(object, other.index, old: value, new: value))
    }
  }

  func relate(_ object: ManagedObject, _ relationship: Relationship, to other: ManagedObject?) throws {
    try fire(object)
    let old = object.state.ones[relationship.index]
    guard old !== other else { return }
    let inverse = relationship.inverse
    if inverse.isToMany {
      if let old { try removeMember(object, from: old, inverse) }
      point(object, relationship, to: other)
      if let other { try put(object, into: other, inverse, at: nil) }
      return
    }
    if let old {
      // Read it first: a save does not write the row of a fault, so clearing its to-one would be lost.
      try fire(old)
      if old.state.isLive, old.state.ones[inverse.index] === object { point(old, inverse, to: nil) }
    }
    if let other {
      try fire(other)
      if let third = other.state.ones[inverse.index], third !== object {
        try fire(third)
        point(third, relationship, to: nil)
      }
      point(other, inverse, to: object)
    }
    point(object, relationship, to: other)
  }

  /// Sets a to-one, but not its inverse.
  func point(_ object: ManagedObject, _ relationship: Relationship, to other: ManagedObject?) {
    let old = object.state.ones[relationship.index]
    if old !== other { apply(.one(object, relationship.index, old: old, new: other)) }
  }

  // MARK: - To-manys

  /// Adds members to the end of a to-many. With an index, adds or moves them to consecutive indexes among the other
  /// members.
  func add(
    _ members: [ManagedObject], to owner: ManagedObject, _ relationship: Relationship, at index: Int?
  ) throws {
    if index != nil { try loadList(owner, relationship) }
    var target = index.map { min(max(0, $0), owner.state.lists[relationship.index].items.count) }
    var waiting = Set(members.map(ObjectIdentifier.init))
    for member in members where waiting.remove(ObjectIdentifier(member)) != nil {
      try add(member, to: owner, relationship, at: target, ignoring: waiting)
      target? += 1
    }
  }

  /// - Parameter ignored: members that do not count for the index.
  func add(
    _ member: ManagedObject, to owner: ManagedObject, _ relationship: Relationship, at index: Int?,
    ignoring ignored: Set<ObjectIdentifier> = []
  ) throws {
    let inverse = relationship.inverse
    try fire([owner, member].filter { $0.state.existence == .unknown })
    if relationship.isOrdered || inverse.isToMany { try loadList(owner, relationship) }
    let isMember =
      inverse.isToMany ? contains(owner, relationship, member) : member.state.ones[inverse.index] === owner
    if isMember {
      guard let index, let present = owner.state.lists[relationship.index].items.firstIndex(where: { $0 === member })
      else { return }
      let target = rawIndex(owner, relationship, index, without: member, ignoring: ignored)
      guard target != present else { return }
      apply(.removal(owner, relationship.index, member, at: present))
      apply(.insertion(owner, relationship.index, member, at: target))
      return
    }
    if inverse.isToMany {
      try put(member, into: owner, relationship, at: index, ignoring: ignored)
      if member !== owner || !relationship.isOwnInverse { try put(owner, into: member, inverse, at: nil) }
    } else {
      if let old = member.state.ones[inverse.index] { try removeMember(member, from: old, relationship) }
      point(member, inverse, to: owner)
      try put(member, into: owner, relationship, at: index, ignoring: ignored)
    }
  }

  func remove(_ member: ManagedObject, from owner: ManagedObject, _ relationship: Relationship) throws {
    let inverse = relationship.inverse
    if inverse.isToMany {
      try loadList(owner, relationship)
      try removeMember(member, from: owner, relationship)
      try removeMember(owner, from: member, inverse)
    } else {
      try fire(member)
      if member.entity.isKind(of: relationship.destination), member.state.ones[inverse.index] === owner {
        try relate(member, inverse, to: nil)
      }
    }
  }

  /// Replaces the members with a list, in its order if the relationship is ordered.
  func replace(_ owner: ManagedObject, _ relationship: Relationship, with objects: [ManagedObject]) throws {
    try loadList(owner, relationship)
    var newMembers: [ManagedObject] = []
    var seen: Set<ObjectIdentifier> = []
    for object in objects where seen.insert(ObjectIdentifier(object)).inserted { newMembers.append(object) }
    for member in owner.state.lists[relationship.index].items
    where member.state.isLive && !seen.contains(ObjectIdentifier(member)) {
      try remove(member, from: owner, relationship)
    }
    for member in newMembers { try add(member, to: owner, relationship, at: nil) }
    guard relationship.isOrdered else { return }
    for (index, member) in newMembers.enumerated() {
      let present = owner.state.lists[relationship.index].items.filter(\.state.isLive)
      if present[index] !== member { try add(member, to: owner, relationship, at: index) }
    }
  }

  private func contains(_ owner: ManagedObject, _ relationship: Relationship, _ member: ManagedObject) -> Bool {
    owner.state.lists[relationship.index].contains(member)
  }

  /// Adds a member to a to-many, but does not change the inverse.
  func put(
    _ member: ManagedObject, into owner: ManagedObject, _ relationship: Relationship, at index: Int?,
    ignoring ignored: Set<ObjectIdentifier> = []
  ) throws {
    if relationship.isOrdered { try loadList(owner, relationship) }
    guard !contains(owner, relationship, member) else { return }
    let raw = index.map { rawIndex(owner, relationship, $0, without: nil, ignoring: ignored) }
    apply(.insertion(owner, relationship.index, member, at: raw))
  }

  /// Removes a member from a to-many, but does not change the inverse.
  func removeMember(_ member: ManagedObject, from owner: ManagedObject, _ relationship: Relationship) throws {
    if relationship.isOrdered { try loadList(owner, relationship) }
    guard let index = owner.state.lists[relationship.index].index(of: member) else { return }
    apply(.removal(owner, relationship.index, member, at: relationship.isOrdered ? index : nil))
  }

  /// Converts an index among the live items that are not ignored to an index among all items; `member` counts in
  /// neither.
  private func rawIndex(
    _ owner: ManagedObject, _ relationship: Relationship, _ index: Int, without member: ManagedObject?,
    ignoring ignored: Set<ObjectIdentifier>
  ) -> Int {
    let items = owner.state.lists[relationship.index].items.filter { $0 !== member }
    var live = 0
    for (raw, item) in items.enumerated() where item.state.isLive {
      if live == index { return raw }
      if !ignored.contains(ObjectIdentifier(item)) { live += 1 }
    }
    return items.count
  }
}
