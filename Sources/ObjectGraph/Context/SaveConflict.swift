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
