/// What became of objects since a token, whoever wrote. The counterpart of Core Data's persistent history.
public enum ObjectHistory: Sendable {
  /// These objects were written, and no others.
  case changes(ObjectChanges, next: HistoryToken)
  /// The history does not reach back that far: any object may have been written. Read again, and continue from the token.
  case lost(next: HistoryToken)
}

/// Objects that were written. What was inserted and deleted again is not among them.
public struct ObjectChanges: Hashable, Sendable {
  /// Objects that are new.
  public internal(set) var inserted: Set<ObjectID> = []
  /// Objects with other values than before, or with other members of a many-to-many relationship.
  public internal(set) var updated: Set<ObjectID> = []
  /// Objects that are gone.
  public internal(set) var deleted: Set<DeletedObject> = []

  /// Whether there is nothing.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// An object that is gone. Nothing tells any more of which entity of a family it was; their numbers are of one sequence, so
/// that only one of ``candidates`` ever was an object's.
public struct DeletedObject: Hashable, Sendable {
  /// The ids that it may have had, one for each entity of the family that has objects.
  public let candidates: [ObjectID]

  /// The object's id, where the family has one entity alone.
  public var id: ObjectID? { candidates.count == 1 ? candidates.first : nil }
}
