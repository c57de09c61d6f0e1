import Foundation
import GRDB

/// A scratch pad on top of a stack: objects are read into it, changed in it, and saved together.
///
/// A context has one instance for each object. Changes can be undone, even after a save. A context keeps what it has
/// read until it is refreshed or a save merges what others saved. Only its children see its unsaved changes.
///
/// A context is confined to one isolation domain, as are its objects and its children: it is not `Sendable`, and takes
/// no locks. Code elsewhere makes its own context from the ``ObjectStack``, which is `Sendable`.
///
/// The context keeps objects with unsaved changes or undo steps alive. Others live as long as something holds them, or
/// holds a related object that was read.
public final class ObjectContext {
  /// The model of the stack.
  public let model: ObjectModel
  /// The context that this one reads from and saves to; nil if that is the stack.
  public let parent: ObjectContext?
  /// How a save into the stores treats objects that were saved elsewhere in the meantime. A context with a parent does
  /// not use it.
  public var mergePolicy: MergePolicy
  /// The owner of the context, for use by the methods of its objects.
  public weak var owner: AnyObject?
  /// The maximum number of faults that are read together when one of them is accessed.
  public var faultBatchSize = 100

  /// Whether changes outside of named groups are collected into one step, until a named group, a save, an undo or a
  /// redo that is not in the body of an unnamed group. Otherwise each change outside of a group is a step.
  public var collectsChanges = false

  /// The first error of a property of an ``Object`` since the last save or fetch; the next save, fetch or insertion
  /// throws it.
  public internal(set) var failure: ObjectGraphError?

  /// The program's own code inside the transactions of this context's saves.
  public var saveHooks: SaveHooks?

  /// The stack that the context reads from and saves to, itself or through its parents.
  package var stack: ObjectStack { source.stack }

  let source: any ObjectSource
  var undoLog = UndoLog()
  /// Objects that were changed since the last save, including those that were changed back.
  var touched: [ObjectIdentifier: ManagedObject] = [:]
  /// Whether a group becomes an undo step.
  var isRecording = true
  var insertionCount = 0
  /// The reference that the objects have to this context.
  let contextHandle = ContextHandle()
  // Unchecked in release builds, for the same reason as `ManagedObject.state`.
  /// The objects of this context, by id. They remove themselves when they are deallocated: making a weak reference
  /// to an object would take longer than the rest of reading it.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private var registry = ObjectRegistry()
  /// The permanent ids of objects, by their earlier temporary ids.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private var permanentIDs: [ObjectID: ObjectID] = [:]
  /// Faults by the index of their root entity, to be read together; some may have been read or deallocated since.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private var faults: [[ObjectID]]
  /// What to restore if a save is refused; nil when no save is running.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  var journal: [ObjectIdentifier: (object: ManagedObject, state: ObjectState)]?
  /// The number of changes to states, to notice that there was one.
  private(set) var updateCount = 0
  private var children: [WeakContext] = []
  /// The pages of lists that were read last, held for the cells that will ask for their objects.
  private var pages: [[ManagedObject]] = []
  /// The arrays that the states of faults share, by the index of the entity.
  private let blankArrays: [ObjectState.BlankArrays]

  init(model: ObjectModel, source: any ObjectSource, parent: ObjectContext?, mergePolicy: MergePolicy) {
    self.model = model
    self.source = source
    self.parent = parent
    self.mergePolicy = mergePolicy
    blankArrays = model.entities.map { ObjectState.BlankArrays($0) }
    faults = model.entities.map { _ in [] }
    contextHandle.context = self
  }

  deinit {
    contextHandle.context = nil
    // Objects that were read refer to one another in cycles. They are all held until every reference is cut; otherwise
    // a long chain would be released in one deep recursion.
    let objects = registeredObjects + touched.values
    for object in objects { object.state.detach(with: blankArrays[object.entity.index]) }
  }

  /// Returns a new context that reads from this one, including its unsaved changes, and saves into it as one undo step.
  /// Use it for a form, for example.
  public func newChild() -> ObjectContext {
    let child = ObjectContext(model: model, source: ParentSource(self), parent: self, mergePolicy: mergePolicy)
    children.removeAll { $0.context == nil }
    children.append(WeakContext(context: child))
    return child
  }

  /// True when there is something to save.
  public var hasChanges: Bool { touched.values.contains(where: \.isChanged) }

  /// Objects with something to save, in any order: new, changed and deleted ones.
  public var changedObjects: [ManagedObject] { touched.values.filter(\.isChanged) }

  // MARK: - Objects by id

  /// Returns the object with this id; nil if it is deleted here or gone from the source.
  /// - Throws: `badURI` when no store of the stack has such ids, `store`.
  public func object(_ id: ObjectID) throws(ObjectGraphError) -> ManagedObject? {
    try objects([id]).first
  }

  /// Returns the objects with these ids, in this order, without deleted ones; those not read yet are read together.
  /// - Throws: `badURI` when no store of the stack has such ids, `store`.
  public func objects(_ ids: [ObjectID]) throws(ObjectGraphError) -> [ManagedObject] {
    let ids = ids.map(currentID)
    return try translating {
      var held: [ObjectID: ManagedObject] = [:]
      for id in ids {
        guard let entity = model.entity(named: id.entity), !entity.isAbstract,
          id.store == (try source.storeIdentifier(of: entity))
        else { throw ObjectGraphError.badURI(id.uri) }
        if let object = registered(id), !object.isGone { held[id] = object }
      }
      let missing = ids.filter { held[$0] == nil }
      for (id, snapshot) in try source.snapshots(of: missing) { held[id] = materialize(snapshot) }
      let unread = held.values.filter { $0.state.existence == .unknown }
      if !unread.isEmpty { try fire(Array(unread)) }
      return ids.compactMap { held[$0] }.filter { !$0.isUnreachable }
    }
  }

  /// Returns the objects of an entity with these numbers, in this order, without deleted ones. Objects of child
  /// entities are not found.
  /// - Throws: `unknownEntity`; `badURI` for numbers of an abstract entity; `store`.
  public func objects(_ entity: String, numbers: [Int64]) throws(ObjectGraphError) -> [ManagedObject] {
    let entity = try model.entity(entity)
    let store = try translating { try source.storeIdentifier(of: entity) }
    return try objects(numbers.map { ObjectID(store: store, entity: entity.name, key: .permanent($0)) })
  }

  /// Returns the object whose id has this URI; nil if it is deleted here or gone from the source.
  /// - Throws: `badURI` when the text is not the URI of an id of this stack, `store`.
  public func object(uri: String) throws(ObjectGraphError) -> ManagedObject? {
    guard let id = ObjectID(uri: uri) else { throw .badURI(uri) }
    return try object(id)
  }

  /// Returns the object of an entity or its children with this ``ObjectID/number``, which is in the id column of the
  /// entity's table. Use it for lists that read the table themselves. Nil if the object is deleted or never existed.
  /// - Throws: `unknownEntity`, `store`.
  public func object(_ entity: String, number: Int64) throws(ObjectGraphError) -> ManagedObject? {
    try first(entity, number: number) { try object($0) }
  }

  /// Calls `find` with the ids that this number may have in the entity and its children, and returns the first object
  /// found.
  func first(
    _ entity: String, number: Int64, _ find: (ObjectID) throws -> ManagedObject?
  ) throws(ObjectGraphError) -> ManagedObject? {
    let entity = try model.entity(entity)
    return try translating {
      let store = try source.storeIdentifier(of: entity)
      // The family shares its numbers: at most one of its entities has an object with this number.
      for member in entity.concreteFamily(includingChildren: true) {
        if let object = try find(ObjectID(store: store, entity: member.name, key: .permanent(number))) { return object }
      }
      return nil
    }
  }

  /// Returns an object of a list. If it is not read yet, reads a page of the list with it, with the relationships at
  /// these paths, and holds the page until others were read.
  package func object(
    _ id: ObjectID, prefetch paths: [String], page: () throws -> [ObjectID]
  ) throws -> ManagedObject? {
    if let object = registered(id), object.state.existence != .unknown, !object.isGone {
      return object.isUnreachable ? nil : object
    }
    let objects = try objects(page())
    try prefetch(paths, of: objects)
    pages = pages.suffix(3) + [objects]
    return objects.first { $0.objectID == currentID(id) }
  }

  /// Returns the object with this id, without reading it.
  package func unreadObject(_ id: ObjectID) -> ManagedObject? {
    model.entity(named: id.entity).map { handle(currentID(id), $0) }
  }

  /// Returns the object with this id, which the stores no longer have.
  package func missingObject(_ id: ObjectID) -> ManagedObject? {
    let object = unreadObject(id)
    if let object, object.isFault { markMissing(object) }
    return object
  }

  /// Whether an object is read.
  package func hasRead(_ id: ObjectID) -> Bool { registered(id).map { !$0.isFault } ?? false }

  // MARK: - Registry

  func registered(_ id: ObjectID) -> ManagedObject? {
    permanentIDs.isEmpty ? registry.object(id) : registry.object(currentID(id))
  }

  /// Returns the current id of an object; a save replaces a temporary id.
  func currentID(_ id: ObjectID) -> ObjectID { permanentIDs.isEmpty ? id : permanentIDs[id] ?? id }

  var registeredObjects: [ManagedObject] { registry.objects }

  func register(_ object: ManagedObject) { registry.insert(object) }

  /// Removes an object that is being deallocated. Its id may belong to another object by now.
  func unregister(_ object: ManagedObject) { registry.remove(object) }

  /// Makes room for objects that are about to be read.
  func expect(_ count: Int) {
    if count > registry.count { registry.reserve(count) }
  }

  func blankState(of entity: Entity) -> ObjectState { ObjectState(blankArrays[entity.index]) }

  /// Returns the object with this id; a new fault if it is not known yet.
  func handle(_ id: ObjectID, _ entity: Entity) -> ManagedObject {
    registered(id) ?? makeListedFault(id, entity)
  }

  /// Makes and registers a fault, to be read together with others.
  func makeListedFault(_ id: ObjectID, _ entity: Entity) -> ManagedObject {
    let object = makeFault(id, entity)
    faults[entity.schema.roots[entity.index]].append(object.objectID)
    return object
  }

  func makeFault(_ id: ObjectID, _ entity: Entity) -> ManagedObject {
    let object = entity.schema.classes[entity.index].init(entity: entity, objectID: currentID(id), context: self)
    register(object)
    return object
  }

  /// Removes up to `count` faults of the root's family from the end of the list, and returns them.
  func nextFaults(of root: Entity, count: Int) -> [ManagedObject] {
    var found: [ManagedObject] = []
    while found.count < count, let id = faults[root.index].popLast() {
      if let object = registered(id), object.state.existence == .unknown { found.append(object) }
    }
    return found
  }

  /// Replaces a temporary id with the permanent one from the first save, here and in child contexts.
  func rename(_ old: ObjectID, to new: ObjectID) {
    permanentIDs[old] = new
    if let object = registry.remove(old) {
      object.objectID = new
      registry.insert(object)
    }
    for child in children { child.context?.rename(old, to: new) }
  }

  // MARK: - State

  /// Changes an object's state. A refused save restores it.
  func update(_ object: ManagedObject, _ change: (inout ObjectState) -> Void) {
    let id = ObjectIdentifier(object)
    if journal != nil, journal?[id] == nil { journal?[id] = (object, object.state) }
    change(&object.state)
    updateCount &+= 1
  }

  func touch(_ object: ManagedObject) {
    touched[ObjectIdentifier(object)] = object
  }
}

private struct WeakContext {
  weak var context: ObjectContext?
}

/// The reference to a context that its objects share. The context sets it to nil when it is deallocated. A weak
/// reference in each object would cost several times as much, both to create and to access.
final class ContextHandle {
  unowned(unsafe) var context: ObjectContext?
}

/// The program's own code inside the transactions of a context's saves: to keep a journal of what is saved, or to
/// update tables outside of the model.
///
/// Both closures are called once for each SQLite database that a save writes, and never for other stores. If one
/// throws, nothing is saved, and the save throws the error as `ObjectGraphError.refused`; an error of the database is
/// thrown as `store`, and an `ObjectGraphError` as it is.
public struct SaveHooks {
  /// Called after merging and validation, before the first row is written.
  public var willWrite: (Database) throws -> Void
  /// Called after all rows are written, before the commit. The second argument returns the number of an object, even of
  /// one that this save inserted; nil if it has none.
  public var didWrite: (Database, (ManagedObject) -> Int64?) throws -> Void

  /// Creates hooks. A closure that is left out does nothing.
  public init(
    willWrite: @escaping (Database) throws -> Void = { _ in },
    didWrite: @escaping (Database, (ManagedObject) -> Int64?) throws -> Void = { _, _ in }
  ) {
    self.willWrite = willWrite
    self.didWrite = didWrite
  }
}
