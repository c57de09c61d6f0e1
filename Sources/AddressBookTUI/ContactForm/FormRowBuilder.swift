import Contacts
import TerminalKit

/// Builds the rows of the contact form, with serial numbers for labeled values and addresses.
struct FormRowBuilder {
  private let dates: DateEntry
  /// The displayed name of the favorites.
  private let favorites: String
  private var nextSerial = 0

  init(dates: DateEntry, favorites: String) {
    self.dates = dates
    self.favorites = favorites
  }

  /// The rows of a contact, and the parts of the name that are empty and hidden.
  mutating func rows(of contact: Contact) -> (rows: [FormRow], hiddenNames: [ContactField.Text]) {
    var rows: [FormRow] = []
    var hidden: [ContactField.Text] = []
    for field in ContactFields.standard.inFormOrder {
      switch field {
      case .text(let text) where text.form.isRare && contact[text].isEmpty: hidden.append(text)
      case .text(let text):
        // After the names, a button that shows the hidden ones.
        let isName = [.namePart, .fullName, .phonetic].contains(text.role)
        if !isName, !hidden.isEmpty, !rows.contains(where: { $0.identity == .moreNames }) {
          rows.append(FormRow(identity: .moreNames, editor: .button))
        }
        rows.append(row(of: contact[text], in: .text(text)))
      case .values(let values):
        for value in contact[keyPath: values.property] { rows.append(row(of: value, in: .values(values))) }
        rows.append(FormRow(identity: .adder(.values(values)), editor: .button))
      case .special(.kind):
        rows.append(FormRow(identity: .kind, editor: .choice(contact.kind.rawValue, of: Contact.Kind.allCases.count)))
      case .special(.photo): rows.append(FormRow(identity: .photo, editor: .button))
      case .special(.addresses):
        for address in contact.addresses { rows += self.rows(of: address) }
        rows.append(FormRow(identity: .adder(.address), editor: .button))
      case .special(.birthday): rows.append(row(of: contact.birthday.map(dates.text(of:)) ?? "", in: .birthday))
      case .special(.groups):
        rows.append(row(of: GroupNames.text(of: Favorites.shown(contact.groups, as: favorites)), in: .groups))
      case .special(.cardLines): break
      }
    }
    return (rows, hidden)
  }

  func row(of text: String, in field: SingleField) -> FormRow {
    row(.single(field), field.isProse ? .area(TextArea(text)) : .field(TextField(text)), stored: text)
  }

  mutating func row(of value: LabeledValue, in field: MultiField) -> FormRow {
    defer { nextSerial += 1 }
    let text = field.isDate ? PartialDate(value.value).map(dates.text(of:)) ?? value.value : value.value
    return row(
      .value(field, serial: nextSerial), .field(TextField(text)), label: value.label, stored: value.value)
  }

  /// The rows of an address, one for each part, all with the same serial number.
  mutating func rows(of address: PostalAddress) -> [FormRow] {
    defer { nextSerial += 1 }
    return AddressPart.allCases.map { part in
      let text = address[part]
      return row(
        .address(part, serial: nextSerial), part == .street ? .area(TextArea(text)) : .field(TextField(text)),
        label: address.label, stored: text)
    }
  }

  private func row(_ identity: FormRow.Identity, _ editor: FormEditor, label: String = "", stored: String) -> FormRow {
    FormRow(identity: identity, editor: editor, label: label, initial: (editor.text, stored))
  }
}
