import GRDB

/// One recorded step. Every change of the graph is made of these, and each can be turned round.
enum Change {
  case attribute(ManagedObject, Int, old: DatabaseValue, new: DatabaseValue)
  case external(ManagedObject, Int, old: [DatabaseValue]?, new: [DatabaseValue]?)
  case link(ManagedObject, Int, old: ObjectID?, new: ObjectID?)
  case listInsertion(ManagedObject, Int, ObjectID, at: Int)
  case listRemoval(ManagedObject, Int, ObjectID, at: Int)
  /// An object comes to life or is deleted. `foreignWrites` are those that the context knew of then.
  case existence(ManagedObject, isLive: Bool, foreignWrites: Int)

  /// The step that undoes this one.
  var inverse: Change {
    switch self {
    case .attribute(let object, let place, let old, let new): return .attribute(object, place, old: new, new: old)
    case .external(let object, let place, let old, let new): return .external(object, place, old: new, new: old)
    case .link(let object, let place, let old, let new): return .link(object, place, old: new, new: old)
    case .listInsertion(let object, let place, let id, let index): return .listRemoval(object, place, id, at: index)
    case .listRemoval(let object, let place, let id, let index): return .listInsertion(object, place, id, at: index)
    case .existence(let object, let isLive, _): return .existence(object, isLive: !isLive)
    }
  }

  static func existence(_ object: ManagedObject, isLive: Bool) -> Change {
    .existence(object, isLive: isLive, foreignWrites: object.foreignWrites)
  }

  var object: ManagedObject {
    switch self {
    case .attribute(let object, _, _, _), .external(let object, _, _, _), .link(let object, _, _, _),
      .listInsertion(let object, _, _, _), .listRemoval(let object, _, _, _), .existence(let object, _, _):
      return object
    }
  }
}

/// Everything that one action of a person did.
struct UndoGroup {
  /// What to call it, in the person's language; empty for a change outside any named action.
  var name: String
  var changes: [Change] = []
}

/// What can be undone and redone, newest last.
struct UndoLog {
  var undo: [UndoGroup] = []
  var redo: [UndoGroup] = []
  /// The group that changes go to now.
  var open: UndoGroup?
  /// How many actions are inside each other; only the outermost makes a step.
  var depth = 0
  /// Both stacks as they were at the last save: where a rollback goes back to.
  var saved: (undo: [UndoGroup], redo: [UndoGroup]) = ([], [])
  /// Steps kept; older ones are let go.
  var limit = 200

  /// Puts the open group, if it did anything, on the stack of things to undo.
  mutating func close() {
    guard let group = open else { return }
    open = nil
    guard !group.changes.isEmpty else { return }
    undo.append(group)
    if undo.count > limit { undo.removeFirst(undo.count - limit) }
    redo.removeAll()
  }
}
