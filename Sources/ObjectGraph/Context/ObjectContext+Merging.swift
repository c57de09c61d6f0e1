/// Merging with changes saved elsewhere since this context read or saved its objects. The merge runs inside the save's
/// transaction, so nobody writes in between. A refused save restores the state of all objects.
extension ObjectContext {
  /// Applies the merge policy to every conflict.
  /// - Throws: `conflicts` when the policy refuses.
  func merge(_ source: StackSource) throws {
    var checked: Set<ObjectIdentifier> = []
    var conflicts: [SaveConflict] = []
    // Each merge may touch further objects.
    while true {
      let candidates = mergeCandidates(&checked)
      guard !candidates.isEmpty else { break }
      let foreign = zip(candidates, try source.versions(of: candidates))
        .filter { $0.isInserted || $1 != $0.state.version || !source.keepsVersions(of: $0.entity) }
        .sorted { ($0.0.entity.index, $0.0.objectID.number ?? 0) < ($1.0.entity.index, $1.0.objectID.number ?? 0) }
      var snapshots = try source.snapshots(of: foreign.filter { $1 != nil }.map(\.0.objectID))
      for (object, version) in foreign {
        // Without versions, comparing the row is the only way to tell whether it was saved elsewhere.
        if !source.keepsVersions(of: object.entity), let row = snapshots[object.objectID] {
          if try isUnchanged(object, row) { snapshots[object.objectID] = nil }
        }
        if let conflict = try merge(object, isThere: version != nil, snapshots[object.objectID]) {
          conflicts.append(conflict)
        } else if object.state.isLive, snapshots[object.objectID] != nil {
          try readParts(of: object)
        }
      }
    }
    guard conflicts.isEmpty else { throw ObjectGraphError.conflicts(conflicts) }
  }

  /// Rereads the unchanged parts of an object after the object or one of its parts was saved elsewhere. Changed parts
  /// are merged separately.
  private func readParts(of object: ManagedObject) throws {
    guard !object.entity.partLists.isEmpty || !object.parts.isEmpty else { return }
    let parts = object.parts
    try reread(parts.filter { $0.state.existence == .exists && !$0.isChanged }) { _, _ in false }
    try reloadLists(of: [object])
  }

  private func isUnchanged(_ object: ManagedObject, _ row: ObjectSnapshot) throws -> Bool {
    guard object.state.existence == .exists else { return false }
    return try object.entity.attributes.allSatisfy { attribute in
      let base = object.state.committedValues[attribute.index]
      guard !attribute.description.isTransient else { return true }
      guard row.unread.contains(attribute.index) else { return base == row.values[attribute.index] }
      return try !object.isPartOfChange(attribute.index)
        || source.value(of: attribute, in: object.objectID) == base
    }
      && object.entity.relationships.allSatisfy { relationship in
        relationship.isToMany
          || object.state.committedOnes[relationship.index]?.objectID == row.references[relationship.index]?.id
      }
  }

  /// Returns the saved objects that were deleted or restored here or whose rows were changed here, and those at either
  /// end of a new link, except those that were checked already.
  private func mergeCandidates(_ checked: inout Set<ObjectIdentifier>) -> [ManagedObject] {
    var candidates: [ManagedObject] = []
    func add(_ object: ManagedObject) {
      guard !object.objectID.isTemporary, checked.insert(ObjectIdentifier(object)).inserted else { return }
      candidates.append(object)
    }
    for object in touched.values {
      // Undoing a saved deletion inserts the object again; it may already have been restored elsewhere.
      let isReinserted = object.isInserted && !object.objectID.isTemporary
      if isReinserted || (object.state.existence == .exists && (!object.state.isLive || object.isRowChanged)) {
        add(object)
      }
      guard object.state.isLive else { continue }
      for toOne in object.entity.toOnes {
        let one = object.state.ones[toOne.index]
        guard let one, one !== object.state.committedOnes[toOne.index], one.state.isLive, one.state.existence != .absent
        else { continue }
        add(one)
      }
      for list in object.state.lists where !list.added.isEmpty {
        for end in [object] + Array(list.added.values) where end.state.isLive && end.state.existence != .absent {
          add(end)
        }
      }
    }
    return candidates
  }

  /// Merges one object.
  /// - Parameter snapshot: the row, if it differs from the one that was read.
  /// - Returns: the conflict, if the policy refuses it.
  private func merge(
    _ object: ManagedObject, isThere: Bool, _ snapshot: ObjectSnapshot?
  ) throws -> SaveConflict? {
    let refuses = mergePolicy == .error || mergePolicy == .byProperty
    if object.isInserted {
      guard isThere else {
        try prepareReturn(ofMarked: object)
        return nil
      }
      if refuses { return SaveConflict(object: object.objectID, fields: [:], deleted: nil) }
      if let row = try snapshot ?? source.snapshots(of: [object.objectID])[object.objectID] { try adopt(object, row) }
      return nil
    }
    if !isThere, object.isReinsertedWithOwner {
      // The row exists, though the store does not show it yet.
      guard object.state.isLive else { return nil }
      try readValues(of: object)
      update(object) { $0.existence = .absent }
      return nil
    }
    if !isThere {
      guard object.state.isLive else {
        update(object) { $0.existence = .absent }
        return nil
      }
      if refuses { return SaveConflict(object: object.objectID, fields: [:], deleted: .theirs) }
      if mergePolicy.prefersStore { try removeMissing(object) } else { try insertAgain(object) }
      return nil
    }
    guard let snapshot else { return nil }
    if !object.state.isLive {
      if refuses { return SaveConflict(object: object.objectID, fields: [:], deleted: .mine) }
      if mergePolicy.prefersStore {
        try revive(object)
        try rebase(object, onto: snapshot) { _, _ in false }
      } else {
        update(object) { $0.version = snapshot.version }
      }
      return nil
    }
    guard object.isRowChanged else { return nil }
    let fields = try conflictingFields(object, snapshot)
    if mergePolicy == .error || (mergePolicy == .byProperty && !fields.isEmpty) {
      return SaveConflict(object: object.objectID, fields: fields, deleted: nil)
    }
    let policy = mergePolicy
    try rebase(object, onto: snapshot) { policy.keepsMine(mineChanged: $0, theirsChanged: $1) }
    return nil
  }

  private func conflictingFields(
    _ object: ManagedObject, _ snapshot: ObjectSnapshot
  ) throws -> [String: SaveConflict.Field] {
    var fields: [String: SaveConflict.Field] = [:]
    let theirValues = try values(of: object, in: snapshot)
    for ((index, theirs), changed) in zip(theirValues, changes(of: object, theirValues)) {
      let attribute = EntityAttribute(entity: object.entity, index: index)
      let (base, mine) = (object.state.committedValues[index], object.state.values[index])
      if changed.mine, changed.theirs, mine != theirs {
        fields[attribute.name] = SaveConflict.Field(base: base, mine: mine, theirs: theirs)
      }
    }
    for relationship in object.entity.relationships where !relationship.isToMany {
      let base = object.state.committedOnes[relationship.index]?.objectID
      let mine = object.state.ones[relationship.index]?.storable?.objectID
      let theirs = snapshot.references[relationship.index].map(handle)?.objectID
      if mine != base, theirs != base, mine != theirs {
        fields[relationship.name] = SaveConflict.Field(
          base: base.map(Value.object) ?? .null, mine: mine.map(Value.object) ?? .null,
          theirs: theirs.map(Value.object) ?? .null)
      }
    }
    return fields
  }

  /// Turns an insertion into an update, because the row already exists.
  private func adopt(_ object: ManagedObject, _ snapshot: ObjectSnapshot) throws {
    update(object) { state in
      state.existence = .exists
      state.version = snapshot.version
      state.committedValues = snapshot.values
      for relationship in object.entity.relationships {
        state.committedOnes[relationship.index] = snapshot.references[relationship.index].map(handle)
      }
    }
    guard mergePolicy.prefersStore else { return }
    update(object) { $0.values = $0.committedValues }
    for relationship in object.entity.relationships where !relationship.isToMany {
      try relate(object, relationship, to: object.state.committedOnes[relationship.index])
    }
  }

  // MARK: - Deleted elsewhere

  /// Merges an object that is being restored here, in case its marked row was changed or removed elsewhere.
  private func prepareReturn(ofMarked object: ManagedObject) throws {
    guard object.state.isMarked else { return }
    guard let row = try source.markedSnapshots(of: [object.objectID])[object.objectID] else {
      update(object) { $0.isMarked = false }
      return try insertParts(of: object)
    }
    guard row.version != object.state.version else { return }
    for (index, theirs) in try values(of: object, in: row) {
      update(object) { state in
        if state.values[index] == state.committedValues[index] { state.values[index] = theirs }
        state.committedValues[index] = theirs
      }
    }
    update(object) { $0.version = row.version }
  }

  /// Restores an object that has changes here and was marked as deleted elsewhere. The object stays as it is here; its
  /// unchanged parts are reread.
  private func insertAgain(_ object: ManagedObject, overMarked row: ObjectSnapshot) throws {
    let stored = try values(of: object, in: row)
    update(object) { state in
      state.existence = .absent
      state.isMarked = true
      state.version = row.version
      for (index, value) in stored { state.committedValues[index] = value }
    }
    touch(object)
    try rereadParts(ofMarked: object)
  }

  /// Rereads parts that were kept with a marked row, if they are known and unchanged here.
  func rereadParts(ofMarked object: ManagedObject) throws {
    for list in object.entity.relationships where list.isToMany && !list.isManyToMany && isKept(list) {
      let known = object.state.lists[list.index].items.filter { $0.state.existence == .exists && !$0.isChanged }
      guard !known.isEmpty else { continue }
      let rows = try source.members(list, of: [object.objectID])[object.objectID] ?? []
      let snapshots = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      for part in known {
        if let snapshot = snapshots[part.objectID] {
          try rebase(part, onto: snapshot) { _, _ in false }
        } else {
          markMissing(part)
          update(object) { $0.lists[list.index].commitRemoval(part, keepsOrder: list.isOrdered) }
        }
      }
    }
  }

  /// Reinserts the parts and the pairs that were deleted with an object, when the object is reinserted. Parts that were
  /// not read completely cannot be reinserted; those that are known become deleted.
  func insertParts(of object: ManagedObject) throws {
    for relationship in object.entity.relationships where isKept(relationship) {
      if relationship.isManyToMany {
        update(object) { $0.lists[relationship.index].markAllAdded() }
        continue
      }
      for part in object.references(by: relationship) where part.state.isLive && part.state.existence != .absent {
        if part.state.existence == .unknown || !part.state.unread.isEmpty {
          markMissing(part)
          continue
        }
        update(part) { $0.existence = .absent }
        touch(part)
      }
    }
  }

  /// Deletes the object here too, and clears the references that this context made to it.
  private func removeMissing(_ gone: ManagedObject) throws {
    markMissing(gone)
    for object in Array(touched.values) where object !== gone && object.state.isLive {
      for relationship in object.entity.relationships {
        if relationship.isToMany {
          guard object.state.lists[relationship.index].added[ObjectIdentifier(gone)] != nil else { continue }
          try removeMember(gone, from: object, relationship)
        } else if object.state.ones[relationship.index] === gone,
          object.state.committedOnes[relationship.index] !== gone
        {
          point(object, relationship, to: nil)
        }
      }
    }
  }

  /// Inserts the object again as it is here, with its relationships, which the deletion elsewhere cut.
  private func insertAgain(_ object: ManagedObject) throws {
    if object.state.existence == .unknown { return try removeMissing(object) }
    if let row = try source.markedSnapshots(of: [object.objectID])[object.objectID] {
      return try insertAgain(object, overMarked: row)
    }
    try insertParts(of: object)
    var partners: [(Relationship, ManagedObject)] = []
    for relationship in object.entity.relationships {
      for other in object.references(by: relationship) where other.state.isLive && other !== object {
        partners.append((relationship, other))
      }
    }
    update(object) { state in
      state.existence = .absent
      for relationship in object.entity.relationships where relationship.isManyToMany {
        state.lists[relationship.index].markAllAdded()
      }
    }
    touch(object)
    let rows = try source.snapshots(of: partners.map(\.1).filter { $0.state.existence == .exists }.map(\.objectID))
    for (relationship, other) in partners where other.state.existence == .exists {
      guard let row = rows[other.objectID] else {
        if !other.isChanged { markMissing(other) }
        continue
      }
      let inverse = relationship.inverse
      guard !inverse.isToMany, row.references[inverse.index] == nil, other.state.ones[inverse.index] === object
      else { continue }
      try rebase(other, onto: row) { mine, _ in mine }
      if other.state.ones[inverse.index] == nil { try relate(other, inverse, to: object) }
    }
  }
}

extension ManagedObject {
  /// The known parts.
  var parts: [ManagedObject] {
    entity.relationships.filter { $0.destination.owner?.name == $0.inverse.name && $0.destination != entity }
      .flatMap(references)
  }
}

extension ManagedObject {
  /// True when the store hides the object because the row that it is deleted and restored with is marked.
  var isHiddenWithOwner: Bool {
    guard let owner = committedOwner else { return false }
    return owner.state.isMarked && owner.state.existence == .absent
  }

  /// True when the next save restores the marked row that the object is deleted and restored with.
  var isReinsertedWithOwner: Bool {
    guard let owner = committedOwner else { return false }
    return owner.isInserted && owner.state.isMarked
  }

  /// The object that this object's saved row is deleted and restored with, even if this context has since moved the
  /// object to another owner.
  private var committedOwner: ManagedObject? {
    context?.source.ownerRelationship(of: entity).flatMap { state.committedOnes[$0.index] ?? state.ones[$0.index] }
  }
}
