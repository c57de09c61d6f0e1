import AddressBookModel
import Contacts

/// The values of contacts as text, where several are compared.
struct ValueText {
  let strings: Strings
  /// The maximum number of characters shown of a value.
  private static let limit = 4096

  // MARK: Contacts

  /// Returns the name of a field; for the employment, the name of its first field that any contact has.
  func name(of field: ContactField, _ contacts: [Contact]) -> String {
    switch field {
    case .text where DuplicateMerge.Part(field) == .name: return strings("search.field.name")
    case .text(let text) where text.role == .employment:
      let filled = texts(.employment).first { text in contacts.contains { !$0[text].isEmpty } }
      return strings.name(of: .text(filled ?? text))
    default: return strings.name(of: field)
    }
  }

  /// Returns the lines of a contact's value, none if it is empty. The first field of a part stands for the whole part.
  func lines(of field: ContactField, _ contact: Contact) -> [String] {
    switch DuplicateMerge.Part(field) {
    case .kind: return [kind(contact.kind.name)]
    case .name:
      let name = contact.formattedName.isEmpty ? contact.composedName : contact.formattedName
      return [name, contact.phoneticName].filter { !$0.isEmpty }
    case .employment: return texts(.employment).map { contact[$0] }.filter { !$0.isEmpty }
    case .birthday, .text, nil: break
    }
    switch field {
    case .text(let text): return contact[text].isEmpty ? [] : Self.lines(of: contact[text])
    case .values(let list): return contact[keyPath: list.property].map { labeled(text(of: $0, in: list), $0.label) }
    case .special(.birthday): return contact.birthday.map { [day($0)] } ?? []
    case .special(.addresses):
      return contact.addresses.flatMap { address in
        var lines = AddressText.lines(of: address)
        if let last = lines.popLast() { lines.append(labeled(last, address.label)) }
        return lines
      }
    case .special(.groups):
      let groups = Favorites.shown(contact.groups, as: strings("groups.favorites"))
      return groups.isEmpty ? [] : [strings.list(groups)]
    case .special(.photo): return contact.photo.map { [size(of: $0)] } ?? []
    case .special: return []
    }
  }

  // MARK: Conflicts

  /// Returns the name of the field in conflict, in the singular for a list; “contact” for a whole contact.
  func name(of conflict: MergeConflict) -> String {
    guard case .field(let field) = conflict.subject else { return strings("conflict.contact") }
    return strings.name(of: field)
  }

  /// Returns the lines of a value in conflict. The label comes first, because the values of a list have different labels.
  func lines(of value: MergeConflict.Value, in conflict: MergeConflict) -> [String] {
    switch (value, conflict.subject) {
    case (.none, .field(.values)), (.none, .field(.special(.addresses))): [strings("conflict.removed")]
    case (.none, _), (.text(""), _): [strings("conflict.empty")]
    case (.text(let name), .field(.special(.kind))): [kind(name)]
    case (.text(let text), _): Self.lines(of: text)
    case (.day(let day), _): [self.day(day)]
    case (.labeled(let item), .field(.values(let list))): [label(item.label), text(of: item, in: list)]
    case (.address(let address), _): [label(address.label)] + AddressText.lines(of: address)
    case (.photo(let photo), _): [size(of: photo)]
    case (.labeled, _), (.present, _), (.changed, _), (.deleted, _): []
    }
  }

  private func label(_ label: String) -> String { strings.label(label, else: strings("form.label.none")) }

  // MARK: Parts

  private func texts(_ role: ContactField.Text.Role) -> [ContactField.Text] {
    ContactFields.standard.texts.filter { $0.role == role }
  }

  private func text(of item: LabeledValue, in list: ContactField.Values) -> String {
    switch list.rule {
    case .date: PartialDate(item.value).map(day) ?? item.value
    case .phone: PhoneText.grouped(item.value)
    default: item.value
    }
  }

  private func labeled(_ text: String, _ label: String) -> String {
    label.isEmpty ? text : text + strings("list.separator") + strings.localization.label(label)
  }

  private func kind(_ name: String) -> String { strings("form.kind." + name) }

  private func day(_ date: PartialDate) -> String { DateText(strings: strings).text(of: date) }

  /// Returns the format of a photo and its size in KiB, rounded up.
  private func size(of photo: PhotoSummary) -> String {
    let format = photo.mediaType.split(separator: "/").last.map { $0.uppercased() } ?? ""
    let size = strings.number((photo.bytes + 1023) / 1024)
    return format.isEmpty ? strings("form.photo.bytes", size) : strings("form.photo.size", size, format)
  }

  /// Returns the lines of a text, up to the limit.
  private static func lines(of text: String) -> [String] {
    text.prefix(limit).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }
}
