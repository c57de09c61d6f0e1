import GRDB

/// Reads objects from another context as they are there, unsaved changes and all, and saves changes into it.
final class ParentSource: ObjectSource {
  private let parent: ObjectContext

  init(_ parent: ObjectContext) { self.parent = parent }

  func canonical(_ id: ObjectID) -> ObjectID { parent.canonical(id) }

  func snapshots(
    of entity: EntityDescription, _ ids: [ObjectID], deleted: Bool
  ) throws(StoreError) -> [ObjectID: Snapshot] {
    var found: [ObjectID: Snapshot] = [:]
    if deleted {
      for id in ids { if let object = try parent.deletedObject(id) { found[id] = Self.snapshot(object) } }
    } else {
      for object in try parent.objects(ids) { found[object.objectID] = Self.snapshot(object) }
    }
    return found
  }

  func children(
    _ relationship: RelationshipDescription, of entity: EntityDescription, owners: [ObjectID]
  ) throws(StoreError) -> [ObjectID: [(id: ObjectID, snapshot: Snapshot)]] {
    let objects = try parent.objects(owners)
    try parent.prefetch([relationship.name], of: objects)
    var found: [ObjectID: [(id: ObjectID, snapshot: Snapshot)]] = [:]
    for owner in objects {
      found[owner.objectID] = try owner.objects(relationship.name).map { ($0.objectID, Self.snapshot($0)) }
    }
    return found
  }

  func joined(
    _ relationship: RelationshipDescription, of entity: EntityDescription, owners: [ObjectID]
  ) throws(StoreError) -> [ObjectID: [ObjectID]] {
    var found: [ObjectID: [ObjectID]] = [:]
    for owner in try parent.objects(owners) { found[owner.objectID] = try owner.ids(relationship.name) }
    return found
  }

  func external(
    _ attribute: ExternalAttribute, of entity: EntityDescription, _ id: ObjectID
  ) throws(StoreError) -> [DatabaseValue]? {
    try parent.object(id)?.external(attribute.name)
  }

  /// Makes the changes in the parent, as one step of undo there.
  func commit(_ work: PendingWork, of context: ObjectContext) throws(SaveError) -> CommitResult {
    do {
      let name = context.undoLog.undo.last { !$0.name.isEmpty }?.name ?? ""
      try parent.action(name) { () throws(StoreError) in
        for object in work.objects where object.pending == .insertion { try insert(object) }
        for object in work.objects where object.isLive { try copy(object) }
        for object in work.objects where object.pending == .deletion {
          if let there = try parent.object(object.objectID) { try parent.delete(there) }
        }
      }
    } catch {
      throw .store(error)
    }
    return CommitResult()
  }

  private func insert(_ object: ManagedObject) throws(StoreError) {
    if let gone = try parent.deletedObject(object.objectID) {
      parent.restore(gone)
      return
    }
    let there = object.entity.makeObject(parent, object.objectID)
    parent.enter(there)
    parent.apply(.existence(there, isLive: true))
  }

  private func copy(_ object: ManagedObject) throws(StoreError) {
    guard let there = try parent.object(object.objectID) else { return }
    for place in object.values.indices where object.pending == .insertion || object.isChanged(attribute: place) {
      parent.change(there, attribute: place, to: object.values[place])
    }
    for (place, relationship) in object.entity.relationships.enumerated() {
      switch relationship.storage {
      case .column:
        guard object.links[place] != object.committedLinks[place] else { continue }
        let other: ManagedObject?
        if let id = object.links[place] { other = try parent.object(id) } else { other = nil }
        try parent.relate(there, place, to: other)
      case .join:
        guard let list = object.lists[place] else { continue }
        let (now, before) = (Set(list.ids), Set(list.committed))
        for id in before.subtracting(now) {
          if let other = try parent.object(id) { try parent.remove(other, from: there, place) }
        }
        for id in list.ids where !before.contains(id) {
          if let other = try parent.object(id) { try parent.add(other, to: there, place, at: nil) }
        }
      case .children:
        try copyOrder(object, there, place)
      }
    }
    for (place, external) in object.externals.enumerated() {
      if let external, external.isChanged { try parent.change(there, external: place, to: external.value) }
    }
  }

  /// Children come by their links; here they take their places.
  private func copyOrder(_ object: ManagedObject, _ there: ManagedObject, _ place: Int) throws(StoreError) {
    guard let list = object.lists[place], list.ids != list.committed else { return }
    for (index, id) in list.ids.enumerated() {
      if let child = try parent.object(id) { try parent.add(child, to: there, place, at: index) }
    }
  }

  private static func snapshot(_ object: ManagedObject) -> Snapshot {
    Snapshot(
      values: object.values, links: object.links, version: object.version, created: object.created,
      modified: object.modified)
  }
}

extension ManagedObject {
  fileprivate func isChanged(attribute place: Int) -> Bool { values[place] != committedValues[place] }
}
