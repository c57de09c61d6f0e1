/// What happens to the objects at the other end of a relationship when an object is deleted.
public enum DeleteRule: String, Codable, Hashable, Sendable, CaseIterable {
  /// Their reference to the object is removed.
  case nullify
  /// They are deleted too, by their own delete rules.
  case cascade
  /// The save is refused while there are any.
  case deny
  /// They are left alone: their reference dangles and reads as nil.
  case noAction
}
