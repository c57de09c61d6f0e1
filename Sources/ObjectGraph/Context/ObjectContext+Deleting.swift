/// Deleting, by the delete rules of relationships, and restoring.
extension ObjectContext {
  /// Deletes an object, and related objects by the delete rules of its relationships, as one undo step. An object that
  /// is already deleted is ignored. The save checks `deny` rules when it validates.
  /// - Throws: `store`, `foreignObject`.
  public func delete(_ object: ManagedObject) throws(ObjectGraphError) {
    guard object.context === self else { throw .foreignObject(object.objectID) }
    guard !object.isUnreachable else { return }
    try translating {
      try undoGroup { try deleteTree(object) }
    }
  }

  /// Goes level by level: the faults of a level are read together, and a deep tree does not exhaust the call stack.
  private func deleteTree(_ first: ManagedObject) throws {
    var level = [first]
    while !level.isEmpty {
      try fire(level.filter { $0.state.existence == .unknown })
      level = level.filter(\.state.isLive)
      for object in level {
        // An undo needs all values of an object whose row is removed.
        if !source.marksDeletions(of: object.entity) { try readValues(of: object) }
        apply(.existence(object, isLive: false))
      }
      var next: [ManagedObject] = []
      for (entity, group) in Dictionary(grouping: level, by: \.entity).sorted(by: { $0.key.index < $1.key.index }) {
        for relationship in entity.relationships where relationship.deleteRule != .noAction {
          var group = group
          if isKept(relationship) {
            for object in group { leaveUnsavedParts(object, relationship) }
            // The store keeps no pairs of an object that was never saved.
            guard relationship.isManyToMany else { continue }
            group = group.filter { $0.state.existence == .absent && !$0.state.isMarked }
          }
          if relationship.isToMany { try loadLists(of: group, relationship) }
          for object in group { next += try leave(object, relationship) }
        }
      }
      level = next
    }
  }

  /// Returns whether a deletion leaves the relationship alone, because the deleted object's row stays in the store,
  /// with its pairs and the rows that are deleted and restored with it.
  func isKept(_ relationship: Relationship) -> Bool {
    guard source.marksDeletions(of: relationship.entity) else { return false }
    return relationship.isManyToMany
      || source.ownerRelationship(of: relationship.destination)?.name == relationship.inverse.name
  }

  /// Deletes the parts that have no row to keep, because they were not saved. Undoing the deletion restores them.
  private func leaveUnsavedParts(_ object: ManagedObject, _ relationship: Relationship) {
    guard !relationship.isManyToMany else { return }
    for part in object.references(by: relationship) where part.isInserted { apply(.existence(part, isLive: false)) }
  }

  /// Returns an object whose row is marked as deleted, or whose deletion in this context is not saved yet; nil if there
  /// is none. To undelete it, call ``restore(_:)``.
  /// - Throws: `unknownEntity`, `store`.
  public func deletedObject(_ entity: String, number: Int64) throws(ObjectGraphError) -> ManagedObject? {
    try first(entity, number: number) { try deletedObjects([$0]).first }
  }

  func deletedObjects(_ ids: [ObjectID]) throws -> [ManagedObject] {
    let ids = ids.map(currentID)
    func known(_ id: ObjectID) -> ManagedObject? { registered(id).flatMap { $0.isKnown ? $0 : nil } }
    let unread = ids.filter { id in
      known(id) == nil && model.entity(named: id.entity).map(source.marksDeletions) == true
    }
    let snapshots = unread.isEmpty ? [:] : try source.markedSnapshots(of: unread)
    return try ids.compactMap { id in
      if let object = known(id) { return object.state.isLive ? nil : object }
      guard let snapshot = snapshots[id] else { return nil }
      let object = handle(id, snapshot.entity)
      try readMarked(object, snapshot)
      return object
    }
  }

  /// Returns the objects of a family that are known here or in a parent, and not deleted.
  func liveObjects(of root: Entity) -> Set<ObjectID> {
    var live = parent?.liveObjects(of: root) ?? []
    for object in registeredObjects where object.entity.root == root && object.isKnown {
      if object.state.isLive { live.insert(object.objectID) } else { live.remove(object.objectID) }
    }
    return live
  }

  /// Restores a deleted object with everything that was kept with it, as one undo step. A live object is ignored.
  /// - Throws: `foreignObject`; `deletedObject` when the store no longer has it, or removes deleted rows; `store`.
  public func restore(_ object: ManagedObject) throws(ObjectGraphError) {
    guard object.context === self else { throw .foreignObject(object.objectID) }
    guard !object.state.isLive else { return }
    try translating {
      guard source.marksDeletions(of: object.entity) else { throw ObjectGraphError.deletedObject(object.objectID) }
      if object.isGone {
        guard let snapshot = try source.markedSnapshots(of: [object.objectID])[object.objectID] else {
          throw ObjectGraphError.deletedObject(object.objectID)
        }
        try readMarked(object, snapshot)
      }
      undoGroup { apply(.existence(object, isLive: true)) }
    }
  }

  /// Applies the delete rule of one relationship and returns the objects to delete next.
  private func leave(_ object: ManagedObject, _ relationship: Relationship) throws -> [ManagedObject] {
    let others = object.references(by: relationship)
    switch relationship.deleteRule {
    case .deny, .noAction: return []
    case .cascade: return others.filter(\.state.isLive)
    case .nullify:
      let inverse = relationship.inverse
      for other in others {
        try fire(other)
        // The object keeps its own references, for the undo.
        if inverse.isToMany {
          try removeMember(object, from: other, inverse)
        } else if other.state.ones[inverse.index] === object {
          point(other, inverse, to: nil)
        }
      }
      return []
    }
  }
}

extension ManagedObject {
  /// True when the context need not ask the source whether the object is deleted.
  fileprivate var isKnown: Bool { state.existence != .unknown && !isGone }
}
