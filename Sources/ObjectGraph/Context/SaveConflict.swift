/// A conflict about one object: both this context and someone else, who saved first, changed or deleted it.
public struct SaveConflict: Hashable, Sendable {
  /// A property with different values on the two sides, after both changed it or, in an atomic entity, any attribute.
  /// The value of a to-one is `.object`, or `.null`.
  public struct Field: Hashable, Sendable {
    /// The value that both started from.
    public let base: Value
    /// The value that this context would save.
    public let mine: Value
    /// The value in the store.
    public let theirs: Value
  }

  /// Which side deleted an object.
  public enum Side: Hashable, Sendable {
    /// This context.
    case mine
    /// The other side, which saved first.
    case theirs
  }

  /// The object.
  public let object: ObjectID
  /// The properties that both changed to different values, by name. If both changed attributes that are merged as one
  /// value, all of them that differ.
  public let fields: [String: Field]
  /// Which side deleted the object; nil when neither did.
  public let deleted: Side?
}

/// How a save treats objects that were saved elsewhere since this context read or saved them.
///
/// | policy | both changed the row | changed here, deleted there | deleted here, changed there |
/// |---|---|---|---|
/// | `error` | refused | refused | refused |
/// | `byProperty` | merged, or refused if both changed a property differently | refused | refused |
/// | `storeWins` | merged, the store's value where both changed a property | deleted here too | restored as stored |
/// | `objectWins` | merged, this context's value where both changed a property | inserted again | deleted |
/// | `overwrite` | the row as it is here | inserted again | deleted |
/// | `rollback` | the row as the store has it | deleted here too | restored as stored |
///
/// A row is an object's attributes and to-ones. In a many-to-many, the additions and removals of both sides apply; they
/// count as a change to the row only if the relationship has ``RelationshipDescription/raisesVersion``.
public enum MergePolicy: String, Codable, Hashable, Sendable, CaseIterable {
  /// Every conflict refuses the save.
  case error
  /// Merges what only one side changed.
  case byProperty
  /// Merges; the store's value wins.
  case storeWins
  /// Merges; this context's value wins.
  case objectWins
  /// Saves the objects as they are here.
  case overwrite
  /// Takes the objects as the store has them.
  case rollback

  /// Returns whether a property keeps this context's value.
  func keepsMine(mineChanged: Bool, theirsChanged: Bool) -> Bool {
    switch self {
    case .error, .byProperty, .objectWins: mineChanged
    case .storeWins: mineChanged && !theirsChanged
    case .overwrite: true
    case .rollback: false
    }
  }

  /// Whether the store wins a conflict.
  var prefersStore: Bool { self == .storeWins || self == .rollback }
}
