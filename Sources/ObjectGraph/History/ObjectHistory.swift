import ChangeLog
import Foundation

/// The objects that were written since a token, by anyone: the counterpart of Core Data's persistent history.
public enum ObjectHistory: Sendable {
  /// The objects that were written.
  case changes(ObjectChanges, next: HistoryToken)
  /// The history since the token is incomplete, and any object may have been written. Read everything again, and
  /// continue from `next`.
  case lost(next: HistoryToken)
}

/// Objects that were written. Objects that were inserted and deleted again are not included.
public struct ObjectChanges: Hashable, Sendable {
  /// New objects.
  public internal(set) var inserted: Set<ObjectID> = []
  /// Objects whose values, or members in a many-to-many relationship, may have changed.
  public internal(set) var updated: Set<ObjectID> = []
  /// Deleted objects.
  public internal(set) var deleted: Set<DeletedObject> = []

  /// Whether no object was written.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// A deleted object. Its row is gone, so its entity within the family is unknown; the family shares one sequence of
/// numbers, so only one of ``candidates`` ever belonged to an object.
public struct DeletedObject: Hashable, Sendable {
  /// The possible ids, one for each entity of the family that has objects.
  public let candidates: [ObjectID]

  /// The object's id; nil if there are several candidates.
  public var id: ObjectID? { candidates.count == 1 ? candidates.first : nil }
}

/// A point in the history of a stack's stores. It may be saved and used by another process.
///
/// A store that was restored from a copy and written since cannot be told apart from the original. If users may copy
/// the file, write a marker into it and keep the marker with the token.
public struct HistoryToken: Hashable, Sendable, Codable {
  /// The positions in the change logs, by store and table.
  var cursors: [UUID: [String: LogCursor]] = [:]
}
