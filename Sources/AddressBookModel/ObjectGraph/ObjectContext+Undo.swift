import GRDB

/// Undo and redo. A step stays on the stack when it is saved; undoing it then is a new change, to be saved like any other.
extension ObjectContext {
  /// Does one action of a person: everything that it changes is one step of undo.
  ///
  /// When the action throws, what it had changed is taken back. Actions inside an action belong to the outer one.
  /// - Parameter name: what to call the step, in the person's language.
  public func action<Value, Failure: Error>(
    _ name: String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if undoLog.depth == 0 {
      undoLog.close()
      undoLog.open = UndoGroup(name: name)
    }
    undoLog.depth += 1
    let mark = undoLog.open?.changes.count ?? 0
    defer {
      undoLog.depth -= 1
      if undoLog.depth == 0 { undoLog.close() }
    }
    do {
      return try body()
    } catch {
      let failed = undoLog.open?.changes.dropFirst(mark) ?? []
      for change in failed.reversed() { perform(change.inverse) }
      undoLog.open?.changes.removeLast(failed.count)
      throw error
    }
  }

  /// True when there is a step to undo.
  public var canUndo: Bool { undoLog.open?.changes.isEmpty == false || !undoLog.undo.isEmpty }

  /// True when there is a step to redo.
  public var canRedo: Bool { undoLog.open?.changes.isEmpty != false && !undoLog.redo.isEmpty }

  /// Name of the step that ``undo()`` would take back; nil when there is none.
  public var undoName: String? { undoLog.open?.changes.isEmpty == false ? undoLog.open?.name : undoLog.undo.last?.name }

  /// Name of the step that ``redo()`` would do again; nil when there is none.
  public var redoName: String? { canRedo ? undoLog.redo.last?.name : nil }

  /// Takes back the last step. The objects have it at once; the store has it after the next save.
  /// - Returns: the name of the step, or nil when there was none.
  @discardableResult public func undo() -> String? {
    precondition(undoLog.depth == 0, "undo inside an action")
    undoLog.close()
    guard let group = undoLog.undo.popLast() else { return nil }
    undoLog.redo.append(reverse(group))
    return group.name
  }

  /// Does again the step that was taken back last.
  /// - Returns: the name of the step, or nil when there was none.
  @discardableResult public func redo() -> String? {
    precondition(undoLog.depth == 0, "redo inside an action")
    undoLog.close()
    guard let group = undoLog.redo.popLast() else { return nil }
    undoLog.undo.append(reverse(group))
    return group.name
  }

  /// Forgets all that was not saved, and with it the steps since the last save.
  public func rollback() {
    undoLog.open = nil
    (undoLog.undo, undoLog.redo) = undoLog.saved
    for object in pinned.values {
      object.values = object.committedValues
      object.links = object.committedLinks
      object.lists = object.lists.map {
        $0.map { ObjectList(committed: $0.committed, ids: $0.committed, held: $0.held) }
      }
      object.externals = object.externals.map { $0.map { ExternalValue(committed: $0.committed, value: $0.committed) } }
      object.isLive = object.exists
    }
    pinned.removeAll()
  }

  private func reverse(_ group: UndoGroup) -> UndoGroup {
    var reversed = UndoGroup(name: group.name)
    for change in group.changes.reversed() {
      let inverse = change.inverse
      perform(inverse)
      reversed.changes.append(inverse)
    }
    return reversed
  }

  /// Makes a change and records it.
  func apply(_ change: Change) {
    perform(change)
    if undoLog.open == nil { undoLog.open = UndoGroup(name: "") }
    undoLog.open?.changes.append(change)
  }

  /// Makes a change.
  private func perform(_ change: Change) {
    let object = change.object
    if pinned[object.objectID] == nil {
      pinned[object.objectID] = object
      enter(object)
    }
    switch change {
    case .attribute(_, let place, _, let new):
      object.values[place] = new
    case .external(_, let place, let old, let new):
      if object.externals[place] == nil { object.externals[place] = ExternalValue(committed: old, value: old) }
      object.externals[place]?.value = new
    case .link(_, let place, _, let new):
      object.links[place] = new.map(canonical)
    case .listInsertion(_, let place, let id, let index):
      let id = canonical(id)
      guard let list = try? list(of: object, place), !list.ids.contains(id) else { return }
      object.lists[place]?.ids.insert(id, at: min(index, list.ids.count))
      if case .children = object.entity.relationships[place].storage, let child = registeredObject(id),
        !list.held.contains(where: { $0 === child })
      {
        object.lists[place]?.held.append(child)
      }
    case .listRemoval(_, let place, let id, _):
      guard let list = try? list(of: object, place), let index = list.ids.firstIndex(of: canonical(id)) else { return }
      object.lists[place]?.ids.remove(at: index)
    case .life(_, let isLive):
      object.isLive = isLive
    }
  }
}
