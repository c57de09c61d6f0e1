/// Saving a child into its parent.
extension ObjectContext {
  /// Applies every change of this context to the parent as one undo step, named after the most recent named step since
  /// the last save. The child's values overwrite the parent's.
  func save(into parent: ObjectContext) throws {
    let changed = changedObjects.sorted { $0.insertionOrder < $1.insertionOrder }
    let name = undoLog.undo.last { !$0.isSaved && !$0.name.isEmpty }?.name ?? ""
    try parent.undoGroup(name) {
      let inserted = changed.filter(\.isInserted)
      for object in inserted { try parent.insertCopy(of: object) }
      let live = changed.filter(\.state.isLive)
      for object in live { try parent.copyRow(of: object) }
      for object in live { try parent.copyLists(of: object) }
      for object in changed where !object.state.isLive && object.state.existence == .exists {
        if let copy = try parent.object(object.objectID) { try parent.delete(copy) }
      }
    }
    for object in changed where object.isInserted {
      if let copy = parent.registered(object.objectID) { rename(object.objectID, to: copy.objectID) }
    }
  }

  private func insertCopy(of object: ManagedObject) throws {
    let copy =
      try deletedObjects([object.objectID]).first ?? registered(object.objectID)
      ?? makeInserted(object.objectID, object.entity)
    if copy.state.existence == .unknown { markMissing(copy) }
    apply(.existence(copy, isLive: true))
  }

  /// Returns this parent's counterpart of a child's object; nil if either is deleted.
  private func counterpart(_ object: ManagedObject?) throws -> ManagedObject? {
    guard let object, object.state.isLive else { return nil }
    return try self.object(object.objectID)
  }

  private func copyRow(of object: ManagedObject) throws {
    let isNew = object.state.existence == .absent
    guard isNew || object.isRowChanged else { return }
    guard let copy = try counterpart(object) else { throw ObjectGraphError.deletedObject(object.objectID) }
    for attribute in object.entity.attributes {
      if object.state.unread.contains(attribute.index) { continue }
      let value = object.state.values[attribute.index]
      if isNew || value != object.state.committedValues[attribute.index] { try change(copy, attribute, to: value) }
    }
    for relationship in object.entity.relationships where !relationship.isToMany {
      let other = object.state.ones[relationship.index]
      if isNew || other?.storable !== object.state.committedOnes[relationship.index] {
        try relate(copy, relationship, to: counterpart(other))
      }
    }
  }

  private func copyLists(of object: ManagedObject) throws {
    for relationship in object.entity.relationships where relationship.isToMany {
      let list = object.state.lists[relationship.index]
      let isReordered = relationship.isOrdered && list.isReordered
      guard list.hasDelta || isReordered, let copy = try counterpart(object) else { continue }
      if relationship.isManyToMany {
        for member in list.removed.values {
          if let other = registered(member.objectID) { try remove(other, from: copy, relationship) }
        }
        for member in list.added.values {
          if let other = try counterpart(member) { try add(other, to: copy, relationship, at: nil) }
        }
      }
      guard isReordered else { continue }
      let members = Set(try copy.objects(relationship.name).map(ObjectIdentifier.init))
      let order = try list.items.compactMap { try counterpart($0) }.filter { members.contains(ObjectIdentifier($0)) }
      for (index, member) in order.enumerated() { try add(member, to: copy, relationship, at: index) }
    }
  }
}
