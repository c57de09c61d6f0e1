/// One object as a store has it.
struct StoredRow {
  var number: Int64
  var entity: Entity
  var version: Int64
  /// By the index of the attribute.
  var values: [Value]
  /// Indexes of attributes that are read when they are asked for.
  var unread: Set<Int> = []
  /// By the index of the relationship; nil for to-manys and for a to-one that leads nowhere.
  var references: [StoredReference?]
}

/// What a to-one leads to.
struct StoredReference: Hashable {
  var number: Int64
  /// The entity of the object; nil when it is gone.
  var entity: Entity?
}
