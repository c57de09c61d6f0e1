import Foundation

/// Fetching. A fetch finds what is saved now, with the unsaved changes of the context and its parents on top. Objects
/// that the context has read before are not reread.
extension ObjectContext {
  /// Returns the objects of a request; its ``ObjectFetchRequest/result`` is ignored. Deleted objects are ready for
  /// ``restore(_:)``; those that are not deleted in this context, such as restored ones, are left out.
  /// - Throws: `predicate`, `unknownEntity`, `badRequest`, `wrongKind`, `store`.
  public func fetch(_ request: ObjectFetchRequest) throws(ObjectGraphError) -> [ManagedObject] {
    var request = request
    request.result = .objects
    let checked = try CheckedRequest(request, model: model)
    return try translating {
      if request.onlyDeleted {
        guard case .objects(let ids) = try find(checked, onRow: nil) else { return [] }
        return try deletedObjects(ids)
      }
      var read: [ManagedObject] = []
      let readsRows = !request.returnsObjectsAsFaults && source is StackSource
      expect(min(request.limit, 1000) * 2)
      let onRow = { (row: ObjectRow) in read.append(self.materialize(row)) }
      guard case .objects(let ids) = try find(checked, onRow: readsRows ? onRow : nil) else { return [] }
      // Unsaved changes may have added objects that were not read.
      let isComplete = read.count == ids.count && zip(read, ids).allSatisfy { $0.objectID == $1 }
      let objects =
        isComplete
        ? read
        : try withExtendedLifetime(read) { try self.objects(found: ids, asFaults: request.returnsObjectsAsFaults) }
      try prefetch(request.prefetch, of: objects)
      return objects
    }
  }

  /// Returns the objects of a request, cast to a class: `context.fetch(request, as: Student.self)`.
  /// - Throws: the same as ``fetch(_:)-(ObjectFetchRequest)``; `unknownEntity` when an object that was found is of another class.
  public func fetch<Object: ManagedObject>(
    _ request: ObjectFetchRequest, as type: Object.Type
  ) throws(ObjectGraphError) -> [Object] {
    let objects = try fetch(request)
    var entity: Entity?
    for object in objects where object.entity != entity {
      guard object is Object else { throw .unknownEntity(String(describing: type)) }
      entity = object.entity
    }
    // All objects of an entity have the same class, so one check for each run of them is enough. The memory layout of
    // the array does not depend on the class; an ordinary cast would check each object and copy the array.
    return unsafeBitCast(objects, to: [Object].self)
  }

  /// Returns the number of objects that a request would find.
  /// - Throws: the same as ``fetch(_:)-(ObjectFetchRequest)``.
  public func count(_ request: ObjectFetchRequest) throws(ObjectGraphError) -> Int {
    var request = request
    request.result = .count
    guard case .count(let count) = try result(of: request) else { return 0 }
    return count
  }

  /// Returns the rows of a request for dictionaries.
  /// - Throws: the same as ``fetch(_:)-(ObjectFetchRequest)``.
  public func dictionaries(_ request: ObjectFetchRequest) throws(ObjectGraphError) -> [[String: Value]] {
    var request = request
    request.result = .dictionaries
    guard case .dictionaries(let rows) = try result(of: request) else { return [] }
    return rows
  }

  /// Returns the result of a request: object ids, a number, or rows.
  /// - Throws: the same as ``fetch(_:)-(ObjectFetchRequest)``.
  public func result(of request: ObjectFetchRequest) throws(ObjectGraphError) -> FetchResult {
    let checked = try CheckedRequest(request, model: model)
    return try translating { try find(checked, onRow: nil) }
  }

  /// Returns the results of several requests, all from one snapshot of each store.
  /// - Throws: the same as ``fetch(_:)-(ObjectFetchRequest)``.
  public func results(of requests: [ObjectFetchRequest]) throws(ObjectGraphError) -> [FetchResult] {
    var checked: [CheckedRequest] = []
    for request in requests { checked.append(try CheckedRequest(request, model: model)) }
    return try translating { try find(checked) }
  }

  // MARK: -

  /// The chain of contexts, from the root context down to this one.
  private var line: [ObjectContext] { (parent?.line ?? []) + [self] }

  private func find(_ request: CheckedRequest, onRow: ((ObjectRow) -> Void)?) throws -> FetchResult {
    try find([request], onRow: onRow).first ?? .objects([])
  }

  private func find(_ requests: [CheckedRequest], onRow: ((ObjectRow) -> Void)? = nil) throws -> [FetchResult] {
    try throwFailure()
    guard let source = line[0].source as? StackSource else { return [] }
    // This may read the store, and a read cannot be nested in the one below.
    let seesChanges = requests.contains(where: \.request.seesPendingChanges)
    let kept = seesChanges ? try line.flatMap { try $0.partsOfDeletedObjects() } : []
    var results: [Int: FetchResult] = [:]
    for (store, group) in try Dictionary(
      grouping: requests.enumerated(), by: { try source.storeIdentifier(of: $0.element.entity) })
    {
      try source.read(group[0].element.entity.root) { reader in
        for (index, request) in group {
          let contexts = request.request.seesPendingChanges ? line : []
          let kept = contexts.isEmpty ? [] : kept
          var pending = PendingChanges(of: contexts)
          pending.deleted += kept.map(\.objectID)
          let graph = try overlay(reader, of: contexts, store: store, kept)
          var run = RequestRun(request, store: store, pending: pending, reader: graph, resolve: currentID)
          if request.request.onlyDeleted {
            run.excluded = liveObjects(of: request.entity.root).compactMap(\.number)
          }
          results[index] = try reader.result(run, onRow: onRow)
        }
      }
    }
    return requests.indices.compactMap { results[$0] }
  }

  /// Parts that a deletion leaves in the store, to be restored with the deleted object.
  private func partsOfDeletedObjects() throws -> [ManagedObject] {
    var parts: [ManagedObject] = []
    for object in changedObjects where !object.state.isLive && object.state.existence == .exists {
      for relationship in object.entity.relationships where !relationship.isManyToMany && isKept(relationship) {
        if relationship.isToMany { try loadList(object, relationship) }
        parts += object.references(by: relationship).filter(\.state.isLive)
      }
    }
    return parts
  }

  /// Returns a reader of the saved state with the changes of the contexts on top, a child's over its parent's.
  private func overlay(
    _ reader: any StoreReader, of contexts: [ObjectContext], store: UUID, _ kept: [ManagedObject]
  ) throws -> OverlayReader {
    var numbers: [ObjectID: Int64] = [:]
    var changes: [StoreChanges] = []
    for context in contexts {
      let objects = context.orderedChanges.filter { $0.objectID.store == store }
      var collector = ChangeCollector(objects, numbers: numbers)
      let unnumbered = objects.filter { $0.objectID.isTemporary && numbers[$0.objectID] == nil }
      // The store never assigns such large numbers. They follow the order of insertion.
      collector.number(unnumbered, from: .max / 2 + Int64(numbers.count))
      numbers = collector.numbers
      changes.append(collector.changes())
    }
    var last = StoreChanges()
    last.deletions = kept.filter { $0.objectID.store == store }.compactMap { part in
      part.objectID.number.map { StoreChanges.Deletion(entity: part.entity, number: $0) }
    }
    changes.append(last)
    return try OverlayReader(reader, store: store, changes: changes, numbers: numbers)
  }

  /// Returns the objects with these ids. A request without pending changes may find objects that are deleted here.
  private func objects(found ids: [ObjectID], asFaults: Bool) throws -> [ManagedObject] {
    if asFaults {
      return ids.compactMap { id in model.entity(named: id.entity).map { handle(id, $0) } }
    }
    let missing = ids.filter { registered($0) == nil }
    let read = try objects(missing)
    return withExtendedLifetime(read) { ids.compactMap(registered) }
  }
}

extension PendingChanges {
  /// Collects the unsaved changes of contexts, each the parent of the next.
  fileprivate init(of contexts: [ObjectContext]) {
    self.init()
    for object in contexts.flatMap(\.orderedChanges) {
      if !object.state.isLive {
        deleted.append(object.objectID)
      } else if object.isInserted {
        inserted.append(object.objectID)
      } else {
        changed.append(object.objectID)
      }
    }
  }
}
