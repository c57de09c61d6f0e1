/// Something that is wrong with one property of an object, in words for the person who typed it.
public struct ValidationIssue: Error, Hashable, Sendable {
  /// Whether it keeps the object from being saved.
  public enum Severity: Hashable, Sendable {
    /// It may be saved; the person should look.
    case warning
    /// It cannot be saved.
    case error
  }

  /// Entity of the object.
  public let entity: String
  /// Key path of the property with places from 0, such as `family` or `phones[1].value`; empty for the whole object.
  public let property: String
  /// Key of the message: `ErrorString/<rule>`.
  public let rule: String
  /// Further arguments of the message, after the property's name.
  public let arguments: [String]
  /// Whether it keeps the object from being saved.
  public let severity: Severity

  /// Creates an issue.
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
