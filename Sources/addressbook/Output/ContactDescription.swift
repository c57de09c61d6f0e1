import AddressBookModel
import AddressBookTUI

/// A contact as a person reads it: one value a line, labels in their language in a column of their own.
enum ContactDescription {
  static func lines(_ contact: Contact) -> [String] {
    let words = Localization.shared
    var pairs: [(String, String)] = []
    func add(_ title: String, _ value: String) {
      if !value.isEmpty { pairs.append((title, value)) }
    }
    func add(_ property: String, _ values: [LabelledValue]) {
      for value in values {
        let label = words.label(value.label)
        add(words.propertyName(property, entity: "Person") + (label.isEmpty ? "" : " (\(label))"), value.value)
      }
    }
    func name(_ property: String) -> String { words.propertyName(property, entity: "Person") }

    let title = contact.displayName
    let said = [contact.phoneticFamily, contact.phoneticMiddle, contact.phoneticGiven].filter { !$0.isEmpty }
    let transcription = contact.transcription
    add(
      addressbook.words("Show/phonetic"), transcription.isEmpty ? said.joined(separator: " ") : transcription)
    add(name("nickname"), contact.nickname)
    add(name("organizationName"), contact.organization == contact.displayName ? "" : contact.organization)
    add(name("departmentName"), contact.department)
    add(name("jobTitle"), contact.title)
    add("phones.one", contact.phones)
    add("emails.one", contact.emails)
    for address in contact.addresses {
      let label = words.label(address.label)
      add(name("addresses.one") + (label.isEmpty ? "" : " (\(label))"), line(address))
    }
    add("urls.one", contact.urls)
    add(name("birthday"), contact.birthday?.iso ?? "")
    add("dates.one", contact.dates)
    add("handles.one", contact.handles)
    add("related.one", contact.related)
    add(name("groups"), contact.groups.joined(separator: ", "))
    if let photo = contact.photo { add(name("photo"), addressbook.words("Show/photo", photo.bytes)) }
    add(name("note"), contact.note)
    add("id", String(contact.id))
    add("uid", contact.uid)
    add("uri", ContactURI(uid: contact.uid).text)
    add(addressbook.words("Column/section"), contact.sectionTitle)

    let safe = StandardOutput.isTerminal ? PlainColumns.clean : PlainText.cell
    let width = pairs.map { TextTable.width($0.0) }.max() ?? 0
    var lines = [safe(title.isEmpty ? addressbook.words("Show/noName") : title)]
    for (title, value) in pairs {
      let rows = value.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      for (place, row) in rows.enumerated() {
        let head = place == 0 ? title : ""
        lines.append("  " + TextTable.padded(safe(head), to: width) + "  " + safe(String(row)))
      }
    }
    return lines
  }

  private static func line(_ address: PostalAddress) -> String {
    [
      address.poBox, address.extended, address.street, address.city, address.region, address.postalCode,
      address.country,
    ].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
