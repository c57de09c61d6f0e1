/// Words for the names and messages of a model, by Core Data's keys:
///
/// | key | for |
/// |---|---|
/// | `Entity/Person` | an entity |
/// | `Property/name/Entity/Person` | a property of one entity |
/// | `Property/name` | a property of that name in any entity |
/// | `ErrorString/missing` | a message of validation |
public struct LocalizationDictionary: Codable, Hashable, Sendable {
  /// The words by key.
  public var words: [String: String]

  /// A dictionary, empty when nothing is given.
  public init(_ words: [String: String] = [:]) {
    self.words = words
  }

  /// The words for an entity; its name when there are none.
  public func name(ofEntity entity: String) -> String {
    words["Entity/\(entity)"] ?? entity
  }

  /// The words for a property of an entity, or of any entity; its name when there are none.
  public func name(ofProperty property: String, entity: String) -> String {
    words["Property/\(property)/Entity/\(entity)"] ?? words["Property/\(property)"] ?? property
  }

  /// The words for a message; the message itself when there are none.
  public func message(_ message: String) -> String {
    words["ErrorString/\(message)"] ?? message
  }
}
