import AddressBookModel
import AddressBookTUI
import Contacts
import Messages

/// A readable description of a contact: one value per line, localized labels in their own column.
enum ContactDescription {
  /// The labels and values below the name.
  /// - Parameter folders: the names of the folders that the contact is in.
  static func pairs(_ contact: Contact, folders: [String]) -> [(String, String)] {
    let localization = Localization.shared
    var pairs: [(String, String)] = []
    func add(_ title: String, _ value: String) {
      if !value.isEmpty { pairs.append((title, value)) }
    }
    func name(_ property: String) -> String { localization.propertyName(property, entity: "Person") }
    func add(_ property: String, _ values: [LabeledValue]) {
      for value in values {
        add(localization.noted(name(property), localization.label(value.label)), value.value)
      }
    }

    let transcription = contact.transcription
    add(addressbook.strings("Show/phonetic"), transcription.isEmpty ? contact.phoneticName : transcription)
    for field in ContactFields.standard.texts where field.role == .detail || field.role == .employment {
      let isShown = field.name == "organization" && contact[field] == contact.displayName
      add(name(field.title), isShown ? "" : contact[field])
    }
    for field in ContactFields.standard.all {
      switch field {
      case .values(let values):
        // Keep dates together, the birthday first.
        if values.rule == .date { add(name("birthday"), contact.birthday?.iso ?? "") }
        add(values.name + ".one", contact[keyPath: values.property])
      case .special(.addresses):
        for address in contact.addresses {
          add(localization.noted(name("addresses.one"), localization.label(address.label)), address.joined(by: ", "))
        }
      default: break
      }
    }
    add(name("groups"), localization.list(contact.groups))
    add(name("folders"), localization.list(folders))
    if let photo = contact.photo { add(name("photo"), addressbook.strings("Show/photo", photo.bytes)) }
    for field in ContactFields.standard.texts where field.role == .prose { add(name(field.title), contact[field]) }
    add("id", String(contact.id))
    add("uid", contact.uid)
    add("uri", ContactURI(uid: contact.uid).text)
    add(addressbook.strings("Column/section"), contact.sectionTitle)
    return pairs
  }

  /// The name, and the labels and values in columns.
  static func lines(_ contact: Contact, folders: [String]) -> [String] {
    let title = contact.displayName
    let pairs = pairs(contact, folders: folders)
    let safe = StandardOutput.isTerminal ? PlainColumns.clean : PlainText.cell
    let width = pairs.map { TextTable.width($0.0) }.max() ?? 0
    var lines = [safe(title.isEmpty ? addressbook.strings("Show/noName") : title)]
    for (title, value) in pairs {
      let rows = value.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      for (index, row) in rows.enumerated() {
        let head = index == 0 ? title : ""
        lines.append("  " + TextTable.padded(safe(head), to: width) + "  " + safe(String(row)))
      }
    }
    return lines
  }
}
