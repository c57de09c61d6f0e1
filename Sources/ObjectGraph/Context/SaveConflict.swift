/// An object that two contexts changed.
public struct SaveConflict: Hashable, Sendable {
  /// One property that both changed to different values. To-ones are given as `.object`, or `.null`.
  public struct Field: Hashable, Sendable {
    /// What both had read.
    public let base: Value
    /// What this context would save.
    public let mine: Value
    /// What the store has.
    public let theirs: Value
  }

  /// Which side deleted an object.
  public enum Side: Hashable, Sendable {
    /// This context.
    case mine
    /// Whoever saved before.
    case theirs
  }

  /// The object.
  public let object: ObjectID
  /// By name, the properties that both changed to different values.
  public let fields: [String: Field]
  /// Which side deleted the object; nil when neither did.
  public let deleted: Side?
}
