import GRDB

/// A scratch pad on the book: objects are read into it, changed in it, and saved together or not at all.
///
/// One object stands for each row. Every change is recorded and can be undone, also after a save. A context and its
/// objects belong to one thread; work in the background makes a context of its own.
public final class ObjectContext {
  /// The entities.
  public let model: ObjectModel
  /// The context that this one saves to; nil when it saves to the store.
  public let parent: ObjectContext?
  /// What a save does about objects that somebody else saved meanwhile.
  public var mergePolicy = MergePolicy.byField

  let source: any ObjectSource
  var undoLog = UndoLog()
  /// Objects with changes that were not saved; the registry alone would let them go.
  var pinned: [ObjectID: ManagedObject] = [:]
  private var registered: [ObjectID: WeakObject] = [:]
  private var renamed: [ObjectID: ObjectID] = [:]
  private var sweepAt = 4096
  /// What was prefetched last; nothing else might hold it.
  private var prefetched: [ManagedObject] = []

  init(model: ObjectModel, source: any ObjectSource, parent: ObjectContext? = nil) {
    self.model = model
    self.source = source
    self.parent = parent
  }

  /// A context that reads from this one and saves to it, as one step of undo: what a form edits.
  public func makeChild() -> ObjectContext {
    ObjectContext(model: model, source: ParentSource(self), parent: self)
  }

  /// True when a save would do something.
  public var hasChanges: Bool { pinned.values.contains { $0.pending != .nothing } }

  /// Objects with something to save.
  public var changedObjects: [ManagedObject] { pinned.values.filter { $0.pending != .nothing } }

  // MARK: - Objects

  /// The object of an id, or nil when there is none or it is deleted here or in the store.
  public func object(_ id: ObjectID) throws(StoreError) -> ManagedObject? {
    try objects([id]).first
  }

  /// The objects of these ids in this order, read in one query an entity; those that do not exist are left out.
  public func objects(_ ids: [ObjectID]) throws(StoreError) -> [ManagedObject] {
    let ids = ids.map(canonical)
    // Held here, or the weak registry might let them go before they are returned.
    var found: [ObjectID: ManagedObject] = [:]
    var missing: [String: [ObjectID]] = [:]
    for id in ids {
      if let object = registeredObject(id) { found[id] = object } else { missing[id.entity, default: []].append(id) }
    }
    for (entity, wanted) in missing {
      let description = model.entity(entity)
      for (id, snapshot) in try source.snapshots(of: description, wanted, deleted: false) {
        found[id] = register(description, id, snapshot)
      }
    }
    return ids.compactMap { found[$0] }.filter(\.isLive)
  }

  /// An object that was deleted and saved, ready for ``restore(_:)``; nil when there is none to bring back.
  public func deletedObject(_ id: ObjectID) throws(StoreError) -> ManagedObject? {
    let id = canonical(id)
    if let object = registeredObject(id) { return object.isLive ? nil : object }
    let entity = model.entity(id.entity)
    guard entity.bookkeeping?.deleted != nil, try source.snapshots(of: entity, [id], deleted: false).isEmpty,
      let snapshot = try source.snapshots(of: entity, [id], deleted: true)[id]
    else { return nil }
    let object = register(entity, id, snapshot)
    object.isLive = false
    object.exists = false
    return object
  }

  /// Reads what the relationships of all these objects lead to in one query a relationship, before a screen or an export
  /// touches it: the objects of to-one relationships, which the context keeps until the next call, and the lists of the
  /// others.
  public func prefetch(_ relationships: [String], of objects: [ManagedObject]) throws(StoreError) {
    var found: [ManagedObject] = []
    for (name, group) in Dictionary(grouping: objects, by: \.entity.name) {
      let entity = model.entity(name)
      for relationship in relationships {
        let place = entity.place(ofRelationship: relationship)
        if entity.relationships[place].isToOne {
          found += try self.objects(Array(Set(group.compactMap { $0.links[place].map(canonical) })))
        } else {
          try loadLists(group, place)
        }
      }
    }
    prefetched = found
  }

  /// Reads again what has no changes here, after somebody else wrote the store. Objects that are gone are not live any more.
  public func refresh() throws(StoreError) {
    var clean: [String: [ManagedObject]] = [:]
    for (id, box) in registered where pinned[id] == nil {
      if let object = box.object, id.row != nil, !holdsPinned(object) { clean[id.entity, default: []].append(object) }
    }
    for (entity, objects) in clean {
      let snapshots = try source.snapshots(of: model.entity(entity), objects.map(\.objectID), deleted: false)
      for object in objects { object.adopt(snapshots[object.objectID]) }
    }
  }

  private func holdsPinned(_ object: ManagedObject) -> Bool {
    object.lists.contains { $0?.held.contains { pinned[$0.objectID] != nil } == true }
  }

  // MARK: - Registry

  func canonical(_ id: ObjectID) -> ObjectID {
    guard case .temporary = id.key else { return id }
    return renamed[id] ?? source.canonical(id)
  }

  func rename(_ id: ObjectID, to row: ObjectID) {
    renamed[id] = row
    registered[row] = registered.removeValue(forKey: id)
    if let object = pinned.removeValue(forKey: id) { pinned[row] = object }
  }

  func registeredObject(_ id: ObjectID) -> ManagedObject? { pinned[id] ?? registered[id]?.object }

  /// The object of a row that was read: the one that is there already, or a new one.
  func register(_ entity: EntityDescription, _ id: ObjectID, _ snapshot: Snapshot) -> ManagedObject {
    if let object = registeredObject(id) { return object }
    let object = entity.makeObject(self, id)
    object.adopt(snapshot)
    enter(object)
    return object
  }

  func enter(_ object: ManagedObject) {
    if registered.count > sweepAt {
      registered = registered.filter { $0.value.object != nil }
      sweepAt = max(4096, registered.count * 2)
    }
    registered[object.objectID] = WeakObject(object: object)
  }
}

extension ManagedObject {
  /// Takes over what the source has now and forgets what was loaded; nil when it is gone.
  func adopt(_ snapshot: Snapshot?) {
    exists = snapshot != nil
    isLive = exists
    guard let snapshot else { return }
    noteForeignWrite(snapshot)
    values = snapshot.values
    committedValues = snapshot.values
    links = snapshot.links
    committedLinks = snapshot.links
    version = snapshot.version
    created = snapshot.created
    modified = snapshot.modified
    lists = entity.relationships.map { _ in nil }
    externals = entity.externals.map { _ in nil }
  }
}

extension ManagedObject {
  /// Counts what somebody else wrote since the object was read or saved here.
  func noteForeignWrite(_ snapshot: Snapshot) {
    let isForeign: Bool
    if entity.bookkeeping != nil {
      isForeign = snapshot.version != version
    } else {
      let order = owningModel?.orderPlaces(of: entity) ?? []
      isForeign =
        snapshot.links != committedLinks
        || values.indices.contains { !order.contains($0) && snapshot.values[$0] != committedValues[$0] }
    }
    if isForeign { foreignWrites += 1 }
  }
}

private struct WeakObject {
  weak var object: ManagedObject?
}
