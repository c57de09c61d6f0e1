import AddressBookModel
import Contacts

/// The contact that results from the input.
extension FormModel {
  /// The contact with the current input. Values that were emptied, or added and left empty, are left out.
  var contact: Contact {
    var contact = original
    let stored = storedSerials
    for field in ContactFields.standard.values { contact[keyPath: field.property] = [] }
    var typed: [TypedValues] = []
    var addresses: [(serial: Int, address: PostalAddress)] = []
    for row in rows {
      switch row.identity {
      case .kind:
        if case .choice(let chosen, _) = row.editor { contact.kind = Contact.Kind(rawValue: chosen) ?? .person }
      case .single(.birthday): contact.birthday = day(in: row)
      case .single(.groups):
        contact.groups = row.text == initialGroups.text ? initialGroups.names : typedGroups(in: row.text)
      case .single(.text(let field)): contact[field] = storedText(of: row)
      case .value(let field, let serial):
        if let values = field.values, stored.contains(serial) {
          guard row.isEdited else {
            contact[keyPath: values.property].append(LabeledValue(label: row.label, value: storedText(of: row)))
            continue
          }
          typed.append(TypedValues(storedText(of: row), in: values))
          contact[keyPath: values.property] += (typed.last?.values ?? []).filter { !$0.isEmpty }.map {
            LabeledValue(label: row.label, value: $0)
          }
        }
      case .address(let part, let serial):
        guard stored.contains(serial) else { continue }
        if addresses.last?.serial != serial { addresses.append((serial, PostalAddress(label: row.label))) }
        addresses[addresses.count - 1].address[part] = storedText(of: row)
      case .adder, .photo, .moreNames: break
      }
    }
    contact.addresses = addresses.map(\.address)
    for texts in typed { contact.takeName(of: texts) }
    contact.dropOutdatedFullName(since: original)
    return contact
  }

  /// True if a birthday was typed that is not a valid date.
  var hasUnreadableBirthday: Bool {
    rows.contains { row in
      row.identity == .single(.birthday) && !row.text.trimmed.isEmpty && day(in: row) == nil
    }
  }

  /// The text to store for a row: the stored one if the row was not edited, even if it could not be typed; otherwise
  /// free text as it is, a date in ISO format, and any other text without white space at its ends.
  private func storedText(of row: FormRow) -> String {
    let text = row.text
    if let initial = row.initial, initial.text == text { return initial.stored }
    return row.isProse ? text : day(in: row)?.iso ?? text.trimmed
  }

  /// The serial numbers of the values to store: those that have text, and those that were not edited.
  var storedSerials: Set<Int> {
    let values = rows.compactMap { row in row.serial.map { (serial: $0, row: row) } }
    let edited = values.filter { $0.row.isEdited }
    let filled = values.filter { !storedText(of: $0.row).isEmpty }
    return Set(values.map(\.serial)).subtracting(edited.map(\.serial)).union(filled.map(\.serial))
  }

  /// The date in a row for dates; nil for any other row, and if the text is not a date.
  func day(in row: FormRow) -> PartialDate? {
    switch row.identity {
    case .single(.birthday): dates.day(row.text.trimmed)
    case .value(let field, _) where field.isDate: dates.day(row.text.trimmed)
    default: nil
    }
  }
}
