import Foundation

/// Where a context reads from: the stores of its stack, or its parent.
protocol ObjectSource: AnyObject {
  /// The stack whose stores are at the end of the parents.
  var stack: ObjectStack { get }
  /// Returns the objects with these ids that exist.
  func snapshots(of ids: [ObjectID]) throws -> [ObjectID: ObjectSnapshot]
  /// Returns the members of a to-many of each owner, in order if the relationship is ordered.
  func members(_ relationship: Relationship, of owners: [ObjectID]) throws -> [ObjectID: [ObjectSnapshot]]
  /// Returns the identifier of the store that keeps an entity.
  func storeIdentifier(of entity: Entity) throws -> UUID
  /// Returns the objects with these ids that are marked as deleted, or that are deleted and restored with another one.
  func markedSnapshots(of ids: [ObjectID]) throws -> [ObjectID: ObjectSnapshot]
  /// Returns a value that is not read with its object.
  func value(of attribute: EntityAttribute, in id: ObjectID) throws -> Value
  /// Returns the to-one to the object whose number a new object of the entity shares; nil if new objects get their own
  /// numbers.
  func sharedKey(of entity: Entity) -> Relationship?
  /// Returns whether deletions mark the rows of the entity's objects instead of removing them.
  func marksDeletions(of entity: Entity) -> Bool
  /// Returns the to-one to the object that objects of the entity are deleted and restored with; nil if there is none.
  func ownerRelationship(of entity: Entity) -> Relationship?
}

protocol ObjectContent {
  var id: ObjectID { get }
  var entity: Entity { get }
  var version: Int64 { get }
  var values: [Value] { get }
  /// Indexes of attributes that were not read with the object.
  var unread: Set<Int> { get }
  /// Returns the target of a to-one, by the index of the relationship.
  func reference(_ index: Int) -> ObjectReference?
}

/// An object as the source has it.
struct ObjectSnapshot: ObjectContent {
  var id: ObjectID
  var entity: Entity
  var version: Int64
  var values: [Value]
  /// Indexes of attributes that were not read with the object.
  var unread: Set<Int> = []
  /// By the index of the relationship.
  var references: [ObjectReference?]

  func reference(_ index: Int) -> ObjectReference? { references[index] }
}

/// The current row of a statement, as the content of an object.
struct ObjectRow: ObjectContent {
  private let row: RowCursor
  let id: ObjectID

  init(_ row: RowCursor, store: UUID) {
    self.row = row
    id = ObjectID(store: store, entity: row.entity.name, key: .permanent(row.number))
  }

  var entity: Entity { row.entity }
  var version: Int64 { row.version }
  var values: [Value] { row.values }
  var unread: Set<Int> { row.unread }

  func reference(_ index: Int) -> ObjectReference? {
    row.reference(index).map {
      ObjectReference($0, by: Relationship(entity: row.entity, index: index), store: id.store)
    }
  }
}

/// The target of a to-one in the source.
struct ObjectReference {
  var id: ObjectID
  var entity: Entity
  /// False when the object is gone.
  var exists: Bool
}

extension ObjectReference {
  init(_ reference: StoredReference, by relationship: Relationship, store: UUID) {
    let entity = reference.entity ?? relationship.destination
    self.init(
      id: ObjectID(store: store, entity: entity.name, key: .permanent(reference.number)), entity: entity,
      exists: reference.entity != nil)
  }
}

/// The stores of a stack as the source of a context.
final class StackSource: ObjectSource {
  let stack: ObjectStack
  /// During a save, its writers by store: reads go through them.
  private var writers: [ObjectIdentifier: any StoreWriter] = [:]
  /// The versions that the running save has asked for, by root: nobody else changes them until it ends.
  private var known: [Int: [Int64: Int64?]] = [:]

  init(_ stack: ObjectStack) { self.stack = stack }

  func storeIdentifier(of entity: Entity) throws -> UUID { stack.store(of: entity).identifier }

  func keepsVersions(of entity: Entity) -> Bool { stack.store(of: entity).keepsVersions(of: entity) }

  func snapshots(of ids: [ObjectID]) throws -> [ObjectID: ObjectSnapshot] {
    try snapshots(numbersByRoot(ids)) { try $0.rows($1, of: $2) }
  }

  func markedSnapshots(of ids: [ObjectID]) throws -> [ObjectID: ObjectSnapshot] {
    let known = try numbersByRoot(ids).filter { marksDeletions(of: $0.0) || ownerRelationship(of: $0.0) != nil }
    return try snapshots(known) { try $0.markedRows($1, of: $2) }
  }

  private func snapshots(
    _ numbers: [(Entity, [Int64])], _ rows: (any StoreReader, [Int64], Entity) throws -> [StoredRow]
  ) throws -> [ObjectID: ObjectSnapshot] {
    var snapshots: [ObjectID: ObjectSnapshot] = [:]
    for (root, numbers) in numbers {
      for row in try read(root, { try rows($0, numbers, root) }).map(snapshot) { snapshots[row.id] = row }
    }
    return snapshots
  }

  func value(of attribute: EntityAttribute, in id: ObjectID) throws -> Value {
    guard let number = id.number else { return .null }
    return try read(attribute.entity.root) { try $0.value(of: attribute, in: number) }
  }

  func sharedKey(of entity: Entity) -> Relationship? { stack.store(of: entity).sharedKey(of: entity) }

  /// Returns the versions of rows that were just written.
  func writtenVersions(of ids: [ObjectID]) throws -> [ObjectID: Int64] {
    var versions: [ObjectID: Int64] = [:]
    for (root, numbers) in try numbersByRoot(ids) where keepsVersions(of: root) {
      let found = try read(root) { try $0.rowVersions(numbers, of: root) }
      for id in ids where model.entity(named: id.entity)?.root == root {
        if let number = id.number { versions[id] = found[number] }
      }
    }
    return versions
  }

  func marksDeletions(of entity: Entity) -> Bool { stack.store(of: entity).marksDeletions(of: entity) }

  func ownerRelationship(of entity: Entity) -> Relationship? { stack.store(of: entity).ownerRelationship(of: entity) }

  func members(_ relationship: Relationship, of owners: [ObjectID]) throws -> [ObjectID: [ObjectSnapshot]] {
    var members: [ObjectID: [ObjectSnapshot]] = [:]
    let numbers = owners.compactMap(\.number)
    guard !numbers.isEmpty else { return [:] }
    let rows = try read(relationship.destination.root) { try $0.members(relationship, of: numbers) }
    for owner in owners {
      if let number = owner.number { members[owner] = (rows[number] ?? []).map(snapshot) }
    }
    return members
  }

  /// Returns the versions of saved objects before the running save, nil for those that do not exist.
  func versions(of objects: [ManagedObject]) throws -> [Int64?] {
    for (root, objects) in Dictionary(grouping: objects, by: \.entity.root) {
      let unknown = objects.compactMap(\.objectID.number).filter { known[root.index]?[$0] == nil }
      guard !unknown.isEmpty else { continue }
      let found = try read(root) { try $0.versions(unknown, of: root) }
      for number in unknown { known[root.index, default: [:]][number] = .some(found[number]) }
    }
    return objects.map { object in object.objectID.number.flatMap { known[object.entity.root.index]?[$0] ?? nil } }
  }

  /// Calls the body in a write transaction of every store that keeps one of these entities.
  func write(_ entities: [Entity], _ body: ([ObjectIdentifier: any StoreWriter]) throws -> Void) throws {
    let storeIDs = Set(entities.map { ObjectIdentifier(stack.store(of: $0)) })
    defer { (writers, known) = ([:], [:]) }
    try write(stack.stores.filter { storeIDs.contains(ObjectIdentifier($0)) }[...], body)
  }

  /// Nests each store's transaction in the previous one's.
  private func write(
    _ stores: ArraySlice<any ObjectStore>, _ body: ([ObjectIdentifier: any StoreWriter]) throws -> Void
  ) throws {
    guard let store = stores.first else { return try body(writers) }
    try store.write { writer in
      writers[ObjectIdentifier(store)] = writer
      try write(stores.dropFirst(), body)
    }
  }

  // MARK: -

  private var model: ObjectModel { stack.model }

  func read<Result>(_ root: Entity, _ body: (any StoreReader) throws -> Result) throws -> Result {
    let store = stack.store(of: root)
    if let writer = writers[ObjectIdentifier(store)] { return try body(writer.reader) }
    return try store.read(body)
  }

  private func numbersByRoot(_ ids: [ObjectID]) throws -> [(Entity, [Int64])] {
    var numbers: [Entity: [Int64]] = [:]
    for id in ids {
      if let number = id.number { numbers[try model.entity(id.entity).root, default: []].append(number) }
    }
    return numbers.sorted { $0.key.index < $1.key.index }
  }

  private func snapshot(_ row: StoredRow) -> ObjectSnapshot {
    let store = stack.store(of: row.entity).identifier
    let references = row.references.enumerated().map { index, reference in
      reference.map { ObjectReference($0, by: Relationship(entity: row.entity, index: index), store: store) }
    }
    return ObjectSnapshot(
      id: ObjectID(store: store, entity: row.entity.name, key: .permanent(row.number)), entity: row.entity,
      version: row.version, values: row.values, unread: row.unread, references: references)
  }
}
