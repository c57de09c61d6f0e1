/// Deleting by the rules of relationships.
extension ObjectContext {
  /// Deletes an object and, by the rules of its relationships, others; all at once, as one step of undo. A deleted object is
  /// passed over. A `deny` is checked by the save, together with everything else.
  /// - Throws: `store`, `foreignObject`.
  public func delete(_ object: ManagedObject) throws(ObjectGraphError) {
    guard object.context === self else { throw .foreignObject(object.objectID) }
    guard object.state.isLive else { return }
    try translating {
      try undoGroup { try deleteTree(object) }
    }
  }

  /// Level by level, so that a level is read together and a deep tree needs no deep stack.
  private func deleteTree(_ first: ManagedObject) throws {
    var level = [first]
    while !level.isEmpty {
      try fire(level.filter { $0.state.existence == .unknown })
      level = level.filter(\.state.isLive)
      for object in level {
        // Of what is removed an undo needs everything.
        if !source.marksDeletions(of: object.entity) { try readValues(of: object) }
        apply(.existence(object, isLive: false))
      }
      var next: [ManagedObject] = []
      for (entity, group) in Dictionary(grouping: level, by: \.entity).sorted(by: { $0.key.index < $1.key.index }) {
        for relationship in entity.relationships where relationship.deleteRule != .noAction {
          if isKept(relationship) {
            for object in group { leaveUnsavedParts(object, relationship) }
            continue
          }
          if relationship.isToMany { try loadLists(of: group, relationship) }
          for object in group { next += try leave(object, relationship) }
        }
      }
      level = next
    }
  }

  /// Whether a deletion leaves the relationship as it is, because the deleted object stays in the store with all that belongs
  /// to it: pairs, and rows that go and come back with it.
  func isKept(_ relationship: Relationship) -> Bool {
    guard source.marksDeletions(of: relationship.entity) else { return false }
    return relationship.isManyToMany || source.keeper(of: relationship.destination)?.name == relationship.inverse.name
  }

  /// Parts that were never saved have no row to stay in; they come back with the undo of the deletion.
  private func leaveUnsavedParts(_ object: ManagedObject, _ relationship: Relationship) {
    guard !relationship.isManyToMany else { return }
    for part in object.references(by: relationship) where part.isInserted { apply(.existence(part, isLive: false)) }
  }

  /// An object whose deletion was saved, ready for ``restore(_:)``; nil when there is none, or when the store removes what is
  /// deleted.
  /// - Throws: `unknownEntity`, `store`.
  public func deletedObject(_ entity: String, number: Int64) throws(ObjectGraphError) -> ManagedObject? {
    try first(entity, number: number) { try deletedObjects([$0]).first }
  }

  func deletedObjects(_ ids: [ObjectID]) throws -> [ManagedObject] {
    func known(_ id: ObjectID) -> ManagedObject? {
      registered(id).flatMap { $0.state.existence != .unknown && !$0.isGone ? $0 : nil }
    }
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

  /// Brings a deleted object back with all that stayed with it, as one step of undo. One that is live is passed over.
  /// - Throws: `foreignObject`; `deletedObject` when the store has it no more, or removes what is deleted; `store`.
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

  /// Does what the rule of one relationship says; the objects to be deleted next.
  private func leave(_ object: ManagedObject, _ relationship: Relationship) throws -> [ManagedObject] {
    let others = object.references(by: relationship)
    switch relationship.deleteRule {
    case .deny, .noAction: return []
    case .cascade: return others.filter(\.state.isLive)
    case .nullify:
      let inverse = relationship.inverse
      for other in others {
        try fire(other)
        // The object itself keeps its references for the undo.
        if inverse.isToMany {
          try take(object, outOf: other, inverse)
        } else if other.state.ones[inverse.index] === object {
          point(other, inverse, to: nil)
        }
      }
      return []
    }
  }
}
