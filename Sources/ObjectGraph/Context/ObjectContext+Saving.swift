/// Saving: merge with what others saved, validate the result, write it; all or nothing.
extension ObjectContext {
  /// Saves every change. A context with a parent saves into the parent, where the whole is one step of undo.
  ///
  /// A save that is refused leaves the context with its changes and its steps.
  /// - Throws: `validation` with every issue, `conflicts`, `store`.
  public func save() throws(ObjectGraphError) {
    try translating {
      guard hasChanges else {
        // Objects that were inserted and deleted are as they are for the steps that a rollback goes back to.
        commit([:])
        return
      }
      journal = [:]
      isRecording = false
      defer {
        journal = nil
        isRecording = true
      }
      let before = touched
      do {
        if let parent {
          try validate()
          try save(into: parent)
          commit([:])
        } else {
          try saveToStores()
        }
      } catch {
        for (object, state) in journal?.values ?? [:].values { object.state = state }
        touched = before
        throw error
      }
    }
  }

  private func saveToStores() throws {
    guard let source = source as? StackSource else { return }
    var numbers: [ObjectID: Int64] = [:]
    try source.write(changedObjects.map(\.entity)) { writers in
      try merge(source)
      try validate()
      for store in source.stack.stores {
        guard let writer = writers[ObjectIdentifier(store)] else { continue }
        var collector = ChangeCollector(touched.values.filter { source.stack.store(of: $0.entity) === store })
        try collector.reserveNumbers(writer)
        try writer.apply(collector.changes())
        numbers.merge(collector.numbers) { first, _ in first }
      }
    }
    commit(numbers)
  }

  private func keepsVersions(of entity: Entity) -> Bool {
    (source as? StackSource)?.keepsVersions(of: entity) ?? true
  }

  /// The source has everything as it is here.
  private func commit(_ numbers: [ObjectID: Int64]) {
    for object in touched.values {
      let old = object.objectID
      if let number = numbers[old] {
        rename(old, to: ObjectID(store: old.store, entity: old.entity, key: .permanent(number)))
      }
    }
    for object in touched.values {
      if object.isRowChanged || object.state.existence == .absent {
        object.state.version = keepsVersions(of: object.entity) ? object.state.version + 1 : 0
      }
      guard object.state.existence != .unknown || object.isListChanged else { continue }
      object.commit()
    }
    touched.removeAll()
    undoLog.saved = (undoLog.undo, undoLog.redo)
  }
}

extension ManagedObject {
  fileprivate func commit() {
    if state.existence != .unknown {
      state.existence = state.isLive ? .exists : .absent
      state.committedValues = state.values
      state.committedOnes = state.ones.map { $0?.storable }
    }
    for relationship in entity.relationships where relationship.isToMany {
      state.lists[relationship.index].commit(isOrdered: relationship.isOrdered)
    }
  }
}
