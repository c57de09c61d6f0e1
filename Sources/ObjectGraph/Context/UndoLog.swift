/// One recorded step. Every change of the graph is made of these, and each can be turned round.
enum Change {
  case attribute(ManagedObject, Int, old: Value, new: Value)
  case one(ManagedObject, Int, old: ManagedObject?, new: ManagedObject?)
  /// The index is nil at the end of the list.
  case insertion(ManagedObject, Int, ManagedObject, at: Int?)
  case removal(ManagedObject, Int, ManagedObject, at: Int?)
  case existence(ManagedObject, isLive: Bool)

  /// What an attribute was before; null for other changes.
  var oldValue: Value {
    if case .attribute(_, _, let old, _) = self { old } else { .null }
  }

  /// The step that undoes this one.
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

/// Everything that one step of undo did.
struct UndoGroup {
  /// What to call it, in the person's language; empty for a change without a name.
  var name: String
  var changes: [Change] = []
  /// ``ManagedObject/foreignWrites`` of objects when the step brought them to life.
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

/// What can be undone and redone, newest last.
struct UndoLog {
  var undo: [UndoGroup] = []
  var redo: [UndoGroup] = []
  /// The group that changes go to now.
  var open: UndoGroup?
  /// Whether the open group goes on until something else closes it.
  var isCollecting = false
  /// Both stacks as they were at the last save: where a rollback goes back to.
  var saved: (undo: [UndoGroup], redo: [UndoGroup]) = ([], [])
  /// Steps kept; older ones are let go.
  var limit = 200

  /// Puts the open group, if it did anything, on the stack of things to undo.
  mutating func close() {
    isCollecting = false
    guard let group = open else { return }
    open = nil
    guard !group.changes.isEmpty, limit > 0 else { return }
    undo.append(group)
    if undo.count > limit { undo.removeFirst(undo.count - limit) }
    redo.removeAll()
  }
}
