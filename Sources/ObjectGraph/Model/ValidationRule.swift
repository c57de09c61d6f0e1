/// A condition that must not be false when an object is saved.
public struct ValidationRule: Codable, Hashable, Sendable {
  /// The condition in the format language. SELF is the object in an entity's rule, and the value in an attribute's
  /// rule.
  public var predicate: String
  /// The key of the user-visible message, below `ErrorString/`.
  public var message: String

  /// Creates a rule with its message.
  public init(_ predicate: String, message: String) {
    self.predicate = predicate
    self.message = message
  }
}
