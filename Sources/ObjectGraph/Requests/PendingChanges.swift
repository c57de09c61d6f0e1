/// The unsaved changes of a context that a fetch puts on top of what is saved.
public struct PendingChanges: Sendable {
  /// Objects that were inserted, in this order.
  public var inserted: [ObjectID]
  /// Objects with other values than the saved ones. Both ends of a changed relationship are among them, or among the other two.
  public var changed: [ObjectID]
  /// Objects that were deleted.
  public var deleted: [ObjectID]

  /// Nothing, or these.
  public init(inserted: [ObjectID] = [], changed: [ObjectID] = [], deleted: [ObjectID] = []) {
    self.inserted = inserted
    self.changed = changed
    self.deleted = deleted
  }

  /// Whether there is nothing unsaved.
  public var isEmpty: Bool { inserted.isEmpty && changed.isEmpty && deleted.isEmpty }
}
