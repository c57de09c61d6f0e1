import AddressBookModel
import Contacts

/// The values of contacts as text, for comparing them.
struct MergeText {
  let strings: Strings

  /// Returns the lines of a contact's value, none if it is empty. The first field of a part stands for the whole part.
  func lines(of field: ContactField, _ contact: Contact) -> [String] {
    switch DuplicateMerge.Part(field) {
    case .kind: return [strings("form.kind." + contact.kind.name)]
    case .name:
      let name = contact.formattedName.isEmpty ? contact.composedName : contact.formattedName
      return [name, contact.phoneticName].filter { !$0.isEmpty }
    case .employment: return texts(.employment).map { contact[$0] }.filter { !$0.isEmpty }
    case .birthday: return contact.birthday.map { [day($0)] } ?? []
    case .text(let text): return contact[text].isEmpty ? [] : [contact[text]]
    case nil: break
    }
    switch field {
    case .text(let text): return contact[text].isEmpty ? [] : ConflictText.lines(of: contact[text])
    case .values(let values): return contact[keyPath: values.property].map { line(of: $0, in: values) }
    case .special(.addresses): return contact.addresses.flatMap(lines)
    case .special(.groups):
      let groups = Favorites.shown(contact.groups, as: strings("groups.favorites"))
      return groups.isEmpty ? [] : [strings.list(groups)]
    case .special(.photo): return contact.photo.map { [ConflictText(strings: strings).size(of: $0)] } ?? []
    case .special: return []
    }
  }

  /// Returns the name of a row; for the employment, the name of its first field that any contact has.
  func name(of field: ContactField, _ contacts: [Contact]) -> String {
    switch field {
    case .text where DuplicateMerge.Part(field) == .name: return strings("search.field.name")
    case .text(let text) where text.role == .employment:
      let filled = texts(.employment).first { text in contacts.contains { !$0[text].isEmpty } }
      return strings.name(of: .text(filled ?? text))
    default: return strings.name(of: field)
    }
  }

  /// Returns why contacts are probably the same: `certain: name, phone`; empty for contacts that the user chose.
  func reason(of candidate: DuplicatesState.Candidate) -> String {
    guard !candidate.pairs.isEmpty else { return "" }
    if candidate.isOnlyNamesakes { return strings("duplicates.namesakes") }
    let reasons = candidate.reasons
    let ordered = reasons.filter { $0 == .name } + reasons.filter { $0 != .name }
    let words = ordered.map { reason in
      switch reason {
      case .name: strings("search.field.name")
      case .link: strings("field.url")
      default: strings("field." + reason.rawValue)
      }
    }
    return strings(
      candidate.isCertain ? "duplicates.certain" : "duplicates.likely", strings.list(words))
  }

  // MARK: Parts

  private func texts(_ role: ContactField.Text.Role) -> [ContactField.Text] {
    ContactFields.standard.texts.filter { $0.role == role }
  }

  private func line(of item: LabeledValue, in values: ContactField.Values) -> String {
    let date = values.rule == .date ? PartialDate(item.value).map(day) : nil
    return labeled(date ?? (values.rule == .phone ? PhoneText.grouped(item.value) : item.value), item.label)
  }

  private func lines(of address: PostalAddress) -> [String] {
    var lines = AddressText.lines(of: address)
    if let last = lines.popLast() { lines.append(labeled(last, address.label)) }
    return lines
  }

  private func labeled(_ text: String, _ label: String) -> String {
    label.isEmpty ? text : text + strings("list.separator") + strings.localization.label(label)
  }

  private func day(_ date: PartialDate) -> String { DateText(strings: strings).text(of: date) }
}
