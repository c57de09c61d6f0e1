/// Undo and redo. A step stays on the stack when it is saved; undoing it then is a new change, to be saved like any other.
extension ObjectContext {
  /// Makes everything that the body changes one step of undo. Without it each change is a step.
  ///
  /// When the body throws, what it had changed is taken back. Groups inside a group belong to the outer one.
  /// - Parameters:
  ///   - name: what to call the step, in the person's language.
  ///   - body: makes the changes.
  public func undoGroup<Result, Failure: Error>(
    _ name: String = "", _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if !name.isEmpty { closeCollected() }
    let collects = collectsChanges && name.isEmpty
    if undoLog.open == nil, collects {
      undoLog.open = UndoGroup(name: "")
      undoLog.isCollecting = true
    }
    let isOutermost = undoLog.open == nil
    if isOutermost { undoLog.open = UndoGroup(name: name) }
    let mark = undoLog.open?.changes.count ?? 0
    do {
      let result = try body()
      if isOutermost { undoLog.close() }
      return result
    } catch {
      let failed = undoLog.open?.changes.dropFirst(mark) ?? []
      for change in failed.reversed() { perform(change.inverse) }
      undoLog.open?.changes.removeLast(failed.count)
      if isOutermost { undoLog.close() }
      throw error
    }
  }

  /// Ends the step of changes outside of groups.
  func closeCollected() {
    if undoLog.isCollecting { undoLog.close() }
  }

  private var hasCollected: Bool { undoLog.isCollecting && undoLog.open?.changes.isEmpty == false }

  /// How many steps are kept; older ones are let go. None for 0.
  public var undoLimit: Int {
    get { undoLog.limit }
    set { undoLog.limit = max(0, newValue) }
  }

  /// True when there is a step to undo.
  public var canUndo: Bool { hasCollected || !undoLog.undo.isEmpty }

  /// True when there is a step to redo.
  public var canRedo: Bool { !hasCollected && !undoLog.redo.isEmpty }

  /// Name of the step that ``undo()`` would take back; nil when there is none.
  public var undoName: String? { hasCollected ? "" : undoLog.undo.last?.name }

  /// Name of the step that ``redo()`` would do again; nil when there is none.
  public var redoName: String? { canRedo ? undoLog.redo.last?.name : nil }

  /// Takes back the last step. The objects have it at once; the store has it after the next save. Inside a group nothing is
  /// done.
  /// - Returns: whether there was a step.
  @discardableResult public func undo() -> Bool {
    closeCollected()
    guard undoLog.open == nil, let group = undoLog.undo.popLast() else { return false }
    undoLog.redo.append(reverse(group))
    return true
  }

  /// Does again the step that was taken back last. Inside a group nothing is done.
  /// - Returns: whether there was a step.
  @discardableResult public func redo() -> Bool {
    closeCollected()
    guard undoLog.open == nil, let group = undoLog.redo.popLast() else { return false }
    undoLog.undo.append(reverse(group))
    return true
  }

  /// Takes back the last step where the store still has what the step left. All objects without changes are read again first.
  /// - Parameter policy: what to do where somebody else saved something else since: `error` and `byProperty` refuse and change
  ///   nothing, `storeWins` passes it over, `objectWins` and `overwrite` take the step back all the same.
  /// - Returns: whether there was a step.
  /// - Throws: `conflicts`, in whose fields the base is what the step left, mine what undo would bring back, and theirs what is
  ///   saved; an object that the step made and others changed is deleted by mine. `store`.
  @discardableResult public func undo(_ policy: MergePolicy) throws(ObjectGraphError) -> Bool {
    closeCollected()
    guard undoLog.open == nil, let group = undoLog.undo.last else { return false }
    let reversed = try reverse(group, policy)
    undoLog.undo.removeLast()
    undoLog.redo.append(reversed)
    return true
  }

  /// Does the last step that was taken back again where the store still has what the undo left; else as ``undo(_:)``.
  /// - Throws: as ``undo(_:)``.
  @discardableResult public func redo(_ policy: MergePolicy) throws(ObjectGraphError) -> Bool {
    closeCollected()
    guard undoLog.open == nil, let group = undoLog.redo.last else { return false }
    let reversed = try reverse(group, policy)
    undoLog.redo.removeLast()
    undoLog.undo.append(reversed)
    return true
  }

  private func reverse(_ group: UndoGroup, _ policy: MergePolicy) throws(ObjectGraphError) -> UndoGroup {
    try refresh()
    let comparison = try translating {
      isRecording = false
      defer { isRecording = true }
      return StepComparison(group, self, removed: try readObjects(of: group))
    }
    let refuses = policy == .error || policy == .byProperty
    if refuses, !comparison.conflicts.isEmpty { throw .conflicts(comparison.conflicts) }
    return try translating {
      if !policy.prefersStore { try bringBack(comparison.missing) }
      return reverse(group) { comparison.skips($0, keepsTheirs: policy.prefersStore) }
    }
  }

  /// Reads what a comparison with the store needs beyond what was refreshed.
  /// - Returns: deleted objects whose rows could come back if somebody had not removed them.
  private func readObjects(of group: UndoGroup) throws -> Set<ObjectIdentifier> {
    var removed: Set<ObjectIdentifier> = []
    let marked = group.objects.filter { $0.isGone && $0.state.isMarked }
    let rows = try source.markedSnapshots(of: marked.map(\.objectID))
    for object in marked {
      if let row = rows[object.objectID] {
        try readMarked(object, row)
      } else {
        removed.insert(ObjectIdentifier(object))
      }
    }
    for change in group.changes {
      switch change {
      case .attribute(let object, let index, _, _) where object.state.existence == .exists && !object.isUnreachable:
        try readValue(of: Attribute(entity: object.entity, index: index), in: object)
      case .existence(let object, isLive: true) where !object.isUnreachable:
        for relationship in object.entity.relationships where relationship.isManyToMany {
          try loadList(object, relationship)
        }
      default: break
      }
    }
    return removed
  }

  /// Objects that others deleted become new ones under their old ids. That is no part of the step.
  private func bringBack(_ objects: [ManagedObject]) throws {
    isRecording = false
    defer { isRecording = true }
    for object in objects {
      guard source.marksDeletions(of: object.entity) else {
        try revive(object)
        continue
      }
      let row = try source.markedSnapshots(of: [object.objectID])[object.objectID]
      let stored = try row.map { try values(of: object, in: $0) } ?? []
      update(object) { state in
        state.isLive = true
        state.isMarked = row != nil
        state.version = row?.version ?? state.version
        for (index, value) in stored { state.committedValues[index] = value }
      }
      if row == nil {
        try insertParts(of: object)
      } else {
        try rereadParts(ofMarked: object)
        // What stayed in the store is read again.
        for relationship in object.entity.relationships
        where relationship.isToMany && !object.state.lists[relationship.index].hasDelta {
          update(object) { $0.lists[relationship.index] = MemberList() }
        }
      }
      touch(object)
    }
  }

  /// Forgets all steps.
  public func removeAllUndoSteps() {
    undoLog.undo = []
    undoLog.redo = []
    undoLog.saved = ([], [])
  }

  /// Goes back to what was read or saved last, and with the steps to what they were at the last save.
  public func rollback() {
    undoLog.open = nil
    undoLog.isCollecting = false
    (undoLog.undo, undoLog.redo) = undoLog.saved
    for object in touched.values {
      update(object) { state in
        state.isLive = state.existence != .absent
        state.values = state.committedValues
        state.ones = state.committedOnes
        for relationship in object.entity.relationships where relationship.isToMany {
          state.lists[relationship.index].revert(isOrdered: relationship.isOrdered)
        }
      }
    }
    touched.removeAll()
  }

  private func reverse(_ group: UndoGroup, skipping: (Change) -> Bool = { _ in false }) -> UndoGroup {
    var reversed = UndoGroup(name: group.name)
    for change in group.changes.reversed() where !skipping(change) {
      let inverse = change.inverse
      perform(inverse)
      reversed.append(inverse)
    }
    repair(after: group)
    return reversed
  }

  /// Makes a change and records it.
  func apply(_ change: Change) {
    perform(change)
    if isRecording { undoLog.open?.append(change) }
  }

  /// Makes a change. What a merge or a refresh did meanwhile is not changed twice.
  private func perform(_ change: Change) {
    switch change {
    case .attribute(let object, let index, _, let new):
      update(object) { state in
        if state.unread.remove(index) != nil { state.committedValues[index] = change.oldValue }
        state.values[index] = new
      }
      touch(object)
    case .one(let object, let index, _, let new):
      update(object) { $0.ones[index] = new }
      touch(object)
    case .insertion(let owner, let index, let member, let at):
      update(owner) { state in
        if !state.lists[index].contains(member) { state.lists[index].insert(member, at: at) }
      }
      touch(owner)
    case .removal(let owner, let index, let member, _):
      let keepsOrder = owner.entity.record.relationships[index].description.isOrdered
      update(owner) { state in
        if state.lists[index].contains(member) { state.lists[index].remove(member, keepsOrder: keepsOrder) }
      }
      touch(owner)
    case .existence(let object, let isLive):
      update(object) { $0.isLive = isLive }
      touch(object)
    }
  }

  /// Makes both ends of relationships agree where a merge or a refresh came between a step and its undoing. To-ones hold;
  /// lists follow.
  private func repair(after group: UndoGroup) {
    for case .one(let object, let index, _, _) in group.changes {
      let relationship = Relationship(entity: object.entity, index: index)
      let inverse = relationship.inverse
      guard object.state.isLive, let target = object.state.ones[index], target.state.isLive else { continue }
      if inverse.isToMany {
        if !target.state.lists[inverse.index].contains(object) {
          perform(.insertion(target, inverse.index, object, at: nil))
        }
      } else if target.state.ones[inverse.index] !== object {
        if let third = target.state.ones[inverse.index], third.state.isLive {
          perform(.one(third, relationship.index, old: target, new: nil))
        }
        perform(.one(target, inverse.index, old: nil, new: object))
      }
    }
    for case .insertion(let owner, let index, let member, _) in group.changes.map(\.inverse) {
      let inverse = Relationship(entity: owner.entity, index: index).inverse
      guard !inverse.isToMany, owner.state.lists[index].contains(member), member.state.isLive,
        member.state.ones[inverse.index] !== owner
      else { continue }
      perform(.removal(owner, index, member, at: nil))
    }
  }
}
