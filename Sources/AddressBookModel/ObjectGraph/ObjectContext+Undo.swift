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

  /// Reverses the last step, where the store still has what the step left. The objects change at once; the store changes
  /// with the next save. ``mergePolicy`` says what becomes of fields that others wrote since: of `storeWins` they stay as
  /// they are, of `objectWins` the step is reversed all the same.
  /// - Returns: the name of the step, or nil when there was none.
  /// - Throws: `SaveError.conflict` when others wrote the same fields and the policy does not decide, `SaveError.store`
  ///   when the store cannot be read. Nothing is changed then.
  @discardableResult public func undo() throws(SaveError) -> String? {
    precondition(undoLog.depth == 0, "undo inside an action")
    undoLog.close()
    guard let group = undoLog.undo.last else { return nil }
    let reversed = try reverse(group)
    undoLog.undo.removeLast()
    undoLog.redo.append(reversed)
    return group.name
  }

  /// Redoes the step that was undone last, where the store still has what the undo left; otherwise as ``undo()``.
  /// - Returns: the name of the step, or nil when there was none.
  /// - Throws: as ``undo()``.
  @discardableResult public func redo() throws(SaveError) -> String? {
    precondition(undoLog.depth == 0, "redo inside an action")
    undoLog.close()
    guard let group = undoLog.redo.last else { return nil }
    let reversed = try reverse(group)
    undoLog.redo.removeLast()
    undoLog.undo.append(reversed)
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

  private func reverse(_ group: UndoGroup) throws(SaveError) -> UndoGroup {
    let reversal: StepReversal
    do {
      reversal = try StepReversal(of: group, in: self)
    } catch {
      throw .store(error)
    }
    if mergePolicy == .byField || mergePolicy == .error, let conflict = reversal.conflict {
      throw .conflict(conflict)
    }
    return reversal.perform(mergePolicy)
  }

  /// Makes a change and records it.
  func apply(_ change: Change) {
    perform(change)
    if undoLog.open == nil { undoLog.open = UndoGroup(name: "") }
    undoLog.open?.changes.append(change)
  }

  /// Makes a change. Whoever makes one of a list has loaded the list.
  func perform(_ change: Change) {
    let object = change.object
    pin(object)
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
      guard let list = object.lists[place], !list.ids.contains(id) else { return }
      object.lists[place]?.ids.insert(id, at: min(index, list.ids.count))
      if case .children = object.entity.relationships[place].storage, let child = registeredObject(id),
        !list.held.contains(where: { $0 === child })
      {
        object.lists[place]?.held.append(child)
      }
    case .listRemoval(_, let place, let id, _):
      guard let list = object.lists[place], let index = list.ids.firstIndex(of: canonical(id)) else { return }
      object.lists[place]?.ids.remove(at: index)
    case .existence(_, let isLive, _):
      object.isLive = isLive
    }
  }

  private func pin(_ object: ManagedObject) {
    guard pinned[object.objectID] == nil else { return }
    pinned[object.objectID] = object
    enter(object)
  }

  /// Brings an object back that somebody deleted, with the parts that it had here.
  func revive(_ object: ManagedObject) {
    object.isLive = true
    pin(object)
    for place in partPlaces(object.entity) {
      guard let list = object.lists[place] else { continue }
      for part in list.held where list.ids.contains(part.objectID) && !part.isLive {
        part.isLive = true
        pin(part)
      }
    }
    guard let owner = object.entity.owner else { return }
    let link = object.entity.place(ofRelationship: owner)
    guard let id = (object.links[link] ?? object.committedLinks[link]).map(canonical), let root = registeredObject(id),
      let (_, place) = model.inverse(of: object.entity.relationships[link]), let list = root.lists[place],
      !list.ids.contains(object.objectID)
    else { return }
    let index = model.orderPlaces(of: object.entity).first.flatMap { Int.fromDatabaseValue(object.values[$0]) }
    perform(.listInsertion(root, place, object.objectID, at: index ?? list.ids.count))
    renumberAsListed(root, place)
  }

  /// Writes the index of each child of a list into the child, without recording it.
  func renumberAsListed(_ owner: ManagedObject, _ place: Int) {
    guard case .children(_, let order?) = owner.entity.relationships[place].storage, let list = owner.lists[place]
    else {
      return
    }
    let attribute = model.entity(owner.entity.relationships[place].destination).place(ofAttribute: order)
    for (index, id) in list.ids.enumerated() {
      guard let child = registeredObject(id), child.values[attribute] != index.databaseValue else { continue }
      pin(child)
      child.values[attribute] = index.databaseValue
    }
  }
}
