import AddressBookModel

/// Contacts as JSON (stub).
enum JSONContacts {
  static func text(_ contact: Contact, found: FoundContact? = nil) -> String { "{\"id\": \(contact.id)}" }
  static func read(_ file: String) throws -> [Contact] { [] }
  static func sectionTitle(_ section: Int) -> String {
    section < 26 ? String(UnicodeScalar(UInt8(65 + section))) : "#"
  }
}
