/// Localized names and messages of a model, by Core Data's keys:
///
/// | key | for |
/// |---|---|
/// | `Entity/Person` | an entity |
/// | `Property/name/Entity/Person` | a property of one entity |
/// | `Property/name` | a property of that name in any entity |
/// | `ErrorString/missing` | a validation message |
public struct LocalizationDictionary: Codable, Hashable, Sendable {
  /// The localized strings by key.
  public var strings: [String: String]

  /// Creates a dictionary, empty by default.
  public init(_ strings: [String: String] = [:]) {
    self.strings = strings
  }

  /// Returns the localized name of an entity; its own name if there is none.
  public func name(ofEntity entity: String) -> String {
    strings["Entity/\(entity)"] ?? entity
  }

  /// Returns the localized name of a property of this entity or else of any entity; its own name if there is none.
  public func name(ofProperty property: String, entity: String) -> String {
    strings["Property/\(property)/Entity/\(entity)"] ?? strings["Property/\(property)"] ?? property
  }

  /// Returns the localized message; the message itself if there is none.
  public func message(_ message: String) -> String {
    strings["ErrorString/\(message)"] ?? message
  }
}
