/// An error or warning about one property of an object, for the user who typed it.
public struct ValidationIssue: Error, Hashable, Sendable {
  /// Whether an issue prevents saving.
  public enum Severity: Hashable, Sendable {
    /// The object can be saved, but the user should check the property.
    case warning
    /// The object cannot be saved.
    case error
  }

  /// Entity of the object.
  public let entity: String
  /// Key path of the property with indexes from 0, such as `family` or `phones[1].value`; empty for the whole object.
  public let property: String
  /// Key of the message: `ErrorString/<rule>`.
  public let rule: String
  /// Further arguments of the message, after the property's name.
  public let arguments: [String]
  /// Whether it prevents saving.
  public let severity: Severity

  /// Creates an issue of a property.
  public init(
    entity: String, property: String, rule: String, arguments: [String] = [], severity: Severity = .error
  ) {
    self.entity = entity
    self.property = property
    self.rule = rule
    self.arguments = arguments
    self.severity = severity
  }
}
