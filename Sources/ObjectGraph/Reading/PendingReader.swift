/// What another reader shows with the unsaved changes of a context on top: what is saved now, not what the context read once.
final class PendingReader: GraphReader {
  private let base: any GraphReader
  private var changed: [ObjectID: ManagedObject] = [:]
  private var inserted: [ManagedObject] = []
  private var deleted: Set<ObjectID> = []
  /// Objects whose to-one was set, by the object that it leads to now.
  private var moved: [ReferenceKey: [ObjectID]] = [:]

  private struct ReferenceKey: Hashable {
    /// The entity that declares the to-one, whatever child it is seen from.
    let owner: Int
    let index: Int
    let target: ObjectID

    init(_ relationship: Relationship, _ target: ObjectID) {
      owner = relationship.record.owner
      index = relationship.index
      self.target = target
    }
  }

  init(_ context: ObjectContext, on base: any GraphReader) {
    self.base = base
    for object in context.changedObjects.sorted(by: { $0.insertionOrder < $1.insertionOrder }) {
      guard object.state.isLive else {
        deleted.insert(object.objectID)
        continue
      }
      changed[object.objectID] = object
      if object.isInserted { inserted.append(object) }
      for relationship in object.entity.relationships where !relationship.isToMany && relationship.inverse.isToMany {
        if let target = newReference(relationship, object) ?? nil {
          moved[ReferenceKey(relationship, target), default: []].append(object.objectID)
        }
      }
    }
  }

  func value(of attribute: Attribute, in object: ObjectID) throws -> Value {
    guard let state = changed[object]?.state, state.existence != .unknown else {
      return try base.value(of: attribute, in: object)
    }
    let value = state.values[attribute.index]
    let isUnchanged = state.existence == .exists && value == state.committedValues[attribute.index]
    return isUnchanged && !attribute.description.isTransient ? try base.value(of: attribute, in: object) : value
  }

  func object(of relationship: Relationship, in object: ObjectID) throws -> ObjectID? {
    if let owner = changed[object], let reference = newReference(relationship, owner) { return reference }
    return try base.object(of: relationship, in: object).flatMap { deleted.contains($0) ? nil : $0 }
  }

  func objects(of relationship: Relationship, in object: ObjectID) throws -> [ObjectID] {
    let owner = changed[object]
    let saved = owner?.isInserted == true ? [] : try base.objects(of: relationship, in: object)
    var members = saved.filter { !deleted.contains($0) }
    let inverse = relationship.inverse
    if inverse.isToMany {
      guard let list = owner?.state.lists[relationship.index] else { return members }
      let removed = Set(list.removed.values.map(\.objectID))
      members.removeAll { removed.contains($0) }
      let known = Set(members)
      let added = list.added.values.filter { $0.state.isLive && !known.contains($0.objectID) }
      return members + added.sorted { $0.insertionOrder < $1.insertionOrder }.map(\.objectID)
    }
    // The to-one of a member says where it belongs.
    members = try members.filter { member in
      guard changed[member] != nil else { return true }
      return try self.object(of: inverse, in: member) == object
    }
    let known = Set(members)
    return members + (moved[ReferenceKey(inverse, object)] ?? []).filter { !known.contains($0) }
  }

  func objects(of entities: [Entity]) throws -> [ObjectID] {
    try base.objects(of: entities).filter { !deleted.contains($0) }
      + inserted.filter { entities.contains($0.entity) }.map(\.objectID)
  }

  /// Where a to-one leads now; nil when it is as it was read, so that what is saved now counts.
  private func newReference(_ relationship: Relationship, _ owner: ManagedObject) -> ObjectID?? {
    guard owner.state.existence != .unknown else { return nil }
    let target = owner.state.ones[relationship.index]
    guard owner.isInserted || target?.storable !== owner.state.committedOnes[relationship.index] else { return nil }
    return .some(target.flatMap { $0.state.isLive ? $0.objectID : nil })
  }
}
