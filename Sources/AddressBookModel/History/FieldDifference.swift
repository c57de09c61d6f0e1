import Contacts
import Messages

/// The change to one field, as text for the user.
public struct FieldDifference: Hashable, Sendable {
  /// The localized name of the field.
  public let title: String
  /// The values that were removed.
  public let removed: [String]
  /// The values that were added.
  public let added: [String]

  /// The difference of a field between two states of a contact.
  public init(_ field: ContactField, from old: Contact, to new: Contact, in localization: Localization) {
    title = Self.title(of: field, in: localization)
    let (before, after) = (Self.texts(field, old, localization), Self.texts(field, new, localization))
    let difference = after.difference(from: before)
    removed = difference.removals.compactMap { if case .remove(_, let text, _) = $0 { text } else { nil } }
    added = difference.insertions.compactMap { if case .insert(_, let text, _) = $0 { text } else { nil } }
  }

  init(_ move: ContactChange.FolderMove, in localization: Localization) {
    title = localization.propertyName("folders", entity: "Person")
    func texts(_ names: [String]) -> [String] { names.map { $0.isEmpty ? localization.text("Folder/onlyHere") : $0 } }
    (removed, added) = (texts(move.before), texts(move.after))
  }

  /// True if no displayed value changed.
  public var isEmpty: Bool { removed.isEmpty && added.isEmpty }

  /// Returns one line: `note: old → new`, or each value with a plus or minus sign.
  public func line(in localization: Localization) -> String {
    let values =
      removed.count == 1 && added.count == 1
      ? "\(removed[0]) → \(added[0])" : localization.list(removed.map { "− \($0)" } + added.map { "+ \($0)" })
    return localization.titled(title, values)
  }

  package static func title(of field: ContactField, in localization: Localization) -> String {
    localization.propertyName(property(field), entity: "Person")
  }

  private static func property(_ field: ContactField) -> String {
    if case .text(let text) = field { text.title } else { field.name }
  }

  private static func texts(_ field: ContactField, _ contact: Contact, _ localization: Localization) -> [String] {
    func labeled(_ label: String, _ value: String) -> String { localization.noted(value, localization.label(label)) }
    let texts: [String] =
      switch field {
      case .text(let text): [contact[text]]
      case .values(let values): contact[keyPath: values.property].map { labeled($0.label, $0.value) }
      case .special(.kind): [localization.text("Kind/" + (contact.kind == .person ? "person" : "organization"))]
      case .special(.birthday): [contact.birthday?.iso ?? ""]
      case .special(.addresses): contact.addresses.map { labeled($0.label, $0.joined(by: ", ")) }
      case .special(.groups): contact.groups
      case .special(.photo):
        contact.photo.map { [localization.text("Photo/bytes", localization.grouped($0.bytes))] } ?? []
      case .special(.cardLines): contact.linesWithoutField()
      }
    return texts.filter { !$0.isEmpty }
  }
}

extension Localization {
  /// Returns the name of a field of a contact.
  public func title(of field: ContactField) -> String { FieldDifference.title(of: field, in: self) }
}
