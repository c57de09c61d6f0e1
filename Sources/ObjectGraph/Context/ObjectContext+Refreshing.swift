/// Reading what others saved.
extension ObjectContext {
  /// Rereads all unchanged objects. Changed objects keep their values, and the base that a save compares with the
  /// store. Objects that no longer exist become deleted; deleted ones that exist again become live.
  /// - Throws: `store` if the objects cannot be read.
  public func refresh() throws(ObjectGraphError) {
    try translating {
      let objects = registeredObjects.filter(\.isReadable)
      try withoutUndo {
        try readReturned()
        try reread(objects) { _, _ in false }
      }
    }
  }

  /// Rereads some objects, if this context has read them and has no changes to them. Objects that no longer exist
  /// become deleted; deleted ones that exist again become live.
  /// - Throws: `store` if the objects cannot be read.
  public func refresh(_ ids: [ObjectID]) throws(ObjectGraphError) {
    try translating {
      let known = ids.compactMap(registered)
      let objects = known.filter(\.isReadable)
      let gone = known.filter(\.isGone)
      guard !objects.isEmpty || !gone.isEmpty else { return }
      try withoutUndo {
        for snapshot in try source.snapshots(of: gone.map(\.objectID)).values { _ = materialize(snapshot) }
        try reread(objects) { _, _ in false }
      }
    }
  }

  /// Rereads one object.
  /// - Parameters:
  ///   - object: an object that this context has read or saved; any other, or one that is gone, is ignored.
  ///   - keepsChanges: whether its changes are reapplied to what is saved now, so that a save sees no conflict;
  ///     otherwise they are discarded.
  /// - Throws: `store` if the object cannot be read.
  public func refresh(_ object: ManagedObject, keepsChanges: Bool) throws(ObjectGraphError) {
    guard object.context === self, object.state.existence == .exists else { return }
    try translating {
      try withoutUndo {
        if !keepsChanges { try dropChanges(of: object) }
        try reread([object]) { mine, _ in mine && keepsChanges }
      }
    }
  }

  /// Rereads the objects that a history lists, except objects that this context has not read or has changed. If the
  /// history was lost, rereads all unchanged objects. Changed objects stay as they are; a save merges them. Rereading
  /// this context's own writes is harmless.
  /// - Throws: `store` if the objects cannot be read.
  public func merge(_ history: ObjectHistory) throws(ObjectGraphError) {
    switch history {
    case .lost: try refresh()
    case .changes(let changes, next: _):
      try refresh(Array(changes.inserted) + Array(changes.updated) + changes.deleted.flatMap(\.candidates))
    }
  }

  /// Rereads deleted objects that were restored elsewhere.
  private func readReturned() throws {
    let gone = registeredObjects.filter(\.isGone)
    for snapshot in try source.snapshots(of: gone.map(\.objectID)).values { _ = materialize(snapshot) }
  }

  func reread(_ objects: [ManagedObject], keepsMine: (Bool, Bool) -> Bool) throws {
    let snapshots = try source.snapshots(of: objects.map(\.objectID))
    var present: [ManagedObject] = []
    for object in objects where source.ownerRelationship(of: object.entity) == nil {
      try reread(object, snapshots[object.objectID], &present, keepsMine)
    }
    // An object that is deleted and restored together with another stays as it is while the other is deleted.
    for object in objects where source.ownerRelationship(of: object.entity) != nil && !object.isUnreachable {
      try reread(object, snapshots[object.objectID], &present, keepsMine)
    }
    try reloadLists(of: present)
  }

  private func reread(
    _ object: ManagedObject, _ snapshot: ObjectSnapshot?, _ present: inout [ManagedObject],
    _ keepsMine: (Bool, Bool) -> Bool
  ) throws {
    guard let snapshot else { return markMissing(object) }
    try rebase(object, onto: snapshot, keepsMine: keepsMine)
    present.append(object)
  }

  private func dropChanges(of object: ManagedObject) throws {
    if !object.state.isLive { return try revive(object) }
    update(object) { $0.values = $0.committedValues }
    for relationship in object.entity.relationships {
      if !relationship.isToMany {
        try relate(object, relationship, to: object.state.committedOnes[relationship.index])
        continue
      }
      let list = object.state.lists[relationship.index]
      for member in list.added.values { try remove(member, from: object, relationship) }
      for member in list.removed.values where member.state.isLive {
        try add(member, to: object, relationship, at: nil)
      }
      if relationship.isOrdered {
        update(object) { $0.lists[relationship.index].revertOrder() }
      }
    }
  }
}

extension ManagedObject {
  /// True when the store shows the object and this context has no changes to it. An object that is restored
  /// together with another is not shown until the other is saved.
  fileprivate var isReadable: Bool {
    state.existence == .exists && !isChanged && !isUnreachable && !isReinsertedWithOwner
  }
}

extension MemberList {
  /// Goes back to the order last read or saved, if the members are the same.
  mutating func revertOrder() {
    if isLoaded, !hasDelta { setCommittedOrder(committed) }
  }
}
