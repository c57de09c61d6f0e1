/// A condition that must not be false when an object is saved.
public struct ValidationRule: Codable, Hashable, Sendable {
  /// The condition in the format language. In an entity's rule SELF is the object, in an attribute's rule its value.
  public var predicate: String
  /// The key of the user-visible message, below `ErrorString/`.
  public var message: String

  /// A rule with its message.
  public init(_ predicate: String, message: String) {
    self.predicate = predicate
    self.message = message
  }
}
