/// The effect of one save on one store, in terms of numbers and values. Fetches use it too, to put unsaved changes on
/// top of the saved state.
struct StoreChanges {
  struct Insertion {
    var entity: Entity
    var number: Int64
    var version: Int64
    var values: [Value]
    /// Indexes of attributes that were not read; empty in a save.
    var unread: Set<Int> = []
    /// By the index of the relationship.
    var references: [Int64?]
  }

  struct Update {
    var entity: Entity
    var number: Int64
    var version: Int64
    var values: [(attribute: Attribute, value: Value)] = []
    var references: [(relationship: Relationship, number: Int64?)] = []
  }

  struct Deletion {
    var entity: Entity
    var number: Int64
  }

  /// Pairs of a many-to-many. A pair may be listed at both ends.
  struct Pairing {
    var relationship: Relationship
    var owner: Int64
    var added: [Int64]
    var removed: [Int64]
  }

  /// The members of an ordered to-many in their order.
  struct Ordering {
    var relationship: Relationship
    var owner: Int64
    var members: [Int64]
    /// How many members at the beginning keep their positions.
    var unchanged: Int
  }

  var insertions: [Insertion] = []
  var updates: [Update] = []
  var deletions: [Deletion] = []
  var pairings: [Pairing] = []
  var orderings: [Ordering] = []

  var isEmpty: Bool {
    insertions.isEmpty && updates.isEmpty && deletions.isEmpty && pairings.isEmpty && orderings.isEmpty
  }
}
