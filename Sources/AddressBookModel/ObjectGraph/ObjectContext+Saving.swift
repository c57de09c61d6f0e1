import Contacts
import GRDB

extension ObjectContext {
  /// Saves all changes, or none of them.
  ///
  /// Everything is validated first; then one IMMEDIATE transaction checks that nobody else saved the objects meanwhile
  /// and writes. After an error the context has its changes still, and the store has none of them.
  public func save() throws(SaveError) {
    undoLog.close()
    var attempts = 0
    while true {
      let work = try pendingWork()
      guard !work.objects.isEmpty else {
        pinned.removeAll()
        undoLog.saved = (undoLog.undo, undoLog.redo)
        return
      }
      do {
        finish(work, try source.commit(work, of: self))
        return
      } catch SaveError.conflict(let conflict) where parent == nil && attempts < 5 {
        // Merged with what the store has now; somebody may write again before the next attempt.
        attempts += 1
        try merge(conflict)
      } catch {
        throw error
      }
    }
  }

  /// What is wrong with the changes, errors and warnings, before anybody saves.
  public func issues() throws(StoreError) -> [ValidationIssue] {
    var issues: [ValidationIssue] = []
    for object in inOrder(changedObjects) {
      if object.pending == .deletion {
        issues += try AttributeRules.issuesOfDeletion(of: object)
      } else {
        issues += try AttributeRules.issues(in: object)
        issues += try object.issues()
      }
    }
    // A whole is checked when only a part of it changed.
    for root in try roots(of: changedObjects) where root.isLive && root.pending == .nothing {
      issues += try root.issues()
    }
    return issues
  }

  private func pendingWork() throws(SaveError) -> PendingWork {
    do {
      let errors = try issues().filter { $0.severity == .error }
      guard errors.isEmpty else { throw SaveError.invalid(errors) }
      var work = PendingWork()
      work.objects = inOrder(changedObjects)
      work.roots = try roots(of: work.objects)
      for root in work.roots where root.isLive { work.derived[root.objectID] = try root.derivedColumns() }
      return work
    } catch let error as StoreError {
      throw .store(error)
    } catch let error as SaveError {
      throw error
    } catch {
      throw .store(StoreError(error, path: ""))
    }
  }

  /// In the order in which rows can be inserted, and by age inside an entity.
  private func inOrder(_ objects: [ManagedObject]) -> [ManagedObject] {
    let groups = Dictionary(grouping: objects, by: \.entity.name)
    return model.insertionOrder.flatMap { entity in
      (groups[entity.name] ?? []).sorted { Self.age($0.objectID) < Self.age($1.objectID) }
    }
  }

  private static func age(_ id: ObjectID) -> UInt64 {
    switch id.key {
    case .row(let row): return UInt64(bitPattern: row)
    case .temporary(let number): return UInt64.max / 2 + number
    }
  }

  /// The objects that keep a version, among the changed ones and the owners of changed parts.
  func roots(of objects: [ManagedObject]) throws(StoreError) -> [ManagedObject] {
    var roots: [ObjectID: ManagedObject] = [:]
    var others: Set<ObjectID> = []
    for object in objects {
      if object.entity.bookkeeping != nil { roots[object.objectID] = object }
      if let owner = object.entity.owner {
        let place = object.entity.place(ofRelationship: owner)
        others.formUnion([object.links[place], object.committedLinks[place]].compactMap { $0.map(canonical) })
      }
      // A person's groups are a part of the person, a group's members are not a part of the group: the end that keeps
      // the moment of its last change is the one that a pair changes.
      for (relationship, list) in zip(object.entity.relationships, object.lists) {
        guard case .join = relationship.storage, let list,
          model.entity(relationship.destination).bookkeeping?.modified != nil
        else { continue }
        others.formUnion(Set(list.ids).symmetricDifference(list.committed).map(canonical))
      }
    }
    var missing: [ObjectID] = []
    for id in others where roots[id] == nil {
      if let known = registeredObject(id) { roots[id] = known } else { missing.append(id) }
    }
    for object in try self.objects(missing) { roots[object.objectID] = object }
    return inOrder(roots.values.filter { $0.entity.bookkeeping != nil })
  }

  private func finish(_ work: PendingWork, _ result: CommitResult) {
    let objects = Array(pinned.values)
    for root in work.roots { if let version = result.versions[root.objectID] { root.version = version } }
    for (old, row) in result.rows { rename(old, to: row) }
    for object in objects {
      if let row = result.rows[object.objectID] { object.objectID = row }
    }
    for root in work.roots where parent == nil && (root.isLive || root.exists) {
      if root.created.isEmpty, root.isLive { root.created = result.moment }
      root.modified = result.moment
    }
    for object in objects { settle(object) }
    pinned.removeAll()
    undoLog.saved = (undoLog.undo, undoLog.redo)
  }

  /// What the object is now, is what the store has.
  private func settle(_ object: ManagedObject) {
    object.exists = object.isLive
    object.committedValues = object.values
    object.links = object.links.map { $0.map(canonical) }
    object.committedLinks = object.links
    for place in object.lists.indices {
      guard var list = object.lists[place] else { continue }
      list.ids = list.ids.map(canonical)
      // The store knows nothing of what never had a row.
      list.committed = parent != nil ? list.ids : object.objectID.row == nil ? [] : list.ids.filter { $0.row != nil }
      let present = Set(list.ids)
      list.held.removeAll { !present.contains($0.objectID) }
      object.lists[place] = list
    }
    object.externals = object.externals.map { $0.map { ExternalValue(committed: $0.value, value: $0.value) } }
  }
}
