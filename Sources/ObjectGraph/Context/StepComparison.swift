/// Compares what an undo step left with the current state of its objects, which others may have saved since.
struct StepComparison {
  private struct Field: Hashable {
    let object: ObjectIdentifier
    let property: String
  }

  /// What others changed after the step, with one element for each object.
  private(set) var conflicts: [SaveConflict] = []
  /// Objects that the undo needs and that others deleted.
  private(set) var missing: [ManagedObject] = []
  /// Objects for which there is nothing left to undo.
  private var done: Set<ObjectIdentifier> = []
  /// Objects that stay as they are when the store wins.
  private var keptObjects: Set<ObjectIdentifier> = []
  private var keptFields: Set<Field> = []

  /// Objects that the undo deletes by marking them; everything that belongs to them stays in the store.
  private var trashed: Set<ObjectIdentifier> = []
  /// Objects that the step made and that others use; only the memberships that the step added are removed.
  private var inUse: Set<ObjectIdentifier> = []
  private let context: ObjectContext
  private let group: UndoGroup
  /// Deleted objects whose rows were removed elsewhere.
  private let removed: Set<ObjectIdentifier>
  private let touched: Set<ObjectIdentifier>

  init(_ group: UndoGroup, _ context: ObjectContext, removed: Set<ObjectIdentifier>) {
    self.context = context
    self.group = group
    self.removed = removed
    touched = Set(group.objects.map(ObjectIdentifier.init))
    // Objects without an owner come first: the decision about an owner holds for its parts.
    let all = group.items
    for item in all.filter({ $0.object.owners.isEmpty }) + all.filter({ !$0.object.owners.isEmpty }) {
      compare(item, foreignWrites: group.foreignWrites[ObjectIdentifier(item.object)] ?? 0)
    }
  }

  private mutating func compare(_ item: UndoGroup.Item, foreignWrites: Int) {
    let object = item.object
    let key = ObjectIdentifier(object)
    let marks = context.source.marksDeletions(of: object.entity)
    for owner in object.owners {
      let isDecided = [done, trashed, keptObjects].contains { $0.contains(ObjectIdentifier(owner)) }
      if isDecided { return }
      // The owner was deleted elsewhere.
      guard !owner.state.isLive, !owner.objectID.isTemporary, !touched.contains(ObjectIdentifier(owner)) else {
        continue
      }
      if item.hasEffect || item.wasLive != nil { lose(owner) }
      return
    }
    switch (item.wasLive, item.isLive, object.state.isLive) {
    case (false?, false?, _), (false?, true?, false), (true?, false?, true):
      // Nothing is left to undo: the object was added and deleted again, or someone else has undone it.
      done.insert(key)
    case (false?, true?, true):
      if !marks, isUsedByOthers(object) {
        inUse.insert(key)
        return
      }
      if marks, object.state.existence == .exists { trashed.insert(key) }
      if object.foreignWrites != foreignWrites { keepAsConflict(object, deleted: .mine) }
    case (true?, false?, false):
      if removed.contains(key) { lose(object) }
    default:
      guard object.state.isLive else {
        if item.hasEffect {
          lose(object)
        } else {
          done.insert(key)
        }
        return
      }
      compareFields(item)
    }
  }

  /// Records that an object that the undo needs was deleted elsewhere.
  private mutating func lose(_ object: ManagedObject) {
    guard !missing.contains(where: { $0 === object }) else { return }
    missing.append(object)
    keepAsConflict(object, deleted: .theirs)
  }

  /// Returns whether an object that the step made has memberships that the step did not add.
  private func isUsedByOthers(_ object: ManagedObject) -> Bool {
    var own: Set<ObjectIdentifier> = []
    for case .insertion(let owner, _, let member, _) in group.changes {
      if owner === object { own.insert(ObjectIdentifier(member)) }
      if member === object { own.insert(ObjectIdentifier(owner)) }
    }
    return object.entity.relationships.contains { relationship in
      relationship.isManyToMany
        && object.state.lists[relationship.index].items.contains {
          $0.state.isLive && !own.contains(ObjectIdentifier($0))
        }
    }
  }

  private mutating func keepAsConflict(_ object: ManagedObject, deleted side: SaveConflict.Side) {
    keptObjects.insert(ObjectIdentifier(object))
    conflicts.append(SaveConflict(object: object.objectID, fields: [:], deleted: side))
  }

  private mutating func compareFields(_ item: UndoGroup.Item) {
    let object = item.object
    var fields: [String: SaveConflict.Field] = [:]
    let now = object.state.values
    // The values of an atomic entity count as one.
    let compared = object.entity.description.isAtomic ? [Array(item.values)] : item.values.map { [$0] }
    for values in compared where values.contains(where: { $0.value.before != $0.value.after }) {
      let isUnchanged = values.allSatisfy { now[$0.key] == $0.value.after }
      let isUndone = values.allSatisfy { now[$0.key] == $0.value.before }
      if isUnchanged || isUndone { continue }
      for (index, change) in values where now[index] != change.after || change.before != change.after {
        let name = EntityAttribute(entity: object.entity, index: index).name
        fields[name] = SaveConflict.Field(base: change.after, mine: change.before, theirs: now[index])
      }
    }
    for (index, change) in item.ones where change.before !== change.after {
      let now = object.state.ones[index]?.storable
      guard now !== change.after?.storable, now !== change.before?.storable else { continue }
      let name = Relationship(entity: object.entity, index: index).name
      func value(_ object: ManagedObject?) -> Value { object.map { .object($0.objectID) } ?? .null }
      fields[name] = SaveConflict.Field(base: value(change.after), mine: value(change.before), theirs: value(now))
    }
    guard !fields.isEmpty else { return }
    for name in fields.keys { keptFields.insert(Field(object: ObjectIdentifier(object), property: name)) }
    conflicts.append(SaveConflict(object: object.objectID, fields: fields, deleted: nil))
  }

  /// Returns whether the undo skips a change.
  /// - Parameter keepsTheirs: whether later changes by others stay.
  func skips(_ change: Change, keepsTheirs: Bool) -> Bool {
    // The decision about an owner holds for its parts.
    let objects = (change.objects + change.objects.flatMap(\.owners)).map(ObjectIdentifier.init)
    if objects.contains(where: done.contains) { return true }
    if change.changesRow, let object = objects.first, inUse.contains(object) { return true }
    if objects.contains(where: trashed.contains) {
      guard case .existence(let object, _) = change else { return true }
      // Parts that were never saved have no row to keep.
      guard trashed.contains(ObjectIdentifier(object)) || object.state.existence == .absent else { return true }
    }
    guard keepsTheirs else { return false }
    if objects.contains(where: keptObjects.contains) { return true }
    return change.property.map { property in
      objects.first.map { keptFields.contains(Field(object: $0, property: property)) } ?? false
    } ?? false
  }
}

extension Change {
  /// The object whose row or existence changes; nil for lists.
  var rowObject: ManagedObject? {
    switch self {
    case .attribute(let object, _, _, _), .one(let object, _, _, _), .existence(let object, _): object
    case .insertion, .removal: nil
    }
  }

  fileprivate var changesRow: Bool { rowObject != nil }

  /// The object that changes; for a list, also the member.
  var objects: [ManagedObject] {
    switch self {
    case .attribute(let object, _, _, _), .one(let object, _, _, _), .existence(let object, _): [object]
    case .insertion(let owner, _, let member, _), .removal(let owner, _, let member, _): [owner, member]
    }
  }

  /// The name of the attribute or to-one.
  fileprivate var property: String? {
    switch self {
    case .attribute(let object, let index, _, _): EntityAttribute(entity: object.entity, index: index).name
    case .one(let object, let index, _, _): Relationship(entity: object.entity, index: index).name
    case .insertion, .removal, .existence: nil
    }
  }
}

extension ManagedObject {
  /// The objects that this one is a part of, now and as last saved.
  fileprivate var owners: [ManagedObject] {
    guard let index = entity.owner?.index else { return [] }
    var owners: [ManagedObject] = []
    for case let owner? in [state.ones[index], state.committedOnes[index]]
    where owner !== self && !owners.contains(where: { $0 === owner }) {
      owners.append(owner)
    }
    return owners
  }
}
