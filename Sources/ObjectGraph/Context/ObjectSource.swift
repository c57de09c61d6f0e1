import Foundation

/// Where a context reads from: the stores of its stack, or its parent.
protocol ObjectSource: AnyObject {
  /// The objects of these ids that exist.
  func snapshots(of ids: [ObjectID]) throws -> [ObjectID: ObjectSnapshot]
  /// The members of a to-many of each owner, in their order if it has one.
  func members(_ relationship: Relationship, of owners: [ObjectID]) throws -> [ObjectID: [ObjectSnapshot]]
  /// The store that keeps an entity.
  func storeIdentifier(of entity: Entity) throws -> UUID
  /// The objects of these ids that are marked as deleted, or that are parts of such an object.
  func markedSnapshots(of ids: [ObjectID]) throws -> [ObjectID: ObjectSnapshot]
  /// A value that is not read with its object.
  func value(of attribute: Attribute, in id: ObjectID) throws -> Value
  /// The to-one to the object whose number a new object of the entity shares; nil if new objects get their own numbers.
  func sharedKey(of entity: Entity) -> Relationship?
  /// Whether deletions mark the rows of the entity's objects instead of removing them.
  func marksDeletions(of entity: Entity) -> Bool
  /// The to-one to the object that objects of the entity are deleted and restored with.
  func ownerRelationship(of entity: Entity) -> Relationship?
}

/// An object as the source has it.
struct ObjectSnapshot {
  var id: ObjectID
  var entity: Entity
  var version: Int64
  var values: [Value]
  /// Indexes of attributes that are read on demand.
  var unread: Set<Int> = []
  /// By the index of the relationship.
  var references: [ObjectReference?]
}

/// The target of a to-one in the source.
struct ObjectReference {
  var id: ObjectID
  var entity: Entity
  /// False when the object is gone.
  var exists: Bool
}
