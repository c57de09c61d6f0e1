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

/// Everything that one undo step changed.
struct UndoGroup {
  /// The name of the step, in the user's language; empty if it was not named.
  var name: String
  var changes: [Change] = []
  /// The ``ManagedObject/foreignWrites`` of the objects that the step made live, as they were at that time.
  var foreignWrites: [ObjectIdentifier: Int] = [:]

  /// The objects whose rows or existence the step changed, each once.
  var objects: [ManagedObject] {
    var seen: Set<ObjectIdentifier> = []
    return changes.compactMap { change in
      guard let object = change.rowObject, seen.insert(ObjectIdentifier(object)).inserted else { return nil }
      return object
    }
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

  /// Closes the open group. Unless it is empty, it becomes the next step to undo, all redo steps are dropped, and so
  /// are the oldest steps beyond the limit.
  mutating func close() {
    isCollecting = false
    guard let group = open else { return }
    open = nil
    guard !group.changes.isEmpty else { return }
    undo.append(group)
    undo.removeFirst(max(0, undo.count - limit))
    redo.removeAll()
  }
}
