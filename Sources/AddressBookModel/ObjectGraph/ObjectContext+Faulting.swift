import GRDB

/// Lists and external values, read when first touched.
extension ObjectContext {
  func list(of object: ManagedObject, _ place: Int) throws(StoreError) -> ObjectList {
    try loadLists([object], place)
    return object.lists[place] ?? ObjectList(committed: [], ids: [])
  }

  func loadLists(_ objects: [ManagedObject], _ place: Int) throws(StoreError) {
    let faults = objects.filter { $0.lists[place] == nil }
    guard let entity = faults.first?.entity else { return }
    let relationship = entity.relationships[place]
    // Looked up before the read, so that a child that somebody removed meanwhile is not missed.
    switch relationship.storage {
    case .column:
      preconditionFailure("\(entity.name).\(relationship.name) leads to one object")
    case .children:
      let destination = model.entity(relationship.destination)
      let found = try source.children(relationship, of: entity, owners: faults.map(\.objectID))
      for object in faults {
        let children = (found[object.objectID] ?? []).map { register(destination, $0.id, $0.snapshot) }
        var list = ObjectList(committed: children.map(\.objectID), ids: [], held: children)
        list.ids = list.committed
        followChanges(of: &list, owner: object, relationship)
        object.lists[place] = list
      }
    case .join:
      let found = try source.joined(relationship, of: entity, owners: faults.map(\.objectID))
      for object in faults {
        var list = ObjectList(committed: found[object.objectID] ?? [], ids: [])
        list.ids = list.committed
        followChanges(of: &list, owner: object, relationship)
        object.lists[place] = list
      }
    }
  }

  /// Changes that were made on the other side while this list was not loaded.
  private func followChanges(
    of list: inout ObjectList, owner: ManagedObject, _ relationship: RelationshipDescription
  ) {
    guard let (inverse, place) = model.inverse(of: relationship) else { return }
    for other in pinned.values where other.entity.name == relationship.destination {
      let isIn: Bool
      switch inverse.storage {
      case .column:
        isIn = other.isLive && other.links[place].map(canonical) == owner.objectID
      case .children, .join:
        guard let there = other.lists[place] else { continue }
        let (now, before) = (there.ids.contains(owner.objectID), there.committed.contains(owner.objectID))
        if now == before && other.isLive == other.exists { continue }
        isIn = now && other.isLive
      }
      let index = list.ids.firstIndex(of: other.objectID)
      if isIn, index == nil {
        list.ids.append(other.objectID)
        if inverse.isToOne { list.held.append(other) }
      } else if !isIn, let index {
        list.ids.remove(at: index)
      }
    }
  }

  func external(of object: ManagedObject, _ place: Int) throws(StoreError) -> ExternalValue {
    if let known = object.externals[place] { return known }
    let value = try source.external(object.entity.externals[place], of: object.entity, object.objectID)
    let external = ExternalValue(committed: value, value: value)
    object.externals[place] = external
    return external
  }
}
