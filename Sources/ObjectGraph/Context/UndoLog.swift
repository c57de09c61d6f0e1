/// A change that can be reversed. Every edit consists of these.
enum Change {
  /// In a change of an atomic entity, the attributes that keep their values are recorded too.
  case attribute(ManagedObject, Int, old: Value, new: Value)
  case one(ManagedObject, Int, old: ManagedObject?, new: ManagedObject?)
  /// A nil index appends.
  case insertion(ManagedObject, Int, ManagedObject, at: Int?)
  /// The index is nil if the list is unordered.
  case removal(ManagedObject, Int, ManagedObject, at: Int?)
  case existence(ManagedObject, isLive: Bool)

  /// The old value of an attribute; null for other changes.
  var oldValue: Value {
    if case .attribute(_, _, let old, _) = self { old } else { .null }
  }

  /// The change that undoes this one.
  var inverse: Change {
    switch self {
    case .attribute(let object, let index, let old, let new): .attribute(object, index, old: new, new: old)
    case .one(let object, let index, let old, let new): .one(object, index, old: new, new: old)
    case .insertion(let object, let index, let member, let at): .removal(object, index, member, at: at)
    case .removal(let object, let index, let member, let at): .insertion(object, index, member, at: at)
    case .existence(let object, let isLive): .existence(object, isLive: !isLive)
    }
  }
}

extension Change {
  fileprivate func isOfSameList(as other: Change) -> Bool {
    switch (self, other) {
    case (.insertion(let owner, let index, _, _), .insertion(let other, let otherIndex, _, _)),
      (.insertion(let owner, let index, _, _), .removal(let other, let otherIndex, _, _)),
      (.removal(let owner, let index, _, _), .insertion(let other, let otherIndex, _, _)),
      (.removal(let owner, let index, _, _), .removal(let other, let otherIndex, _, _)):
      owner === other && index == otherIndex
    default: false
    }
  }

  /// Whether the next change of the same list takes this one back.
  fileprivate func isReversed(by next: Change) -> Bool {
    switch (self, next) {
    case (.insertion(_, _, let member, _), .removal(_, _, let other, _)): member === other
    case (.removal(_, _, let member, let from), .insertion(let owner, let index, let other, let to)):
      member === other
        && (from == to || to == nil && owner.state.lists[index].items.firstIndex { $0 === member } == from)
    default: false
    }
  }
}

/// Everything that one undo step changed.
struct UndoGroup {
  /// The name of the step, in the user's language; empty if it was not named.
  var name: String
  var changes: [Change] = []
  /// Whether the context was saved after the step.
  var isSaved = false
  /// The ``ManagedObject/foreignWrites`` of the objects that the step made live, as they were at that time.
  var foreignWrites: [ObjectIdentifier: Int] = [:]

  /// What a step did to the row and the existence of one object.
  struct Item {
    let object: ManagedObject
    var wasLive: Bool?
    var isLive: Bool?
    var values: [Int: (before: Value, after: Value)] = [:]
    var ones: [Int: (before: ManagedObject?, after: ManagedObject?)] = [:]

    mutating func add(_ change: Change) {
      switch change {
      case .attribute(_, let index, let old, let new): values[index] = (values[index]?.before ?? old, new)
      case .one(_, let index, let old, let new):
        let before = ones[index].map(\.before) ?? old
        ones[index] = (before, new)
      case .existence(_, let isLive):
        wasLive = wasLive ?? !isLive
        self.isLive = isLive
      case .insertion, .removal: break
      }
    }

    /// True when the step changed the object's own row.
    var hasEffect: Bool {
      values.contains { $0.value.before != $0.value.after } || ones.contains { $0.value.before !== $0.value.after }
    }
  }

  /// What the step did to each object, in the order of the first changes.
  var items: [Item] {
    var items: [Item] = []
    var indexes: [ObjectIdentifier: Int] = [:]
    for change in changes {
      guard let object = change.rowObject else { continue }
      let index = indexes[ObjectIdentifier(object)] ?? items.count
      if index == items.count {
        indexes[ObjectIdentifier(object)] = index
        items.append(Item(object: object))
      }
      items[index].add(change)
    }
    return items
  }

  /// The objects whose rows or existence the step changed, each once.
  var objects: [ManagedObject] { items.map(\.object) }

  /// Whether an undo would change anything. What was changed back, and objects that were inserted and deleted again,
  /// do not count.
  var hasEffect: Bool {
    // Usually the first change is still there.
    switch changes.first {
    case nil: return false
    case .attribute(let object, let index, let old, _)? where object.state.values[index] != old: return true
    case .one(let object, let index, let old, _)? where object.state.ones[index] !== old: return true
    case .existence(let object, let isLive)? where object.state.isLive == isLive: return true
    default: break
    }
    let (items, lists) = (items, changes.filter { $0.rowObject == nil })
    let passing = Set(items.filter { $0.wasLive == false && $0.isLive == false }.map { ObjectIdentifier($0.object) })
    if items.contains(where: {
      !passing.contains(ObjectIdentifier($0.object)) && ($0.hasEffect || $0.wasLive != $0.isLive)
    }) {
      return true
    }
    var left: [Change] = []
    for change in lists where !change.objects.contains(where: { passing.contains(ObjectIdentifier($0)) }) {
      if let last = left.lastIndex(where: { $0.isOfSameList(as: change) }), left[last].isReversed(by: change) {
        left.remove(at: last)
      } else {
        left.append(change)
      }
    }
    return !left.isEmpty
  }

  mutating func append(_ change: Change) {
    changes.append(change)
    if case .existence(let object, isLive: true) = change {
      foreignWrites[ObjectIdentifier(object)] = object.foreignWrites
    }
  }
}

/// The steps that can be undone and redone; the last element of each array is the next step to undo or redo.
struct UndoLog {
  var undo: [UndoGroup] = []
  var redo: [UndoGroup] = []
  /// The group that new changes are added to; nil if there is none.
  var open: UndoGroup?
  /// Whether the open group collects changes made outside of named groups into one step.
  var isCollecting = false
  /// How many bodies of groups are running, one inside the other.
  var runningGroups = 0
  /// Both stacks as they were at the last save, which a rollback restores.
  var saved: (undo: [UndoGroup], redo: [UndoGroup]) = ([], [])
  /// How many steps are kept; older ones are dropped.
  var limit = 200

  /// Records that the context was saved.
  mutating func save() {
    for index in undo.indices { undo[index].isSaved = true }
    saved = (undo, redo)
  }

  /// Closes the open group. If it has an effect, it becomes the next step to undo, all redo steps are dropped, and so
  /// are the oldest steps beyond the limit.
  mutating func close() {
    isCollecting = false
    guard let group = open else { return }
    open = nil
    guard group.hasEffect else { return }
    undo.append(group)
    undo.removeFirst(max(0, undo.count - limit))
    redo.removeAll()
  }
}
