/// Rebasing onto what was saved elsewhere, with or without this context's own changes on top.
extension ObjectContext {
  /// Updates an object from a row that was saved elsewhere.
  /// - Parameter keepsMine: whether a property keeps its value here, given which sides changed it.
  func rebase(
    _ object: ManagedObject, onto snapshot: ObjectSnapshot, keepsMine: (_ mine: Bool, _ theirs: Bool) -> Bool
  ) throws {
    if isForeign(object, snapshot) { object.foreignWrites += 1 }
    update(object) { $0.version = snapshot.version }
    let theirValues = try values(of: object, in: snapshot)
    for ((index, theirs), changed) in zip(theirValues, changes(of: object, theirValues)) {
      let keeps = keepsMine(changed.mine, changed.theirs)
      update(object) { state in
        state.committedValues[index] = theirs
        if !keeps { state.values[index] = theirs }
      }
    }
    for relationship in object.entity.relationships where !relationship.isToMany {
      let index = relationship.index
      let theirs = snapshot.references[index].map(handle)
      let (base, mine) = (object.state.committedOnes[index], object.state.ones[index]?.storable)
      let keeps = keepsMine(mine !== base, theirs !== base)
      if theirs !== base {
        // First restore the value that was read, then apply the stored one, then this context's change.
        try relate(object, relationship, to: base)
        move(object, relationship, from: base, to: theirs)
        if keeps, mine == nil || mine?.state.isLive == true { try relate(object, relationship, to: mine) }
      } else if !keeps, mine !== base {
        try relate(object, relationship, to: base)
      }
    }
  }

  /// Returns the values of an object in a snapshot, with their attribute indexes. A value that is read on demand is
  /// read only if this context changed it or a value that is merged with it; otherwise its cached value is dropped.
  func values(of object: ManagedObject, in snapshot: ObjectSnapshot) throws -> [(index: Int, value: Value)] {
    var values: [(index: Int, value: Value)] = []
    for attribute in object.entity.attributes where !attribute.description.isTransient {
      let index = attribute.index
      if !snapshot.unread.contains(index) {
        values.append((index, snapshot.values[index]))
      } else if object.isPartOfChange(index) {
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

  /// Returns which sides changed each value. The values of an atomic entity count as one.
  func changes(
    of object: ManagedObject, _ theirs: [(index: Int, value: Value)]
  ) -> [(mine: Bool, theirs: Bool)] {
    let changes = theirs.map { index, value in
      let base = object.state.committedValues[index]
      return (mine: object.state.values[index] != base, theirs: value != base)
    }
    guard object.entity.description.isAtomic else { return changes }
    let whole = (mine: changes.contains(where: \.mine), theirs: changes.contains(where: \.theirs))
    return changes.map { _ in whole }
  }

  private func isForeign(_ object: ManagedObject, _ snapshot: ObjectSnapshot) -> Bool {
    guard snapshot.version == object.state.version else { return true }
    return object.entity.attributes.contains { attribute in
      !attribute.description.isTransient && !snapshot.unread.contains(attribute.index)
        && snapshot.values[attribute.index] != object.state.committedValues[attribute.index]
    }
  }

  /// Follows a to-one that was changed elsewhere: both ends are updated, and nothing counts as changed.
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
    if let base { unlink(base, inverse, object) }
    guard let theirs, theirs !== object else { return }
    if let third = theirs.state.ones[inverse.index], third !== object { unlink(third, relationship, theirs) }
    update(theirs) { state in
      state.committedOnes[inverse.index] = object
      state.ones[inverse.index] = object
    }
  }

  /// Cuts a one-to-one whose other end no longer refers to the object.
  private func unlink(_ object: ManagedObject, _ relationship: Relationship, _ other: ManagedObject) {
    update(object) { state in
      if state.committedOnes[relationship.index] === other { state.committedOnes[relationship.index] = nil }
      if state.ones[relationship.index] === other { state.ones[relationship.index] = nil }
    }
  }

  /// Reloads the to-manys that are loaded, and keeps this context's additions and removals.
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
    // If the inverse is a to-one, the value that was read for it decides.
    let present = inverse.isToMany ? objects : objects.filter { $0.state.committedOnes[inverse.index] === owner }
    let ids = Set(present.map(ObjectIdentifier.init))
    let list = owner.state.lists[index]
    let saved = list.items.filter { list.added[ObjectIdentifier($0)] == nil } + Array(list.removed.values)
    let isOwnInverse = relationship.isOwnInverse
    for member in saved where !ids.contains(ObjectIdentifier(member)) {
      // The pair of a marked member stays, and appears again when the member is restored.
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

  /// Makes a deleted object live again, as last read or saved, with the links that its deletion cut.
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
        if inverse.isOrdered, let index = object.previousIndex { try add(object, to: other, inverse, at: index) }
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
    // Parts that were deleted with the object are restored with it.
    for list in object.entity.partLists where !isKept(list) {
      for part in lists[list.index] where !part.state.isLive && part.state.existence == .exists { try revive(part) }
    }
  }
}

extension ManagedObject {
  /// True when this context changed an attribute, or one that is merged with it as one value.
  func isPartOfChange(_ attribute: Int) -> Bool {
    if state.values[attribute] != state.committedValues[attribute] { return true }
    return entity.description.isAtomic && !state.unread.contains(attribute) && state.values != state.committedValues
  }
}
