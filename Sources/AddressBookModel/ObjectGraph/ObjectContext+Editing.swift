import GRDB

/// Changes of objects and relationships. Each ends in the few recorded steps of ``Change``.
extension ObjectContext {
  /// A new object of an entity, to be saved with the rest.
  public func insert(_ entity: String) -> ManagedObject {
    let description = model.entity(entity)
    let object = description.makeObject(self, .temporary(entity))
    object.awakeFromInsert()
    enter(object)
    apply(.existence(object, isLive: true))
    return object
  }

  /// Deletes an object by the rules of its relationships. Rows that can come back keep their parts; the others are removed
  /// with theirs. A `deny` rule is checked by the save, together with everything else.
  public func delete(_ object: ManagedObject) throws(StoreError) {
    guard object.isLive else { return }
    apply(.existence(object, isLive: false))
    guard object.entity.bookkeeping?.deleted == nil else {
      // Parts that were never saved have no row to stay in; they come back with the undo of the deletion.
      for (relationship, list) in zip(object.entity.relationships, object.lists)
      where relationship.deleteRule == .cascade {
        for part in try objects(list?.ids ?? []) where !part.exists { apply(.existence(part, isLive: false)) }
      }
      return
    }
    for (place, relationship) in object.entity.relationships.enumerated() {
      if relationship.isToOne {
        let target = try object.links[place].flatMap { id throws(StoreError) in try self.object(id) }
        // The other side loses it, as the row will.
        try relate(object, place, to: nil, isDeletion: true)
        if relationship.deleteRule == .cascade, let target { try delete(target) }
        continue
      }
      guard relationship.deleteRule != .deny else { continue }
      switch (relationship.storage, relationship.deleteRule) {
      case (.children, .cascade):
        for child in try objects(list(of: object, place).ids) { try delete(child) }
      case (.children, _):
        for child in try objects(list(of: object, place).ids) { try remove(child, from: object, place) }
      case (_, let rule):
        let ids = try list(of: object, place).ids
        for id in ids.reversed() { try unpair(object, place, id) }
        if rule == .cascade { for other in try objects(ids) { try delete(other) } }
      }
    }
  }

  /// Brings back an object that was deleted, saved or not.
  public func restore(_ object: ManagedObject) {
    apply(.existence(object, isLive: true))
  }

  // MARK: - Steps

  func change(_ object: ManagedObject, attribute place: Int, to value: DatabaseValue) {
    let old = object.values[place]
    if old != value { apply(.attribute(object, place, old: old, new: value)) }
  }

  func change(_ object: ManagedObject, external place: Int, to value: [DatabaseValue]?) throws(StoreError) {
    let old = try external(of: object, place).value
    if old != value { apply(.external(object, place, old: old, new: value)) }
  }

  func relate(
    _ object: ManagedObject, _ place: Int, to other: ManagedObject?, isDeletion: Bool = false
  ) throws(StoreError) {
    let old = object.links[place].map(canonical)
    guard old != other?.objectID else { return }
    if let (inverse, listPlace) = model.inverse(of: object.entity.relationships[place]) {
      guard !inverse.isToOne else {
        try relateOneToOne(object, place, to: other, listPlace, isDeletion: isDeletion)
        return
      }
      if let other {
        try add(object, to: other, listPlace, at: nil)
        return
      }
      if let old, let owner = registeredObject(old), let list = owner.lists[listPlace],
        let index = list.ids.firstIndex(of: object.objectID)
      {
        apply(.listRemoval(owner, listPlace, object.objectID, at: index))
        // What is deleted keeps its link: the row goes as it is.
        try renumber(owner, listPlace)
      }
    }
    if !isDeletion { apply(.link(object, place, old: old, new: other?.objectID)) }
  }

  /// Both ends of a one-to-one relationship lead to each other, and whoever had one of them before has none.
  private func relateOneToOne(
    _ object: ManagedObject, _ place: Int, to other: ManagedObject?, _ inversePlace: Int, isDeletion: Bool
  ) throws(StoreError) {
    func link(_ object: ManagedObject, _ place: Int, to id: ObjectID?) {
      let old = object.links[place].map(canonical)
      if old != id { apply(.link(object, place, old: old, new: id)) }
    }
    if let id = object.links[place], let former = try self.object(id),
      former.links[inversePlace].map(canonical) == object.objectID
    {
      // What is deleted keeps its own link: the row goes as it is.
      if former !== object || !isDeletion { link(former, inversePlace, to: nil) }
    }
    if let id = other?.links[inversePlace], let former = try self.object(id), former !== object {
      link(former, place, to: nil)
    }
    if !isDeletion { link(object, place, to: other?.objectID) }
    if let other { link(other, inversePlace, to: object.objectID) }
  }

  func add(_ other: ManagedObject, to owner: ManagedObject, _ place: Int, at wanted: Int?) throws(StoreError) {
    let relationship = owner.entity.relationships[place]
    let list = try self.list(of: owner, place)
    let present = list.ids.firstIndex(of: other.objectID)
    let end = list.ids.count - (present == nil ? 0 : 1)
    let index = min(max(0, wanted ?? end), end)
    if present == index { return }
    if case .join = relationship.storage {
      if present == nil { try pair(owner, place, other, at: index) }
      return
    }
    if let present {
      apply(.listRemoval(owner, place, other.objectID, at: present))
    } else if let (_, linkPlace) = model.inverse(of: relationship) {
      try relate(other, linkPlace, to: nil)
      apply(.link(other, linkPlace, old: nil, new: owner.objectID))
    }
    apply(.listInsertion(owner, place, other.objectID, at: index))
    try renumber(owner, place)
  }

  func remove(_ other: ManagedObject, from owner: ManagedObject, _ place: Int) throws(StoreError) {
    let relationship = owner.entity.relationships[place]
    guard try list(of: owner, place).ids.contains(other.objectID) else { return }
    if case .join = relationship.storage {
      try unpair(owner, place, other.objectID)
    } else if let (_, linkPlace) = model.inverse(of: relationship) {
      try relate(other, linkPlace, to: nil)
    }
  }

  private func pair(_ owner: ManagedObject, _ place: Int, _ other: ManagedObject, at index: Int) throws(StoreError) {
    apply(.listInsertion(owner, place, other.objectID, at: index))
    guard let (_, back) = model.inverse(of: owner.entity.relationships[place]), let there = other.lists[back],
      !there.ids.contains(owner.objectID)
    else { return }
    apply(.listInsertion(other, back, owner.objectID, at: there.ids.count))
  }

  private func unpair(_ owner: ManagedObject, _ place: Int, _ id: ObjectID) throws(StoreError) {
    if let index = try list(of: owner, place).ids.firstIndex(of: id) {
      apply(.listRemoval(owner, place, id, at: index))
    }
    guard let (_, back) = model.inverse(of: owner.entity.relationships[place]), let other = registeredObject(id),
      let index = other.lists[back]?.ids.firstIndex(of: owner.objectID)
    else { return }
    apply(.listRemoval(other, back, owner.objectID, at: index))
  }

  /// Writes each child's place in its list into the child.
  private func renumber(_ owner: ManagedObject, _ place: Int) throws(StoreError) {
    guard case .children(_, let order?) = owner.entity.relationships[place].storage else { return }
    let attribute = model.entity(owner.entity.relationships[place].destination).place(ofAttribute: order)
    for (number, child) in try objects(list(of: owner, place).ids).enumerated() {
      change(child, attribute: attribute, to: number.databaseValue)
    }
  }
}
