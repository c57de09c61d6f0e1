import AddressBookModel

/// Contacts as vCards (stub).
struct CardOutput {
  let book: AddressBook
  let version: VCardVersion?
  func write(_ contact: Contact, to sink: (String) throws -> Void) throws { try sink("BEGIN:VCARD\r\nEND:VCARD\r\n") }
}
