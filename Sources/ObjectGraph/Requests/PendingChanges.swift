/// The unsaved changes of a context, which a fetch puts on top of the saved state.
public struct PendingChanges: Sendable {
  /// Inserted objects, in the order of insertion.
  public var inserted: [ObjectID]
  /// Objects whose values differ from the saved ones. Each end of a changed relationship is in one of the three lists.
  public var changed: [ObjectID]
  /// Deleted objects.
  public var deleted: [ObjectID]

  /// Creates a value with these changes; none by default.
  public init(inserted: [ObjectID] = [], changed: [ObjectID] = [], deleted: [ObjectID] = []) {
    self.inserted = inserted
    self.changed = changed
    self.deleted = deleted
  }

  /// Whether nothing is unsaved.
  public var isEmpty: Bool { inserted.isEmpty && changed.isEmpty && deleted.isEmpty }
}
