import AddressBookModel
import ArgumentParser
import Contacts

/// The columns of `list --columns`: what a line says about a contact.
struct ContactColumns {
  /// A column by its name.
  enum Column {
    case id, uid, section, name, version, created, modified, groups, photo
    /// All values of a list.
    case all(ContactField.Values)
    /// All addresses.
    case addresses
    case field(FieldPath)
  }

  /// The titles, which are the names.
  let titles: [String]
  private let columns: [Column]

  /// Parses names separated by commas: `id,name,phone[mobile]`.
  /// - Throws: `ValidationError` that lists the valid fields.
  init(_ text: String) throws {
    titles = text.split(separator: ",", omittingEmptySubsequences: false).map {
      String($0.drop { $0 == " " }.prefix { $0 != " " })
    }
    columns = try titles.map(Self.column)
  }

  private static func column(_ name: String) throws -> Column {
    switch name {
    case "id": return .id
    case "uid": return .uid
    case "section": return .section
    case "name": return .name
    case "version": return .version
    case "created": return .created
    case "modified": return .modified
    case "groups": return .groups
    case "photo": return .photo
    case "addresses": return .addresses
    default: break
    }
    if let values = ContactFields.standard.values.first(where: { $0.name == name && $0.singular != name }) {
      return .all(values)
    }
    return .field(try FieldPath(name))
  }

  /// The cells of a contact. Several values are separated by commas.
  func cells(_ contact: Contact) -> [String] {
    columns.map { column in
      switch column {
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
      case .field(let path): Self.cell(path, contact)
      }
    }
  }

  /// Without a label, the first value of a list.
  private static func cell(_ path: FieldPath, _ contact: Contact) -> String {
    switch path {
    case .text(let text): return contact[text]
    case .uid: return contact.uid
    case .birthday: return contact.birthday?.iso ?? ""
    case .kind: return contact.kind == .person ? "person" : "organization"
    case .labeled(let values, let label):
      return contact[keyPath: values.property].first { label.isEmpty || $0.label == label }?.value ?? ""
    case .address(let label, let part):
      guard let address = contact.addresses.first(where: { label.isEmpty || $0.label == label }) else { return "" }
      return part.map { address[$0] } ?? address.joined(by: ", ")
    }
  }
}
