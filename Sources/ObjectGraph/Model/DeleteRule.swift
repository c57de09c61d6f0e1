/// What becomes of the objects at the other end of a relationship when an object is deleted.
public enum DeleteRule: String, Codable, Hashable, Sendable, CaseIterable {
  /// They lose the object.
  case nullify
  /// They are deleted too, by their own rules.
  case cascade
  /// The save is refused while there are any.
  case deny
  /// They are not touched: their reference leads to nothing and reads as nil.
  case noAction
}
