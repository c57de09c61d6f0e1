import Foundation

/// Saving a child into its parent.
extension ObjectContext {
  /// Applies every change of this context to the parent as one undo step, named after the most recent named step since
  /// the last save. The child's values overwrite the parent's.
  func save(into parent: ObjectContext) throws {
    let changed = orderedChanges
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

/// A parent context as the source of its child: its objects as they are now, unsaved changes included.
final class ParentSource: ObjectSource {
  private let context: ObjectContext

  init(_ context: ObjectContext) { self.context = context }

  var stack: ObjectStack { context.stack }

  func snapshots(of ids: [ObjectID]) throws -> [ObjectID: ObjectSnapshot] {
    var snapshots: [ObjectID: ObjectSnapshot] = [:]
    let unknown = ids.filter { context.registered($0) == nil }
    // Hold the objects, or they may be deallocated before they are copied.
    let read = try context.objects(unknown)
    for id in ids {
      guard let object = context.registered(id) else { continue }
      try context.fire(object)
      if object.state.isLive { snapshots[id] = snapshot(object) }
    }
    return withExtendedLifetime(read) { snapshots }
  }

  func members(_ relationship: Relationship, of owners: [ObjectID]) throws -> [ObjectID: [ObjectSnapshot]] {
    let objects = try context.objects(owners)
    try context.loadLists(of: objects, relationship)
    var members: [ObjectID: [ObjectSnapshot]] = [:]
    for owner in objects {
      members[owner.objectID] = owner.state.lists[relationship.index].items.filter(\.state.isLive).map(snapshot)
    }
    return members
  }

  func storeIdentifier(of entity: Entity) throws -> UUID { try context.source.storeIdentifier(of: entity) }

  func markedSnapshots(of ids: [ObjectID]) throws -> [ObjectID: ObjectSnapshot] {
    var snapshots: [ObjectID: ObjectSnapshot] = [:]
    for id in ids {
      if let object = try context.deletedObjects([id]).first { snapshots[id] = snapshot(object) }
    }
    return snapshots
  }

  func value(of attribute: EntityAttribute, in id: ObjectID) throws -> Value {
    guard let object = try context.object(id) ?? context.deletedObjects([id]).first else { return .null }
    return try object.value(attribute.name)
  }

  func sharedKey(of entity: Entity) -> Relationship? { context.source.sharedKey(of: entity) }

  func marksDeletions(of entity: Entity) -> Bool { context.source.marksDeletions(of: entity) }

  func ownerRelationship(of entity: Entity) -> Relationship? { context.source.ownerRelationship(of: entity) }

  private func snapshot(_ object: ManagedObject) -> ObjectSnapshot {
    let references = object.entity.relationships.map { relationship -> ObjectReference? in
      guard let other = object.state.ones[relationship.index], other.state.isLive else { return nil }
      return ObjectReference(id: other.objectID, entity: other.entity, exists: true)
    }
    return ObjectSnapshot(
      id: object.objectID, entity: object.entity, version: 0, values: object.state.values,
      unread: object.state.unread, references: references)
  }
}
