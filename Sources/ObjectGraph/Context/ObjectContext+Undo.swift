/// Undo and redo. A step stays in the undo log after a save; undoing it then is a new change, which has to be saved
/// like any other.
extension ObjectContext {
  /// Groups everything that the body changes into one undo step. Without a group, each change is a step. If
  /// ``collectsChanges`` is true, all changes outside of named groups form one step instead.
  ///
  /// A group without an effect, such as one that changes a value and changes it back, is no step. When the body throws,
  /// its changes are undone. A nested group becomes part of the outer one.
  /// - Parameters:
  ///   - name: the name of the step, in the user's language.
  ///   - body: makes the changes.
  public func undoGroup<Result, Failure: Error>(
    _ name: String = "", _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let collects = collectsChanges && name.isEmpty && isRecording
    if !collects { closeCollected() }
    undoLog.runningGroups += 1
    defer { undoLog.runningGroups -= 1 }
    if undoLog.open == nil, collects {
      undoLog.open = UndoGroup(name: "")
      undoLog.isCollecting = true
    }
    let isOutermost = undoLog.open == nil
    if isOutermost { undoLog.open = UndoGroup(name: name) }
    let mark = undoLog.open?.changes.count ?? 0
    do {
      let result = try body()
      if isOutermost { closeGroup() }
      return result
    } catch {
      let failed = undoLog.open?.changes.dropFirst(mark) ?? []
      for change in failed.reversed() { perform(change.inverse) }
      undoLog.open?.changes.removeLast(failed.count)
      if isOutermost { closeGroup() }
      throw error
    }
  }

  private func closeGroup() {
    if isRecording { undoLog.close() } else { undoLog.open = nil }
  }

  /// Runs the body, whose changes are not part of any undo step. A group in it that throws is undone nevertheless.
  func withoutUndo<Result>(_ body: () throws -> Result) rethrows -> Result {
    let (wasRecording, open, isCollecting) = (isRecording, undoLog.open, undoLog.isCollecting)
    (isRecording, undoLog.open, undoLog.isCollecting) = (false, nil, false)
    defer { (isRecording, undoLog.open, undoLog.isCollecting) = (wasRecording, open, isCollecting) }
    return try body()
  }

  /// Closes the step that collects changes made outside of named groups, unless a group is running, whose changes
  /// belong together.
  func closeCollected() {
    if undoLog.isCollecting, undoLog.runningGroups == 0 { undoLog.close() }
  }

  private var hasCollected: Bool { undoLog.isCollecting && undoLog.open?.hasEffect == true }

  /// How many undo steps are kept, 200 by default. A new step drops the oldest ones beyond that. If this is 0, a
  /// change drops all steps and cannot be undone.
  public var undoLimit: Int {
    get { undoLog.limit }
    set { undoLog.limit = max(0, newValue) }
  }

  /// The step that ``undo()`` would undo; nil if there is none.
  private var nextUndo: UndoGroup? {
    if hasCollected { undoLimit > 0 ? undoLog.open : nil } else { undoLog.undo.last }
  }

  /// True when there is a step to undo.
  public var canUndo: Bool { nextUndo != nil }

  /// True when there is a step to redo.
  public var canRedo: Bool { !hasCollected && !undoLog.redo.isEmpty }

  /// The name of the step that ``undo()`` would undo, empty if it was not named; nil if there is no step.
  public var undoName: String? { nextUndo?.name }

  /// The name of the step that ``redo()`` would redo, empty if it was not named; nil if there is no step.
  public var redoName: String? { canRedo ? undoLog.redo.last?.name : nil }

  private var canReverse: Bool { undoLog.open == nil && isRecording }

  /// Undoes the most recent step in the context; the store has the result after the next save. Does nothing in the body
  /// of a group, named or not, and during a save.
  /// - Returns: whether a step was undone.
  @discardableResult public func undo() -> Bool {
    closeCollected()
    guard canReverse, let group = undoLog.undo.popLast() else { return false }
    undoLog.redo.append(reverse(group))
    return true
  }

  /// Redoes the most recently undone step. Does nothing in the body of a group and during a save.
  /// - Returns: whether a step was redone.
  @discardableResult public func redo() -> Bool {
    closeCollected()
    guard canReverse, let group = undoLog.redo.popLast() else { return false }
    undoLog.undo.append(reverse(group))
    return true
  }

  /// Undoes the most recent step, and checks for conflicts with changes that were saved elsewhere since: all unchanged
  /// objects are reread first. Does nothing in the body of a group and during a save.
  /// - Parameter policy: what to do about conflicts: `error` and `byProperty` refuse the undo, `storeWins` and
  ///   `rollback` keep what was saved, `objectWins` and `overwrite` undo the step anyway.
  /// - Returns: whether a step was undone.
  /// - Throws: `conflicts`, in whose fields `base` is what the step left, `mine` what undo would restore, and `theirs`
  ///   what is saved; for an object that the step inserted and others changed, `deleted` is `mine`. Also `store`.
  @discardableResult public func undo(_ policy: MergePolicy) throws(ObjectGraphError) -> Bool {
    closeCollected()
    guard canReverse, let group = undoLog.undo.last else { return false }
    let reversed = try reverse(group, policy)
    undoLog.undo.removeLast()
    undoLog.redo.append(reversed)
    return true
  }

  /// Redoes the most recently undone step, and checks for conflicts like ``undo(_:)``.
  /// - Returns: whether a step was redone.
  /// - Throws: as ``undo(_:)``.
  @discardableResult public func redo(_ policy: MergePolicy) throws(ObjectGraphError) -> Bool {
    closeCollected()
    guard canReverse, let group = undoLog.redo.last else { return false }
    let reversed = try reverse(group, policy)
    undoLog.redo.removeLast()
    undoLog.undo.append(reversed)
    return true
  }

  private func reverse(_ group: UndoGroup, _ policy: MergePolicy) throws(ObjectGraphError) -> UndoGroup {
    try refresh()
    let comparison = try translating {
      try withoutUndo { StepComparison(group, self, removed: try readObjects(of: group)) }
    }
    let refuses = policy == .error || policy == .byProperty
    if refuses, !comparison.conflicts.isEmpty { throw .conflicts(comparison.conflicts) }
    return try translating {
      if !policy.prefersStore { try withoutUndo { try recreate(comparison.missing) } }
      return reverse(group) { comparison.skips($0, keepsTheirs: policy.prefersStore) }
    }
  }

  /// Reads what a comparison with the store needs beyond what was refreshed.
  /// - Returns: deleted objects that cannot be restored, because their rows were removed elsewhere.
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
        try readValue(of: EntityAttribute(entity: object.entity, index: index), in: object)
      case .existence(let object, isLive: true) where !object.isUnreachable:
        for relationship in object.entity.relationships where relationship.isManyToMany {
          try loadList(object, relationship)
        }
      default: break
      }
    }
    return removed
  }

  /// Recreates objects that others deleted, under their old ids. This is not part of the step.
  private func recreate(_ objects: [ManagedObject]) throws {
    for object in objects {
      guard source.marksDeletions(of: object.entity) else {
        try revive(object)
        continue
      }
      let row = try source.markedSnapshots(of: [object.objectID])[object.objectID]
      let stored = try row.map { try values(of: object, in: $0) } ?? []
      update(object) { state in
        state.isLive = true
        state.isMissing = false
        state.isMarked = row != nil
        state.version = row?.version ?? state.version
        for (index, value) in stored { state.committedValues[index] = value }
      }
      if row == nil {
        try insertParts(of: object)
      } else {
        try rereadParts(ofMarked: object)
        // Lists that the store kept are read again when they are next accessed.
        for relationship in object.entity.relationships
        where relationship.isToMany && !object.state.lists[relationship.index].hasDelta {
          update(object) { $0.lists[relationship.index] = MemberList() }
        }
      }
      touch(object)
    }
  }

  /// Removes all undo and redo steps, including collected changes, but not a group that is running.
  public func removeAllUndoSteps() {
    closeCollected()
    undoLog.undo = []
    undoLog.redo = []
    undoLog.saved = ([], [])
  }

  /// Reverts to what was last read or saved, and to the undo and redo steps as they were at the last save.
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

  func apply(_ change: Change) {
    perform(change)
    undoLog.open?.append(change)
  }

  /// Makes a change, unless a merge or a refresh has already made it.
  private func perform(_ change: Change) {
    switch change {
    case .attribute(let object, let index, let old, let new):
      // The value only belongs to a change of an atomic entity, and may have been saved elsewhere since it was read.
      if old == new, object.state.unread.contains(index) { return }
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
      update(object) { state in
        state.isLive = isLive
        if isLive { state.isMissing = false }
      }
      touch(object)
    }
  }

  /// Makes both ends of relationships agree again when a merge or a refresh came between a step and its undo. To-ones
  /// win; lists follow.
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
