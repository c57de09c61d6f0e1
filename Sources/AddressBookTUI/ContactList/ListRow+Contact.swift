import AddressBookModel

extension ListRow {
  /// A person's line with what the search matched in it.
  init(_ contact: ContactRow, matches: [ContactMatch], words: Words) {
    func ranges(_ field: String) -> [Range<Int>] { matches.first { $0.field == field }?.ranges ?? [] }
    name = Cell(
      text: contact.displayName.isEmpty ? words("contact.nameless") : contact.displayName, matches: ranges("name"))
    let grouped = PhoneText.grouped(contact.phone)
    phone = Cell(text: grouped, matches: PhoneText.ranges(ranges("phones[0]"), of: contact.phone, in: grouped))
    organization = Cell(text: contact.organization, matches: ranges("organization"))
    email = Cell(text: contact.email, matches: ranges("emails[0]"))
  }
}
