/// Taking over what somebody else saved, with or without this context's own changes on it. Nothing here is a step of undo.
extension ObjectContext {
  /// Reads a row again into an object.
  /// - Parameter keepsMine: whether a property keeps its value here, by whether this context and the others changed it.
  func rebase(
    _ object: ManagedObject, onto snapshot: ObjectSnapshot, keepsMine: (_ mine: Bool, _ theirs: Bool) -> Bool
  ) throws {
    if isForeign(object, snapshot) { object.foreignWrites += 1 }
    update(object) { $0.version = snapshot.version }
    let theirValues = try values(of: object, in: snapshot)
    let whole = object.entity.description.isAtomic ? changes(of: object, theirValues) : nil
    for (index, theirs) in theirValues {
      let (base, mine) = (object.state.committedValues[index], object.state.values[index])
      let keeps = keepsMine(whole?.mine ?? (mine != base), whole?.theirs ?? (theirs != base))
      update(object) { state in
        state.committedValues[index] = theirs
        state.values[index] = keeps ? mine : theirs
      }
    }
    for relationship in object.entity.relationships where !relationship.isToMany {
      let index = relationship.index
      let theirs = snapshot.references[index].map(handle)
      let (base, mine) = (object.state.committedOnes[index], object.state.ones[index]?.storable)
      let keeps = keepsMine(mine !== base, theirs !== base)
      if theirs !== base {
        // First as it was read, then as it is now, and then the change of this context again.
        try relate(object, relationship, to: base)
        move(object, relationship, from: base, to: theirs)
        if keeps, mine == nil || mine?.state.isLive == true { try relate(object, relationship, to: mine) }
      } else if !keeps, mine !== base {
        try relate(object, relationship, to: base)
      }
    }
  }

  /// What a snapshot has of an object, by the index of the attribute. A value that is read when it is asked for is read where
  /// this context changed it; else what was read of it is forgotten.
  func values(of object: ManagedObject, in snapshot: ObjectSnapshot) throws -> [(index: Int, value: Value)] {
    var values: [(index: Int, value: Value)] = []
    for attribute in object.entity.attributes where !attribute.description.isTransient {
      let index = attribute.index
      if !snapshot.unread.contains(index) {
        values.append((index, snapshot.values[index]))
      } else if object.state.values[index] != object.state.committedValues[index] {
        values.append((index, try source.value(of: attribute, in: object.objectID)))
      } else if !object.state.unread.contains(index) {
        update(object) { state in
          state.unread.insert(index)
          state.values[index] = .null
          state.committedValues[index] = .null
        }
      }
    }
    return values
  }

  private func changes(
    of object: ManagedObject, _ theirs: [(index: Int, value: Value)]
  ) -> (mine: Bool, theirs: Bool) {
    let state = object.state
    return (
      theirs.contains { state.values[$0.index] != state.committedValues[$0.index] },
      theirs.contains { $0.value != state.committedValues[$0.index] }
    )
  }

  private func isForeign(_ object: ManagedObject, _ snapshot: ObjectSnapshot) -> Bool {
    guard snapshot.version == object.state.version else { return true }
    return object.entity.attributes.contains { attribute in
      !attribute.description.isTransient && !snapshot.unread.contains(attribute.index)
        && snapshot.values[attribute.index] != object.state.committedValues[attribute.index]
    }
  }

  /// Somebody else made a to-one lead elsewhere: both ends follow, and nothing is changed.
  private func move(
    _ object: ManagedObject, _ relationship: Relationship, from base: ManagedObject?, to theirs: ManagedObject?
  ) {
    let inverse = relationship.inverse
    update(object) { state in
      state.committedOnes[relationship.index] = theirs
      state.ones[relationship.index] = theirs
    }
    if inverse.isToMany {
      if let base { update(base) { $0.lists[inverse.index].commitRemoval(object, keepsOrder: inverse.isOrdered) } }
      if let theirs { update(theirs) { $0.lists[inverse.index].commitInsertion(object) } }
      return
    }
    if let base { forget(base, inverse, object) }
    guard let theirs, theirs !== object else { return }
    if let third = theirs.state.ones[inverse.index], third !== object { forget(third, relationship, theirs) }
    update(theirs) { state in
      state.committedOnes[inverse.index] = object
      state.ones[inverse.index] = object
    }
  }

  /// One end of a one-to-one leads to another object no more.
  private func forget(_ object: ManagedObject, _ relationship: Relationship, _ other: ManagedObject) {
    update(object) { state in
      if state.committedOnes[relationship.index] === other { state.committedOnes[relationship.index] = nil }
      if state.ones[relationship.index] === other { state.ones[relationship.index] = nil }
    }
  }

  /// Reads loaded to-manys again, with this context's additions and removals on them.
  func reloadLists(of owners: [ManagedObject]) throws {
    for (entity, group) in Dictionary(grouping: owners, by: \.entity) {
      for relationship in entity.relationships where relationship.isToMany {
        let loaded = group.filter { $0.state.lists[relationship.index].isLoaded && $0.state.existence == .exists }
        guard !loaded.isEmpty else { continue }
        let members = try source.members(relationship, of: loaded.map(\.objectID))
        for owner in loaded { reload(owner, relationship, (members[owner.objectID] ?? []).map(materialize)) }
      }
    }
  }

  private func reload(_ owner: ManagedObject, _ relationship: Relationship, _ objects: [ManagedObject]) {
    let inverse = relationship.inverse
    let index = relationship.index
    // A to-one that was read says itself where it belongs.
    let present = inverse.isToMany ? objects : objects.filter { $0.state.committedOnes[inverse.index] === owner }
    let ids = Set(present.map(ObjectIdentifier.init))
    let list = owner.state.lists[index]
    let saved = list.items.filter { list.added[ObjectIdentifier($0)] == nil } + Array(list.removed.values)
    let isOwnInverse = relationship.isOwnInverse
    for member in saved where !ids.contains(ObjectIdentifier(member)) {
      // A marked member's pair stays, and is seen again when it is back.
      let isHidden = member.state.isMarked || (!member.state.isLive && member.state.existence == .exists)
      if inverse.isToMany, isHidden { continue }
      if !inverse.isToMany, member.state.committedOnes[inverse.index] === owner, member.state.isLive { continue }
      update(owner) { $0.lists[index].commitRemoval(member, keepsOrder: relationship.isOrdered) }
      if inverse.isToMany, !(isOwnInverse && member === owner) {
        update(member) { $0.lists[inverse.index].commitRemoval(owner, keepsOrder: inverse.isOrdered) }
      }
    }
    let known = Set(saved.map(ObjectIdentifier.init))
    for member in present where !known.contains(ObjectIdentifier(member)) {
      update(owner) { $0.lists[index].commitInsertion(member) }
      if inverse.isToMany, !(isOwnInverse && member === owner) {
        update(member) { $0.lists[inverse.index].commitInsertion(owner) }
      }
    }
    if relationship.isOrdered { update(owner) { $0.lists[index].mergeOrder(present) } }
  }

  /// Makes an object live again that was deleted here, as it was read or saved last, with what its deletion cut.
  func revive(_ object: ManagedObject) throws {
    let ones = object.state.committedOnes
    let lists = object.state.lists.map { list in
      list.items.filter { list.added[ObjectIdentifier($0)] == nil } + Array(list.removed.values)
    }
    apply(.existence(object, isLive: true))
    update(object) { $0.values = $0.committedValues }
    for relationship in object.entity.relationships where !isKept(relationship) {
      let inverse = relationship.inverse
      if !relationship.isToMany {
        update(object) { $0.ones[relationship.index] = nil }
        guard let other = ones[relationship.index], other.state.isLive else { continue }
        try relate(object, relationship, to: other)
        if inverse.isOrdered, let index = object.formerIndex { try add(object, to: other, inverse, at: index) }
        continue
      }
      for member in object.state.lists[relationship.index].items {
        update(object) { $0.lists[relationship.index].remove(member, keepsOrder: relationship.isOrdered) }
      }
      for member in lists[relationship.index] where member.state.isLive || member === object {
        let isCut =
          inverse.isToMany
          || (member.state.ones[inverse.index]?.storable == nil && member.state.committedOnes[inverse.index] === object)
          || member.state.ones[inverse.index] === object
        guard isCut else { continue }
        if !inverse.isToMany { update(member) { $0.ones[inverse.index] = nil } }
        try add(member, to: object, relationship, at: nil)
      }
    }
    // Parts that went with the object come back with it.
    for list in object.entity.partLists where !isKept(list) {
      for part in lists[list.index] where !part.state.isLive && part.state.existence == .exists { try revive(part) }
    }
  }
}
