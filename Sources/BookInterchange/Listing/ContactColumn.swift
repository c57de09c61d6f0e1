import AddressBookModel
import Contacts

/// A column of a list of contacts, by its name in `list --columns` and in `columns` of config.toml.
public enum ContactColumn: Hashable, Sendable {
  /// The id, the identity across books, the section of the name, the display name, the version, when the contact was
  /// added and last changed, the groups, the media type of the photo.
  case id, uid, section, name, version, created, modified, groups, photo
  /// All values of a field, such as the phone numbers.
  case all(ContactField.Values)
  /// All addresses.
  case addresses
  /// A single field, such as `organization` or `phone[mobile]`.
  case field(FieldPath)

  /// The columns other than ``all(_:)`` and ``field(_:)``, by name.
  private static let others: [(name: String, column: ContactColumn)] = [
    ("id", .id), ("uid", .uid), ("section", .section), ("name", .name), ("version", .version), ("created", .created),
    ("modified", .modified), ("groups", .groups), ("photo", .photo), ("addresses", .addresses),
  ]

  private static var lists: [ContactField.Values] {
    ContactFields.standard.values.filter { $0.singular != $0.name }
  }

  /// The column with a name, such as `id`, `phones`, `phone[mobile]` or `organization`; nil if there is none.
  public init?(_ name: String) {
    let known =
      Self.others.first { $0.name == name }?.column ?? Self.lists.first { $0.name == name }.map(Self.all)
      ?? FieldPath(name).map(Self.field)
    guard let known else { return nil }
    self = known
  }

  /// The names of all columns, for messages.
  public static var allNames: [String] {
    let names = others.map(\.name) + lists.map(\.name) + FieldPath.allNames
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// Returns the cell of a contact. Several values are separated by commas, addresses by semicolons; timestamps are in
  /// UTC.
  public func text(of contact: Contact) -> String {
    switch self {
    case .id: String(contact.id)
    case .uid: contact.uid
    case .section: contact.sectionTitle
    case .name: contact.displayName
    case .version: String(contact.version)
    case .created: contact.created
    case .modified: contact.modified
    case .groups: contact.groups.joined(separator: ", ")
    case .photo: contact.photo?.mediaType ?? ""
    case .all(let values): contact[keyPath: values.property].map(\.value).joined(separator: ", ")
    case .addresses: contact.addresses.map { $0.joined(by: ", ") }.joined(separator: "; ")
    case .field(let path): path.text(of: contact)
    }
  }

  /// Returns the cell of a contact, with timestamps in local time, such as `2026-03-01 10:30`.
  public func localText(of contact: Contact) -> String {
    let text = text(of: contact)
    return self == .created || self == .modified ? Timestamp.local(text) : text
  }
}
