import GRDB

/// What a root and its loaded parts are in the store now.
private struct Theirs {
  var root: Snapshot?
  var parts: [Int: [(id: ObjectID, snapshot: Snapshot)]] = [:]
  var pairs: [Int: [ObjectID]] = [:]
  var externals: [Int: [DatabaseValue]?] = [:]
}

/// Optimistic locking: three-way merge by field of what this context read, what it has, and what the store has.
extension ObjectContext {
  /// Describes objects that somebody else saved since they were read here.
  func conflict(about ids: [ObjectID]) throws(StoreError) -> SaveConflict {
    var entries: [SaveConflict.Entry] = []
    for id in ids {
      guard let root = registeredObject(id) else { continue }
      let theirs = try theirState(of: root)
      var merge = FieldMerge(policy: .byField, isTrial: true)
      if root.isLive, theirs.root != nil { join(root, with: theirs, &merge) }
      entries.append(
        SaveConflict.Entry(
          id: id, base: tree(root, committed: true), mine: root.isLive ? tree(root, committed: false) : nil,
          theirs: theirs.root.map { tree(root, $0, theirs) }, fields: merge.clashes))
    }
    return SaveConflict(entries: entries)
  }

  /// Brings what the store has into this context as the policy says, so that the save can be tried again.
  /// - Throws: `SaveError.conflict` when the policy does not decide; nothing is changed then.
  func merge(_ conflict: SaveConflict) throws(SaveError) {
    guard mergePolicy != .error else { throw .conflict(conflict) }
    if mergePolicy == .byField {
      let isUndecided = conflict.entries.contains { !$0.fields.isEmpty || ($0.mine == nil) != ($0.theirs == nil) }
      if isUndecided { throw .conflict(conflict) }
    }
    do {
      // Everything is read before anything is changed.
      var states: [(ManagedObject, Theirs)] = []
      for entry in conflict.entries {
        if let root = registeredObject(entry.id) { states.append((root, try theirState(of: root))) }
      }
      for (root, theirs) in states { try decide(root, theirs) }
    } catch {
      throw .store(error)
    }
  }

  private func decide(_ root: ManagedObject, _ theirs: Theirs) throws(StoreError) {
    guard let snapshot = theirs.root else {
      if root.isLive, mergePolicy == .objectWins {
        // Saved as it is here, over the deletion.
        let gone = try source.snapshots(of: root.entity, [root.objectID], deleted: true)[root.objectID]
        root.version = gone?.version ?? root.version
        root.foreignWrites += 1
        keep(root, without: theirs)
      } else {
        root.exists = false
        root.isLive = false
        for part in parts(of: root) { part.isLive = false; part.exists = false }
      }
      return
    }
    if !root.isLive, mergePolicy == .storeWins || !root.exists { root.isLive = true }
    root.exists = true
    root.noteForeignWrite(snapshot)
    root.version = snapshot.version
    root.modified = snapshot.modified
    var merge = FieldMerge(policy: mergePolicy, isTrial: false)
    join(root, with: theirs, &merge)
  }

  /// Prepares an object whose row was deleted, and perhaps removed with those of its parts, to be saved as it is here.
  private func keep(_ root: ManagedObject, without theirs: Theirs) {
    root.exists = false
    pinned[root.objectID] = root
    for (place, children) in theirs.parts {
      let byID = Dictionary(children.map { ($0.id, $0.snapshot) }, uniquingKeysWith: { first, _ in first })
      for part in root.lists[place]?.held ?? [] {
        part.exists = byID[part.objectID] != nil
        if let snapshot = byID[part.objectID] {
          part.committedValues = snapshot.values
          part.committedLinks = snapshot.links
        }
        if part.pending != .nothing { pinned[part.objectID] = part }
      }
      root.lists[place]?.committed = children.map(\.id)
    }
    for (place, pairs) in theirs.pairs { root.lists[place]?.committed = pairs }
    for (place, value) in theirs.externals { root.externals[place]?.committed = value }
  }

  // MARK: - Reading their state

  func partPlaces(_ entity: EntityDescription) -> [Int] {
    entity.relationships.indices.filter { place in
      guard case .children = entity.relationships[place].storage else { return false }
      let relationship = entity.relationships[place]
      return model.entity(relationship.destination).owner == relationship.inverse
    }
  }

  private func parts(of root: ManagedObject) -> [ManagedObject] {
    partPlaces(root.entity).flatMap { root.lists[$0]?.held ?? [] }
  }

  private func theirState(of root: ManagedObject) throws(StoreError) -> Theirs {
    let (entity, id) = (root.entity, root.objectID)
    var theirs = Theirs(root: try source.snapshots(of: entity, [id], deleted: false)[id])
    for (place, relationship) in entity.relationships.enumerated() {
      switch relationship.storage {
      case .column: break
      case .children where partPlaces(entity).contains(place):
        try loadLists([root], place)
        theirs.parts[place] = try source.children(relationship, of: entity, owners: [id])[id] ?? []
      case .children: break
      case .join:
        if root.lists[place] != nil {
          theirs.pairs[place] = try source.joined(relationship, of: entity, owners: [id])[id] ?? []
        }
      }
    }
    for (place, attribute) in entity.externals.enumerated()
    where root.externals[place]?.isChanged == true || (theirs.root == nil && root.externals[place] != nil) {
      theirs.externals[place] = .some(try source.external(attribute, of: entity, id))
    }
    return theirs
  }

  // MARK: - Joining

  /// Merges their state into a root and its parts; a trial only collects what clashes.
  private func join(_ root: ManagedObject, with theirs: Theirs, _ merge: inout FieldMerge) {
    guard let snapshot = theirs.root else { return }
    merge.fields(of: root, with: snapshot, path: "", order: nil)
    for (place, children) in theirs.parts { joinParts(root, place, children, &merge) }
    for (place, pairs) in theirs.pairs where !merge.isTrial {
      guard let list = root.lists[place] else { continue }
      let removed = Set(list.committed).subtracting(list.ids)
      let added = list.ids.filter { !list.committed.contains($0) && !pairs.contains($0) }
      root.lists[place] = ObjectList(committed: pairs, ids: pairs.filter { !removed.contains($0) } + added)
    }
    for (place, value) in theirs.externals {
      guard var external = root.externals[place] else { continue }
      let clashes = value != external.committed && value != external.value
      if clashes { merge.clashes.append(root.entity.externals[place].name) }
      guard !merge.isTrial else { continue }
      external.committed = value
      if clashes, merge.policy == .storeWins { external.value = value }
      root.externals[place] = external
    }
  }

  private func joinParts(
    _ root: ManagedObject, _ place: Int, _ children: [(id: ObjectID, snapshot: Snapshot)], _ merge: inout FieldMerge
  ) {
    guard let list = root.lists[place] else { return }
    let relationship = root.entity.relationships[place]
    let entity = model.entity(relationship.destination)
    var order: Int?
    if case .children(_, let name?) = relationship.storage { order = entity.place(ofAttribute: name) }
    let byID = Dictionary(children.map { ($0.id, $0.snapshot) }, uniquingKeysWith: { first, _ in first })
    var present = list.ids
    var held = list.held
    for id in list.committed {
      guard let part = list.held.first(where: { $0.objectID == id }) ?? registeredObject(id) else { continue }
      let path = "\(relationship.name)[\(list.ids.firstIndex(of: id) ?? list.committed.firstIndex(of: id) ?? 0)]"
      switch (byID[id], part.isLive) {
      case (let snapshot?, true):
        merge.fields(of: part, with: snapshot, path: path + ".", order: order)
      case (let snapshot?, false):
        // Deleted here; changed there?
        if merge.differs(part, from: snapshot, order: order) { merge.clashes.append(path) }
        guard !merge.isTrial else { continue }
        let isKept = merge.differs(part, from: snapshot, order: order) && merge.policy == .storeWins
        part.committedValues = snapshot.values
        if isKept {
          part.values = snapshot.values
          part.isLive = true
          present.append(id)
        }
      case (nil, true):
        // Deleted there; changed here?
        let isChanged = merge.isChanged(part, order: order)
        if isChanged { merge.clashes.append(path) }
        guard !merge.isTrial else { continue }
        part.exists = false
        if !(isChanged && merge.policy == .objectWins) {
          part.isLive = false
          present.removeAll { $0 == id }
        }
      case (nil, false):
        if !merge.isTrial { part.exists = false }
      }
    }
    guard !merge.isTrial else { return }
    for (id, snapshot) in children where !list.committed.contains(id) {
      let part = register(entity, id, snapshot)
      if !present.contains(id) { present.append(id) }
      held.append(part)
    }
    root.lists[place] = ObjectList(committed: children.map(\.id), ids: present, held: held)
    renumberSilently(root, place, order)
  }

  /// Puts merged parts in the order that they say, and numbers them without gaps.
  private func renumberSilently(_ root: ManagedObject, _ place: Int, _ order: Int?) {
    guard let order, var list = root.lists[place] else { return }
    let objects = list.ids.compactMap { id in list.held.first { $0.objectID == id } ?? registeredObject(id) }
    let numbered = objects.enumerated().sorted { left, right in
      let (l, r) = (
        Int.fromDatabaseValue(left.element.values[order]), Int.fromDatabaseValue(right.element.values[order])
      )
      return (l ?? 0, left.offset) < (r ?? 0, right.offset)
    }
    for (number, (_, object)) in numbered.enumerated() where object.values[order] != number.databaseValue {
      object.values[order] = number.databaseValue
      pinned[object.objectID] = object
    }
    list.ids = numbered.map(\.element.objectID)
    root.lists[place] = list
  }

  // MARK: - Trees

  private func tree(_ object: ManagedObject, committed: Bool) -> ObjectTree {
    var parts: [String: [ObjectTree]] = [:]
    for place in partPlaces(object.entity) {
      guard let list = object.lists[place] else { continue }
      parts[object.entity.relationships[place].name] = (committed ? list.committed : list.ids).compactMap { id in
        (list.held.first { $0.objectID == id } ?? registeredObject(id)).map { tree($0, committed: committed) }
      }
    }
    return ObjectTree(object, values: committed ? object.committedValues : object.values, parts: parts)
  }

  private func tree(_ root: ManagedObject, _ snapshot: Snapshot, _ theirs: Theirs) -> ObjectTree {
    var parts: [String: [ObjectTree]] = [:]
    for (place, children) in theirs.parts {
      let relationship = root.entity.relationships[place]
      let entity = model.entity(relationship.destination)
      parts[relationship.name] = children.map {
        ObjectTree($0.id, entity, values: $0.snapshot.values, parts: [:])
      }
    }
    return ObjectTree(root, values: snapshot.values, parts: parts)
  }
}

/// Merges the fields of one object after the other and collects what clashes.
private struct FieldMerge {
  let policy: MergePolicy
  /// True when nothing is to be changed.
  let isTrial: Bool
  var clashes: [String] = []

  init(policy: MergePolicy, isTrial: Bool) {
    self.policy = policy
    self.isTrial = isTrial
  }

  /// - Parameter order: the attribute that keeps the place in a list; two people may move things without harm.
  mutating func fields(of object: ManagedObject, with theirs: Snapshot, path: String, order: Int?) {
    if !isTrial, object.entity.bookkeeping == nil { object.noteForeignWrite(theirs) }
    for place in object.values.indices {
      let (base, mine, their) = (object.committedValues[place], object.values[place], theirs.values[place])
      let clash = their != base && mine != base && mine != their && place != order
      if clash { clashes.append(path + object.entity.attributes[place].name) }
      guard !isTrial else { continue }
      object.committedValues[place] = their
      if mine == base || (clash && policy == .storeWins) { object.values[place] = their }
    }
    for place in object.links.indices {
      let (base, mine, their) = (object.committedLinks[place], object.links[place], theirs.links[place])
      let clash = their != base && mine != base && mine != their
      if clash { clashes.append(path + object.entity.relationships[place].name) }
      guard !isTrial else { continue }
      object.committedLinks[place] = their
      if mine == base || (clash && policy == .storeWins) { object.links[place] = their }
    }
  }

  /// True when the store's part is not what this context read.
  func differs(_ part: ManagedObject, from theirs: Snapshot, order: Int?) -> Bool {
    part.values.indices.contains { $0 != order && part.committedValues[$0] != theirs.values[$0] }
  }

  /// True when this context changed the part, apart from its place.
  func isChanged(_ part: ManagedObject, order: Int?) -> Bool {
    part.values.indices.contains { $0 != order && part.values[$0] != part.committedValues[$0] }
  }
}
