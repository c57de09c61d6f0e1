import GRDB

/// What a context reads from and saves to: the store, or the context that it is a child of.
protocol ObjectSource: AnyObject {
  /// Objects that live there; those that do not are left out.
  /// - Parameter deleted: also those that were deleted and can come back.
  func snapshots(of entity: EntityDescription, _ ids: [ObjectID], deleted: Bool) throws(StoreError) -> [ObjectID:
    Snapshot]

  /// The children of each owner in the order of the list, with their snapshots.
  func children(
    _ relationship: RelationshipDescription, of entity: EntityDescription, owners: [ObjectID]
  ) throws(StoreError) -> [ObjectID: [(id: ObjectID, snapshot: Snapshot)]]

  /// The other ends of a many-to-many relationship of each owner.
  func joined(
    _ relationship: RelationshipDescription, of entity: EntityDescription, owners: [ObjectID]
  ) throws(StoreError) -> [ObjectID: [ObjectID]]

  /// The parts of a large value, or nil when there is none.
  func external(
    _ attribute: ExternalAttribute, of entity: EntityDescription, _ id: ObjectID
  ) throws(StoreError) -> [DatabaseValue]?

  /// The name that an object has now: its row once it was saved.
  func canonical(_ id: ObjectID) -> ObjectID

  /// Saves what is pending, all or nothing.
  func commit(_ work: PendingWork, of context: ObjectContext) throws(SaveError) -> CommitResult
}

/// What a save has to do.
struct PendingWork {
  /// Objects with something pending, in the order in which their rows are inserted.
  var objects: [ManagedObject] = []
  /// Objects whose version a save checks and raises: the changed ones that keep a version, and the owners of changed parts.
  var roots: [ManagedObject] = []
  /// Columns that follow from each root.
  var derived: [ObjectID: [(column: String, value: DatabaseValue)]] = [:]
}

/// What a save did.
struct CommitResult {
  /// Rows that new objects got.
  var rows: [ObjectID: ObjectID] = [:]
  /// Versions of the roots after it, by the ids that they had before.
  var versions: [ObjectID: Int] = [:]
  /// The moment that was written.
  var moment = ""
}
