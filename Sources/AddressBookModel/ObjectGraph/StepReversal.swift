import GRDB

/// What taking a step back, or redoing it, means now that others may have written the same objects.
///
/// A step is reversed only where the store still has what the step left. Everything is read, and every clash is known,
/// before anything is changed.
struct StepReversal {
  private let context: ObjectContext
  private let group: UndoGroup
  private var touched: [ObjectIdentifier: TouchedObject] = [:]
  /// The whole that each touched object belongs to.
  private var roots: [ObjectIdentifier: ManagedObject] = [:]
  /// Objects without any change to reverse: they are there already as the reversal would leave them.
  private var done: Set<ObjectIdentifier> = []
  /// Objects that the reversal deletes so that they can come back: their row and their parts stay as they are, but for
  /// pairs, whose other end the step may have made.
  private var trashed: Set<ObjectIdentifier> = []
  /// Added objects that others have come to use: only the pairs that the step made go.
  private var inUse: Set<ObjectIdentifier> = []
  /// Objects and fields that others wrote; they stay as they are when the store wins.
  private var keptObjects: Set<ObjectIdentifier> = []
  private var keptFields: Set<Field> = []
  /// Deleted objects without a row that could come back.
  private var removed: Set<ObjectIdentifier> = []
  /// Objects that others deleted; they are saved again when this context wins.
  private var missing: [ManagedObject] = []
  private var clashes: [Clash] = []

  private struct Clash {
    let root: ManagedObject
    /// Key paths from the root; empty when all of it is at stake.
    var fields: [String] = []
  }

  /// Reads what the store has now of the objects of a step, and compares.
  init(of group: UndoGroup, in context: ObjectContext) throws(StoreError) {
    self.context = context
    self.group = group
    for change in group.changes {
      let index = touched.count
      touched[ObjectIdentifier(change.object), default: TouchedObject(change.object, index: index)].add(change)
    }
    try context.refresh()
    // Owners before their parts: what becomes of the whole decides for them.
    let objects = touched.values.sorted { ($0.isPart ? 1 : 0, $0.index) < ($1.isPart ? 1 : 0, $1.index) }
    for item in objects { try load(item) }
    for item in objects {
      let root = try root(of: item)
      roots[ObjectIdentifier(item.object)] = root
      // A part that is gone goes back to its index.
      guard root !== item.object, !item.object.isLive, let owner = item.object.entity.owner else { continue }
      let relationship = item.object.entity.relationships[item.object.entity.place(ofRelationship: owner)]
      if let (_, place) = context.model.inverse(of: relationship) { _ = try context.list(of: root, place) }
    }
    for item in objects { compare(item) }
  }

  // MARK: - Reading

  private mutating func load(_ item: TouchedObject) throws(StoreError) {
    let object = item.object
    if !object.isLive, object.entity.bookkeeping?.deleted != nil, context.pinned[object.objectID] == nil {
      let found = try context.source.snapshots(of: object.entity, [object.objectID], deleted: true)
      if let snapshot = found[object.objectID] {
        // Written by somebody after the deletion, or deleted by somebody.
        if snapshot.version != object.version { object.adopt(snapshot) }
        object.isLive = false
        object.exists = false
      } else if object.objectID.row != nil {
        removed.insert(ObjectIdentifier(object))
      }
    }
    for place in item.lists { _ = try context.list(of: object, place) }
    for place in item.externals.keys { _ = try context.external(of: object, place) }
    guard item.isAdded, object.entity.bookkeeping?.deleted == nil else { return }
    for place in joins(of: object) { _ = try context.list(of: object, place) }
  }

  private func joins(of object: ManagedObject) -> [Int] {
    object.entity.relationships.indices.filter { place in
      if case .join = object.entity.relationships[place].storage { true } else { false }
    }
  }

  /// True when an added object has come to be in pairs that the step did not make, such as a new group that somebody
  /// put other contacts into.
  private func isUsedByOthers(_ object: ManagedObject) -> Bool {
    var own: Set<ObjectID> = []
    for change in group.changes {
      guard case .listInsertion(let owner, _, let id, _) = change else { continue }
      if owner === object { own.insert(context.canonical(id)) }
      if context.canonical(id) == object.objectID { own.insert(owner.objectID) }
    }
    return joins(of: object).contains { place in
      !Set((object.lists[place]?.ids ?? []).map(context.canonical)).isSubset(of: own)
    }
  }

  /// The whole that a part belongs to; an object that is no part itself.
  private func root(of item: TouchedObject) throws(StoreError) -> ManagedObject {
    let object = item.object
    guard let owner = object.entity.owner else { return object }
    let place = object.entity.place(ofRelationship: owner)
    let link = item.links[place]
    guard let id = object.links[place] ?? object.committedLinks[place] ?? link?.after ?? link?.before else {
      return object
    }
    if let known = context.registeredObject(context.canonical(id)) { return known }
    if let live = try context.object(id) { return live }
    return try context.deletedObject(id) ?? object
  }

  // MARK: - Comparing

  private mutating func compare(_ item: TouchedObject) {
    let object = item.object
    let key = ObjectIdentifier(object)
    let root = roots[key] ?? object
    // What becomes of the whole is decided there.
    let isDecided = [done, trashed, keptObjects].contains { $0.contains(ObjectIdentifier(root)) }
    if object !== root, isDecided { return }
    if object !== root, !root.isLive, touched[ObjectIdentifier(root)] == nil {
      // Somebody deleted the whole.
      if item.hasEffect(except: context.model.orderPlaces(of: object.entity)) { lose(root, in: root) }
      return
    }
    switch (before: item.wasLive, after: item.isLive, now: object.isLive) {
    case (before: false, after: false, now: _), (before: false, after: true, now: false):
      done.insert(key)
    case (before: false, after: true, now: true):
      if object.entity.bookkeeping?.deleted == nil, isUsedByOthers(object) {
        inUse.insert(key)
        return
      }
      if object.entity.bookkeeping?.deleted != nil, object.exists { trashed.insert(key) }
      guard object.foreignWrites != item.foreignWrites else { return }
      clash(root, object === root ? nil : path(of: object, in: root))
      keptObjects.insert(key)
    case (before: true, after: false, now: false):
      if removed.contains(key) { lose(object, in: root) }
    case (before: true, after: true, now: false):
      if item.hasEffect(except: context.model.orderPlaces(of: object.entity)) {
        lose(object, in: root)
      } else {
        done.insert(key)
      }
    default:
      compareFields(item, root)
    }
  }

  /// Somebody deleted an object that the reversal needs.
  private mutating func lose(_ object: ManagedObject, in root: ManagedObject) {
    clash(root, object === root ? nil : path(of: object, in: root))
    keptObjects.insert(ObjectIdentifier(object))
    if !missing.contains(where: { $0 === object }) { missing.append(object) }
  }

  private mutating func compareFields(_ item: TouchedObject, _ root: ManagedObject) {
    let object = item.object
    let prefix = object === root ? "" : path(of: object, in: root) + "."
    let order = context.model.orderPlaces(of: object.entity)
    func differs<Value: Equatable>(_ now: Value, _ change: (before: Value, after: Value)) -> Bool {
      change.before != change.after && now != change.after && now != change.before
    }
    for (place, change) in item.attributes.sorted(by: { $0.key < $1.key })
    where !order.contains(place) && differs(object.values[place], change) {
      clash(root, prefix + object.entity.attributes[place].name)
      keptFields.insert(Field(object: ObjectIdentifier(object), kind: .attribute, place: place))
    }
    for (place, change) in item.externals.sorted(by: { $0.key < $1.key })
    where differs(object.externals[place]?.value, change) {
      clash(root, prefix + object.entity.externals[place].name)
      keptFields.insert(Field(object: ObjectIdentifier(object), kind: .external, place: place))
    }
    for (place, change) in item.links.sorted(by: { $0.key < $1.key }) {
      let ids = (before: change.before.map(context.canonical), after: change.after.map(context.canonical))
      guard differs(object.links[place].map(context.canonical), ids) else { continue }
      clash(root, prefix + object.entity.relationships[place].name)
      keptFields.insert(Field(object: ObjectIdentifier(object), kind: .link, place: place))
    }
  }

  private mutating func clash(_ root: ManagedObject, _ field: String?) {
    let index = clashes.firstIndex { $0.root === root } ?? clashes.endIndex
    if index == clashes.endIndex { clashes.append(Clash(root: root)) }
    if let field, !clashes[index].fields.contains(field) { clashes[index].fields.append(field) }
  }

  private func path(of part: ManagedObject, in root: ManagedObject) -> String {
    for (relationship, list) in zip(root.entity.relationships, root.lists)
    where relationship.destination == part.entity.name && relationship.inverse == part.entity.owner {
      let index = list?.ids.firstIndex(of: part.objectID) ?? list?.committed.firstIndex(of: part.objectID)
      let order = context.model.orderPlaces(of: part.entity).first.flatMap { Int.fromDatabaseValue(part.values[$0]) }
      return "\(relationship.name)[\(index ?? order ?? 0)]"
    }
    return part.entity.name
  }

  // MARK: - Reversing

  /// What must be decided first; nil when nothing must.
  var conflict: SaveConflict? {
    guard !clashes.isEmpty else { return nil }
    return SaveConflict(
      entries: clashes.map { clash in
        SaveConflict.Entry(
          id: clash.root.objectID,
          base: tree(clash.root) { $0.after } ?? ObjectTree(clash.root, values: clash.root.values, parts: [:]),
          mine: tree(clash.root) { $0.before }, theirs: clash.root.isLive ? tree(clash.root) { _ in nil } : nil,
          fields: clash.fields)
      })
  }

  /// Makes the changes.
  /// - Parameter policy: who wins where something clashes.
  /// - Returns: the step that reverses this one.
  func perform(_ policy: MergePolicy) -> UndoGroup {
    let isKept = policy == .storeWins
    var reversed = UndoGroup(name: group.name)
    if !isKept { for object in missing { context.revive(object) } }
    for change in group.changes.reversed() where !isSkipped(change, keepsTheirs: isKept) {
      let inverse = change.inverse
      context.perform(inverse)
      mirror(inverse)
      reversed.changes.append(inverse)
    }
    for item in touched.values where item.object.isLive {
      for place in item.lists { context.renumberAsListed(item.object, place) }
    }
    return reversed
  }

  /// Changes the other end of a pair too, where its list was loaded only after the step.
  private func mirror(_ change: Change) {
    switch change {
    case .listInsertion(let owner, let place, let id, _), .listRemoval(let owner, let place, let id, _):
      guard joins(of: owner).contains(place), let other = context.registeredObject(context.canonical(id)),
        let (_, back) = context.model.inverse(of: owner.entity.relationships[place]), let list = other.lists[back]
      else { return }
      if case .listInsertion = change {
        context.perform(.listInsertion(other, back, owner.objectID, at: list.ids.count))
      } else {
        context.perform(.listRemoval(other, back, owner.objectID, at: 0))
      }
    case .attribute, .external, .link, .existence: break
    }
  }

  private func isSkipped(_ change: Change, keepsTheirs: Bool) -> Bool {
    var objects = [change.object]
    var field: Field?
    switch change {
    case .attribute(let object, let place, _, _): field = Field(object, .attribute, place)
    case .external(let object, let place, _, _): field = Field(object, .external, place)
    case .link(let object, let place, _, _): field = Field(object, .link, place)
    case .listInsertion(_, _, let id, _), .listRemoval(_, _, let id, _):
      if let other = context.registeredObject(context.canonical(id)), touched[ObjectIdentifier(other)] != nil {
        objects.append(other)
      }
    case .existence: break
    }
    let keys = Set(objects.flatMap { [$0, roots[ObjectIdentifier($0)] ?? $0] }.map(ObjectIdentifier.init))
    if !done.isDisjoint(with: keys) { return true }
    if inUse.contains(ObjectIdentifier(change.object)) {
      switch change {
      case .listInsertion, .listRemoval: break
      case .existence, .attribute, .external, .link: return true
      }
    }
    if !trashed.isDisjoint(with: keys) {
      switch change {
      case .existence(let object, _, _): if !trashed.contains(ObjectIdentifier(object)) { return true }
      case .listInsertion(let object, let place, _, _), .listRemoval(let object, let place, _, _):
        if !joins(of: object).contains(place) { return true }
      case .attribute, .external, .link: return true
      }
    }
    guard keepsTheirs else { return false }
    return !keptObjects.isDisjoint(with: keys) || field.map(keptFields.contains) == true
  }

  // MARK: - Trees

  /// An object and its parts as they are, with what the step made of them put in its place; nil when it did not exist.
  private func tree(_ object: ManagedObject, _ state: (TouchedObject) -> TouchedObject.State?) -> ObjectTree? {
    var values = object.values
    if let state = touched[ObjectIdentifier(object)].flatMap(state) {
      guard state.isLive else { return nil }
      for (place, value) in state.attributes { values[place] = value }
    }
    var parts: [String: [ObjectTree]] = [:]
    for place in context.partPlaces(object.entity) {
      guard let list = object.lists[place] else { continue }
      parts[object.entity.relationships[place].name] = list.ids.compactMap { id in
        (list.held.first { $0.objectID == id } ?? context.registeredObject(id)).flatMap { tree($0, state) }
      }
    }
    return ObjectTree(object, values: values, parts: parts)
  }
}

private struct Field: Hashable {
  enum Kind: Hashable {
    case attribute, external, link
  }

  let object: ObjectIdentifier
  let kind: Kind
  let place: Int

  init(object: ObjectIdentifier, kind: Kind, place: Int) {
    self.object = object
    self.kind = kind
    self.place = place
  }

  init(_ object: ManagedObject, _ kind: Kind, _ place: Int) {
    self.init(object: ObjectIdentifier(object), kind: kind, place: place)
  }
}

/// Where a step began and where it ended with one object.
private struct TouchedObject {
  /// One side of the step.
  struct State {
    var isLive: Bool
    var attributes: [Int: DatabaseValue]
  }

  let object: ManagedObject
  var wasLive = true
  var isLive = true
  /// ``ManagedObject/foreignWrites`` when the step brought the object to life.
  var foreignWrites = 0
  var attributes: [Int: (before: DatabaseValue, after: DatabaseValue)] = [:]
  var externals: [Int: (before: [DatabaseValue]?, after: [DatabaseValue]?)] = [:]
  var links: [Int: (before: ObjectID?, after: ObjectID?)] = [:]
  var lists: Set<Int> = []
  private var hasExistence = false

  /// Number in the order in which the step touched objects.
  let index: Int

  init(_ object: ManagedObject, index: Int) {
    self.object = object
    self.index = index
  }

  var isPart: Bool { object.entity.owner != nil }
  /// True when the reversal would delete the object.
  var isAdded: Bool { !wasLive && isLive && object.isLive }

  var before: State { State(isLive: wasLive, attributes: attributes.mapValues(\.before)) }
  var after: State { State(isLive: isLive, attributes: attributes.mapValues(\.after)) }

  mutating func add(_ change: Change) {
    switch change {
    case .attribute(_, let place, let old, let new): attributes[place] = (attributes[place]?.before ?? old, new)
    case .external(_, let place, let old, let new):
      externals[place] = (externals[place].map(\.before) ?? old, new)
    case .link(_, let place, let old, let new): links[place] = (links[place].map(\.before) ?? old, new)
    case .listInsertion(_, let place, _, _), .listRemoval(_, let place, _, _): lists.insert(place)
    case .existence(_, let isLive, let foreignWrites):
      if !hasExistence { wasLive = !isLive }
      hasExistence = true
      self.isLive = isLive
      self.foreignWrites = foreignWrites
    }
  }

  /// True when the step changed more than the positions of parts.
  func hasEffect(except order: Set<Int>) -> Bool {
    attributes.contains { !order.contains($0.key) && $0.value.before != $0.value.after }
      || externals.contains { $0.value.before != $0.value.after }
      || links.contains { $0.value.before != $0.value.after } || wasLive != isLive
  }
}
