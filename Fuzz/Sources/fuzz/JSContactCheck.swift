import ContactInterchange
import Contacts
import VCard

/// JSContact Cards: a contact that has been written once is read back unchanged.
enum JSContactCheck {
  static func check(_ bytes: [UInt8]) {
    guard let card = try? JSContactReader.card(of: bytes) else { return }
    let first = ContactCardReader().read(card)
    let second = comesBack(first)
    let third = comesBack(second)
    if second.contact != third.contact { fatalError("\(second.contact)\nis read as\n\(third.contact)") }
    if first.photo?.bytes != second.photo?.bytes { fatalError("another photo") }
    if first.contact.phones.count != second.contact.phones.count
      || first.contact.emails.count != second.contact.emails.count
    {
      fatalError("\(first.contact)\nlost a value:\n\(second.contact)")
    }
  }

  private static func comesBack(_ imported: ImportedCard) -> ImportedCard {
    let text = JSContactWriter().text(of: imported.contact, photo: imported.photo)
    guard let card = try? JSContactReader.card(of: Array(text.utf8)) else {
      fatalError("\(imported.contact)\nis not a Card but\n\(text)")
    }
    return ContactCardReader().read(card)
  }
}
