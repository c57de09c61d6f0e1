/// One object as a store has it.
struct StoredRow {
  var number: Int64
  var entity: Entity
  var version: Int64
  /// By the index of the attribute.
  var values: [Value]
  /// Indexes of attributes that are read on demand.
  var unread: Set<Int> = []
  /// By the index of the relationship; nil for to-manys and for an empty to-one.
  var references: [StoredReference?]
}

/// The target of a to-one.
struct StoredReference: Hashable {
  var number: Int64
  /// The entity of the object; nil when it is gone.
  var entity: Entity?
}
