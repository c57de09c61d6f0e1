import Foundation

/// A parent context as the source of its child: its objects as they are now, unsaved changes included.
final class ParentSource: ObjectSource {
  private let context: ObjectContext

  init(_ context: ObjectContext) { self.context = context }

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

  func value(of attribute: Attribute, in id: ObjectID) throws -> Value {
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
