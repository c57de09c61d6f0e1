import Contacts
import Messages

extension ValidationIssue {
  /// The message in the language of this process.
  public var message: String { message(in: .shared) }

  /// Returns the message, which names the property.
  public func message(in localization: Localization) -> String {
    let name = localization.propertyPath(property, entity: entity)
    let pattern = localization.text("ErrorString/\(rule)")
    return MessageFormat.fill(pattern, with: [name] + arguments)
  }
}

extension Localization {
  /// Returns a key path for display: `phones[1].value` as “Phone 2”.
  public func propertyPath(_ path: String, entity: String) -> String {
    guard !path.isEmpty else { return entityName(entity) }
    guard let bracket = path.firstIndex(of: "["), let end = path.firstIndex(of: "]"), bracket < end,
      let position = Int(path[path.index(after: bracket)..<end])
    else { return propertyName(Self.title(of: path, entity), entity: entity) }
    let list = String(path[..<bracket])
    return text("Property/numbered", propertyName(list + ".one", entity: entity), position + 1)
  }

  /// Returns the name that an attribute has in the keys of strings.
  private static func title(of property: String, _ entity: String) -> String {
    guard entity == "Person" else { return property }
    return ContactFields.standard.text(named: property)?.title ?? property
  }
}
