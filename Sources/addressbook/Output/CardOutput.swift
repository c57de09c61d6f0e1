import AddressBookModel
import BookInterchange
import Contacts

/// Writes contacts as vCards with their photos.
struct CardOutput {
  private let book: AddressBook
  private let exporter: CardExporter

  /// Writes cards of a version; nil for each card's original version, or else 3.0.
  init(book: AddressBook, version: VCardVersion?) {
    self.book = book
    exporter = CardExporter(version: version?.rawValue)
  }

  func write(_ contact: Contact, to sink: (String) throws -> Void) throws {
    let photo = try book.photoForExport(of: contact)
    try sink(String(decoding: exporter.card(of: contact, photo: photo), as: UTF8.self))
  }
}
