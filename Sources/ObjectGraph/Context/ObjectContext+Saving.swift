import GRDB

/// Saving: merge with what others saved, validate the result, write it.
extension ObjectContext {
  /// Saves every change. A context with a parent saves into the parent, as one undo step there.
  ///
  /// A refused save leaves the context with its changes and its undo steps.
  /// - Throws: `validation` with every issue, `conflicts`, `store`, `host`; `refused` if `willSave()` or a save hook
  ///   throws; `deletedObject` if an object that was changed here is deleted in the parent.
  public func save() throws(ObjectGraphError) {
    try throwFailure()
    closeCollected()
    try translating {
      guard hasChanges else {
        // Nothing to write, but a later rollback returns to this state: objects that were inserted and deleted again
        // stay deleted.
        commit([:])
        return
      }
      try save(inTransactionsOf: []) {}
    }
  }

  /// Runs the body without making undo steps. If it throws, all objects get their states back.
  private func restoringOnError(_ body: () throws -> Void) throws {
    journal = [:]
    defer { journal = nil }
    let before = touched
    do {
      try withoutUndo(body)
    } catch {
      for (object, state) in journal?.values ?? [:].values { object.state = state }
      touched = before
      throw error
    }
  }

  /// Makes changes and saves them, with those made before, in one transaction: what `change` reads is what is saved now,
  /// and nobody else writes before the save has ended. Objects that were read earlier must be refreshed in `change`.
  ///
  /// What `change` does is no undo step. A refused save leaves the context as it was before the call.
  /// - Parameters:
  ///   - entities: the names of entities whose stores are locked.
  ///   - change: makes the changes.
  /// - Throws: `unknownEntity`; `refused` with the error of `change`; otherwise as ``save()``.
  public func save<Value>(
    locking entities: [String], _ change: () throws -> Value
  ) throws(ObjectGraphError) -> Value {
    try throwFailure()
    closeCollected()
    return try translating {
      var value: Value?
      let entities = try entities.map { try model.entity($0) }
      try save(inTransactionsOf: entities) { value = try refusing(change) }
      guard let value else { preconditionFailure("the save did not make the changes") }
      return value
    }
  }

  /// Makes changes and saves them with those made before, in transactions of the stores that keep these entities and
  /// those of changed objects; or in the parent.
  private func save(inTransactionsOf entities: [Entity], _ change: () throws -> Void) throws {
    if let parent {
      return try restoringOnError {
        try change()
        try validate(orderedChanges)
        try save(into: parent)
        commit([:])
      }
    }
    guard let source = source as? StackSource else { return }
    var entities = entities
    for object in touched.values where !entities.contains(object.entity) && object.isChanged {
      entities.append(object.entity)
    }
    while true {
      do {
        return try restoringOnError { try save(into: source, entities, change) }
      } catch let missing as MissingTransactions {
        // Transactions are always opened in the order of the stores, so that two saves cannot deadlock.
        entities += missing.entities
      }
    }
  }

  /// Thrown when `willSave()` changed objects of stores without a transaction: the save starts again.
  private struct MissingTransactions: Error {
    let entities: [Entity]
  }

  /// Saves in a transaction of every store that keeps one of these entities.
  private func save(into source: StackSource, _ entities: [Entity], _ change: () throws -> Void) throws {
    var numbers: [ObjectID: Int64] = [:]
    var versions: [ObjectID: Int64] = [:]
    try source.write(entities) { writers in
      try change()
      guard hasChanges else { return }
      let changed = try prepare(source)
      let missing = changed.map(\.entity).filter { writers[ObjectIdentifier(source.stack.store(of: $0))] == nil }
      guard missing.isEmpty else { throw MissingTransactions(entities: missing) }
      // An insertion writes all values, even into a marked row.
      for object in changed where object.isInserted { try readValues(of: object) }
      try validate(changed)
      let databases = source.stack.stores.compactMap { writers[ObjectIdentifier($0)]?.database }
      for database in databases { try refusing { try saveHooks?.willWrite(database) } }
      for store in source.stack.stores {
        guard let writer = writers[ObjectIdentifier(store)] else { continue }
        let objects = changed.filter { source.stack.store(of: $0.entity) === store }
        var collector = ChangeCollector(objects, numbers: numbers)
        try collector.reserveNumbers(writer, store)
        try writer.apply(collector.changes())
        numbers = collector.numbers
        // Triggers may have changed the versions.
        guard store.hasTriggers else { continue }
        versions.merge(
          try source.writtenVersions(of: objects.filter(\.isWritten).map { savedID(of: $0, numbers) })
        ) { $1 }
      }
      for database in databases {
        try refusing { try saveHooks?.didWrite(database) { savedID(of: $0, numbers).number } }
      }
    }
    commit(numbers, versions)
  }

  /// Runs the program's own code and wraps its errors in `refused`, except `DatabaseError` and `ObjectGraphError`. Throws
  /// what a property could not.
  func refusing<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      let value = try body()
      try throwFailure()
      return value
    } catch let error as DatabaseError {
      throw error
    } catch {
      throw (error as? ObjectGraphError) ?? .refused(error)
    }
  }

  /// Changed objects in the same order for every store: first those that were read, by entity and number, then those
  /// inserted in this context, in the order of insertion.
  var orderedChanges: [ManagedObject] {
    changedObjects.map { (key: ($0.insertionOrder, $0.entity.index, $0.objectID.number ?? 0), object: $0) }
      .sorted { $0.key < $1.key }.map(\.object)
  }

  /// Merges and calls `willSave()` until no further object changes.
  /// - Returns: the changed objects in their order.
  private func prepare(_ source: StackSource) throws -> [ManagedObject] {
    var called: Set<ObjectIdentifier> = []
    var missing: ObjectGraphError?
    while true {
      try raiseOwners()
      try merge(source)
      let changed = orderedChanges
      let count = updateCount
      for object in changed where !object.isUnreachable {
        guard called.insert(ObjectIdentifier(object)).inserted else { continue }
        do {
          try object.willSave()
          try throwFailure()
        } catch let error as ObjectGraphError where error.isAboutNil(in: object) {
          missing = error
        } catch {
          throw (error as? ObjectGraphError) ?? .refused(error)
        }
      }
      guard updateCount == count else { continue }
      // The validation says that a value is missing, and what else is wrong.
      guard let missing else { return changed }
      try validate(changed)
      throw missing
    }
  }

  /// Makes the save increment the version of each owner with changed, added, removed or reordered parts, and of each
  /// object with changed members in a relationship with `raisesVersion`.
  private func raiseOwners() throws {
    var parts: [ManagedObject] = []
    func raise(_ owner: ManagedObject) throws {
      try fire(owner)
      guard owner.state.isLive, owner.state.existence == .exists, !owner.state.raisesVersion else { return }
      update(owner) { $0.raisesVersion = true }
      touch(owner)
      parts.append(owner)
    }
    for object in Array(touched.values) {
      let lists = object.entity.versionedLists
      guard !lists.isEmpty || object.entity.owner != nil, object.isChanged else { continue }
      parts.append(object)
      let isRaised = lists.contains { relationship in
        let list = object.state.lists[relationship.index]
        return list.hasDelta && relationship.description.raisesVersion
          || relationship.isOrdered && relationship.isPartList && list.isReordered
      }
      if isRaised { try raise(object) }
    }
    while let part = parts.popLast() {
      guard let index = part.entity.owner?.index else { continue }
      for case let owner? in [part.state.ones[index], part.state.committedOnes[index]] { try raise(owner) }
    }
  }

  private func savedID(of object: ManagedObject, _ numbers: [ObjectID: Int64]) -> ObjectID {
    let old = object.objectID
    return numbers[old].map { ObjectID(store: old.store, entity: old.entity, key: .permanent($0)) } ?? old
  }

  /// Records that the source now has everything as it is here.
  private func commit(_ numbers: [ObjectID: Int64], _ versions: [ObjectID: Int64] = [:]) {
    for (id, number) in numbers {
      rename(id, to: ObjectID(store: id.store, entity: id.entity, key: .permanent(number)))
    }
    let source = source as? StackSource
    for object in touched.values {
      // A row that is marked as deleted still counts its saves, and continues from there when it is restored.
      if object.isWritten {
        let next = source?.keepsVersions(of: object.entity) == false ? 0 : object.state.version + 1
        object.state.version = versions.isEmpty ? next : versions[object.objectID] ?? next
      }
      guard object.state.existence != .unknown || object.isListChanged else { continue }
      object.commit(marks: self.source.marksDeletions(of: object.entity))
      object.state.raisesVersion = false
    }
    touched.removeAll()
    undoLog.save()
  }
}

extension ObjectGraphError {
  /// Whether a property found nil in a required attribute of an object.
  fileprivate func isAboutNil(in object: ManagedObject) -> Bool {
    guard case .typeMismatch(let entity, let name) = self, entity == object.entity.name,
      let attribute = object.entity.attribute(named: name), !attribute.description.isOptional
    else { return false }
    return object.state.values[attribute.index].isNull
  }
}

extension ManagedObject {
  /// True when a save writes the object's row.
  fileprivate var isWritten: Bool {
    state.isLive ? state.existence == .absent || isRowChanged : state.existence == .exists
  }

  /// - Parameter marks: whether the row of a deleted object stays.
  fileprivate func commit(marks: Bool) {
    if state.existence != .unknown {
      if state.isLive {
        state.isMarked = false
      } else if state.existence == .exists {
        state.isMarked = marks
      }
      state.existence = state.isLive ? .exists : .absent
      state.committedValues = state.values
      state.committedOnes = state.ones.map { $0?.storable }
    }
    for (index, relationship) in entity.record.relationships.enumerated() where relationship.description.isToMany {
      state.lists[index].commit(isOrdered: relationship.description.isOrdered)
    }
  }
}
