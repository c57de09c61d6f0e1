import Foundation

/// Where a context reads from: the stores of its stack, or its parent.
protocol ObjectSource: AnyObject {
  /// Returns the objects with these ids that exist.
  func snapshots(of ids: [ObjectID]) throws -> [ObjectID: ObjectSnapshot]
  /// Returns the members of a to-many of each owner, in order if the relationship is ordered.
  func members(_ relationship: Relationship, of owners: [ObjectID]) throws -> [ObjectID: [ObjectSnapshot]]
  /// Returns the identifier of the store that keeps an entity.
  func storeIdentifier(of entity: Entity) throws -> UUID
  /// Returns the objects with these ids that are marked as deleted, or that are deleted and restored with another one.
  func markedSnapshots(of ids: [ObjectID]) throws -> [ObjectID: ObjectSnapshot]
  /// Returns a value that is not read with its object.
  func value(of attribute: Attribute, in id: ObjectID) throws -> Value
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
