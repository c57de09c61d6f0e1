import Contacts

/// A column of a list of contacts, by its name in `list --columns` and in `columns` of config.toml.
public enum ContactColumn: Hashable, Sendable {
  /// The id, the identity across books, the section of the name, the displayed name, the number of saves, when the
  /// contact was added and last changed, the groups, the type of the photo.
  case id, uid, section, name, version, created, modified, groups, photo
  /// All values of a list.
  case all(ContactField.Values)
  /// All addresses.
  case addresses
  /// A field.
  case field(FieldPath)

  /// The column with a name, such as `id`, `phones`, `phone[mobile]` or `organization`; nil if there is none.
  public init?(_ name: String) {
    switch name {
    case "id": self = .id
    case "uid": self = .uid
    case "section": self = .section
    case "name": self = .name
    case "version": self = .version
    case "created": self = .created
    case "modified": self = .modified
    case "groups": self = .groups
    case "photo": self = .photo
    case "addresses": self = .addresses
    default:
      let list = ContactFields.standard.values.first { $0.name == name && $0.singular != name }
      guard let column = list.map(ContactColumn.all) ?? FieldPath(name).map(ContactColumn.field) else { return nil }
      self = column
    }
  }

  /// The cell of a contact. Several values are separated by commas; moments are in UTC.
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

  /// The cell of a contact, with moments in local time: `2026-03-01 10:30`.
  public func localText(of contact: Contact) -> String {
    let text = text(of: contact)
    return self == .created || self == .modified ? Timestamp.local(text) : text
  }
}
