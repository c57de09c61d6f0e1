/// Reads objects and lists from the source when they are first accessed.
extension ObjectContext {
  /// Reads the named relationships of all objects together. Otherwise each to-many takes a query when it is first
  /// accessed.
  ///
  /// A path of several names, such as `courses.teacher`, continues with the objects that were read.
  /// - Throws: `unknownKey`, `typeMismatch` for an attribute, `store`.
  public func prefetch(_ paths: [String], of objects: [ManagedObject]) throws(ObjectGraphError) {
    for path in paths {
      var level = objects
      for name in path.split(separator: ".").map(String.init) {
        let current = level
        level = try translating { try prefetch(name, of: current) }
      }
    }
  }

  private func prefetch(_ name: String, of objects: [ManagedObject]) throws -> [ManagedObject] {
    try fire(objects.filter { $0.state.existence == .unknown })
    var reached: [ObjectIdentifier: ManagedObject] = [:]
    for (entity, group) in Dictionary(grouping: objects, by: \.entity) {
      switch entity.property(named: name) {
      case nil: throw ObjectGraphError.unknownKey(name, entity: entity.name)
      case .attribute: throw ObjectGraphError.typeMismatch(entity: entity.name, property: name)
      case .relationship(let relationship):
        if relationship.isToMany { try loadLists(of: group, relationship) }
        for object in group {
          for member in object.references(by: relationship) { reached[ObjectIdentifier(member)] = member }
        }
      }
    }
    let all = Array(reached.values)
    try fire(all.filter { $0.state.existence == .unknown })
    return all.filter(\.state.isLive)
  }

  /// Reads a fault together with other faults of its entity's family.
  func fire(_ object: ManagedObject) throws {
    guard object.state.existence == .unknown else { return }
    let others = nextFaults(of: object.entity.root, count: faultBatchSize - 1)
    try fire([object] + others.filter { $0 !== object })
  }

  /// Reads faults. Objects that are no longer in the source are treated as deleted.
  func fire(_ objects: [ManagedObject]) throws {
    guard !objects.isEmpty else { return }
    let snapshots = try source.snapshots(of: objects.map(\.objectID))
    let hidden = objects.filter { snapshots[$0.objectID] == nil && $0.isHiddenWithOwner }
    let kept = hidden.isEmpty ? [:] : try source.markedSnapshots(of: hidden.map(\.objectID))
    for object in objects where object.state.existence == .unknown {
      if let snapshot = snapshots[object.objectID] ?? kept[object.objectID] {
        fill(object, snapshot)
      } else {
        markMissing(object)
      }
    }
  }

  /// Reads a value that is not read with its object.
  func readValue(of attribute: EntityAttribute, in object: ManagedObject) throws {
    guard object.state.unread.contains(attribute.index) else { return }
    let value = try source.value(of: attribute, in: object.objectID)
    update(object) { state in
      state.unread.remove(attribute.index)
      state.values[attribute.index] = value
      state.committedValues[attribute.index] = value
    }
  }

  /// Reads all values of an object that were not read with it.
  func readValues(of object: ManagedObject) throws {
    for index in object.state.unread {
      try readValue(of: EntityAttribute(entity: object.entity, index: index), in: object)
    }
  }

  /// Returns the object of a snapshot. A fault or an object that was gone gets the values of the snapshot; any other
  /// keeps its own.
  func materialize(_ snapshot: some ObjectContent) -> ManagedObject {
    let object = registered(snapshot.id) ?? makeFault(snapshot.id, snapshot.entity)
    if object.isGone { prepareReturn(of: object) }
    if object.state.existence == .unknown { fill(object, snapshot) }
    return object
  }

  /// Turns a gone object back into a fault. References to it here must agree with what will be read.
  private func prepareReturn(of object: ManagedObject) {
    var state = ObjectState(object.entity)
    for other in registeredObjects where other !== object && other.state.existence != .unknown {
      for relationship in other.entity.relationships where object.entity.isKind(of: relationship.destination) {
        let (index, inverse) = (relationship.index, relationship.inverse)
        if relationship.isToMany {
          guard other.state.lists[index].items.contains(where: { $0 === object }) else { continue }
          update(other) { $0.lists[index].resetMembership(of: object) }
        } else if other.state.ones[index] === object {
          if !inverse.isToMany {
            state.ones[inverse.index] = other
          } else if other.state.committedOnes[index] === object {
            state.lists[inverse.index].commitInsertion(other)
          } else {
            state.lists[inverse.index].insert(other, at: nil)
          }
        }
      }
    }
    update(object) { $0 = state }
  }

  /// Reads a row that is marked as deleted. The object is deleted in the context; its lists are read on first access.
  func readMarked(_ object: ManagedObject, _ snapshot: ObjectSnapshot) throws {
    if object.state.existence != .unknown {
      if object.state.isMarked, object.state.version == snapshot.version, object.state.version != 0 { return }
      prepareReturn(of: object)
    }
    fill(object, snapshot)
    update(object) { state in
      state.existence = .absent
      state.isLive = false
      state.isMarked = true
    }
    try rereadParts(ofMarked: object)
  }

  func handle(_ reference: ObjectReference) -> ManagedObject {
    if let object = registered(reference.id) {
      if reference.exists, object.isGone { prepareReturn(of: object) }
      return object
    }
    let object = makeListedFault(reference.id, reference.entity)
    if !reference.exists { markMissing(object) }
    return object
  }

  private func fill(_ object: ManagedObject, _ snapshot: some ObjectContent) {
    update(object) { state in
      state.existence = .exists
      state.version = snapshot.version
      state.values = snapshot.values
      state.committedValues = snapshot.values
      state.unread = snapshot.unread
    }
    let toOnes = object.entity.toOnes
    if toOnes.isEmpty { return }
    var ones = object.state.ones
    for relationship in toOnes {
      let known = ones[relationship.index]
      var target = snapshot.reference(relationship.index).map(handle)
      if relationship.isInverseToMany {
        if let owner = target {
          update(owner) {
            $0.lists[relationship.inverse].commitInsertion(object, isOrdered: relationship.isInverseOrdered)
          }
        }
      } else {
        // Each end of a one-to-one is stored in its own row. If they disagree, the end that was read first wins.
        if let known {
          target = known
        } else if let other = target, other !== object, other.state.existence != .unknown,
          other.state.ones[relationship.inverse] !== object
        {
          target = nil
        }
        if let other = target, other.state.existence == .unknown {
          update(other) { $0.ones[relationship.inverse] = object }
        }
      }
      if target !== known { ones[relationship.index] = target }
    }
    update(object) { state in
      state.ones = ones
      state.committedOnes = ones
    }
  }

  /// Records that the source does not have the object.
  func markMissing(_ object: ManagedObject) {
    update(object) { state in
      if state.existence == .unknown { state.isMissing = true }
      state.existence = .absent
      state.isLive = false
      if state.values.isEmpty {
        state.values = object.entity.attributes.map(\.description.defaultValue)
        state.committedValues = state.values
      }
      for index in state.lists.indices { state.lists[index].isLoaded = true }
    }
  }

  // MARK: - Lists

  func loadList(_ owner: ManagedObject, _ relationship: Relationship) throws {
    guard !owner.state.lists[relationship.index].isLoaded else { return }
    try loadLists(of: [owner], relationship)
  }

  /// Loads a to-many relationship of several owners of one entity together.
  func loadLists(of owners: [ManagedObject], _ relationship: Relationship) throws {
    try fire(owners.filter { $0.state.existence == .unknown })
    let owners = owners.filter { !$0.state.lists[relationship.index].isLoaded }
    guard !owners.isEmpty else { return }
    let members = try source.members(relationship, of: owners.map(\.objectID))
    for owner in owners where !owner.state.lists[relationship.index].isLoaded {
      let objects = (members[owner.objectID] ?? []).map(materialize)
      let inverse = relationship.inverse
      var list = objects
      if inverse.isToMany {
        for member in objects where member !== owner || !relationship.isOwnInverse {
          update(member) { $0.lists[inverse.index].recordSaved(owner) }
        }
      } else {
        list = objects.filter { $0.state.committedOnes[inverse.index] === owner }
      }
      update(owner) { $0.lists[relationship.index].load(list, isOrdered: relationship.isOrdered) }
    }
  }
}

extension ManagedObject {
  /// Returns the known objects at the other end, including deleted ones.
  func references(by relationship: Relationship) -> [ManagedObject] {
    relationship.isToMany
      ? state.lists[relationship.index].items : state.ones[relationship.index].map { [$0] } ?? []
  }
}

extension ManagedObject {
  /// True when an object with a permanent id is deleted in the context and absent from the source.
  var isGone: Bool { !state.isLive && state.existence == .absent && !objectID.isTemporary }

  /// True when the object, or the object that it is deleted and restored with, is deleted.
  var isUnreachable: Bool { !state.isLive || retainingOwner?.state.isLive == false }

  /// The object that this one is deleted and restored with, in stores that mark deleted rows.
  var retainingOwner: ManagedObject? {
    context?.source.ownerRelationship(of: entity).flatMap { state.ones[$0.index] }
  }
}

extension MemberList {
  /// Discards the membership of an object that is back in the source, because it is read again.
  mutating func resetMembership(of member: ManagedObject) {
    commitInsertion(member)
    commitRemoval(member, keepsOrder: true)
  }

  /// Records that the member is saved in this list, as the member's own end says.
  mutating func recordSaved(_ member: ManagedObject) {
    if removed[ObjectIdentifier(member)] == nil, !contains(member) { commitInsertion(member) }
  }
}
