import Contacts

/// The contact that results from the input.
extension FormModel {
  /// The contact with the current input. Empty values are left out.
  var contact: Contact {
    var contact = original
    for field in ContactFields.standard.values { contact[keyPath: field.property] = [] }
    var addresses: [(serial: Int, address: PostalAddress)] = []
    for row in rows {
      switch row.identity {
      case .kind:
        if case .choice(let chosen, _) = row.editor { contact.kind = Contact.Kind(rawValue: chosen) ?? .person }
      case .single(.birthday): contact.birthday = day(in: row)
      case .single(.groups):
        contact.groups = row.text == initialGroups.text ? initialGroups.names : typedGroups(in: row.text)
      case .single(.text(let field)): contact[field] = field.role == .prose ? row.text : row.text.trimmed
      case .value(let field, _):
        let text = row.text.trimmed
        if let values = field.values, !text.isEmpty {
          contact[keyPath: values.property].append(LabeledValue(label: row.label, value: stored(row, text)))
        }
      case .address(let part, let serial):
        if addresses.last?.serial != serial { addresses.append((serial, PostalAddress(label: row.label))) }
        addresses[addresses.count - 1].address[part] = row.text.trimmed
      case .adder, .photo, .moreNames: break
      }
    }
    contact.addresses = addresses.map(\.address).filter { !$0.isEmpty }
    contact.dropOutdatedFullName(since: original)
    return contact
  }

  /// True if a birthday was typed that is not a valid date.
  var hasUnreadableBirthday: Bool {
    rows.contains { row in
      row.identity == .single(.birthday) && !row.text.trimmed.isEmpty && day(in: row) == nil
    }
  }

  /// The text to store for a labeled value: the initial one if it was not edited, otherwise a date in ISO format or the
  /// text as it is.
  private func stored(_ row: FormRow, _ text: String) -> String {
    if let initial = row.initial, initial.text == row.text { return initial.stored }
    return day(in: row)?.iso ?? text
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
