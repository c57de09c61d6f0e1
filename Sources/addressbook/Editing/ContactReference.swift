import AddressBookModel
import Contacts

/// A contact as named on the command line: by the id that `list` shows, the UID, or the URI that `show` prints.
enum ContactReference {
  /// The contact with this id, UID or URI; nil if there is none.
  /// - Throws: `CommandFailure` for an invalid URI.
  static func find(_ text: String, in book: AddressBook) throws -> Contact? {
    if let id = Int64(text), let contact = try book.contact(id: id) { return contact }
    if let contact = try book.contact(uid: text) { return contact }
    guard ContactURI.isOne(text) else { return nil }
    guard let uri = ContactURI(text) else { throw CommandFailure(.misuse, strings("Misuse/uri", text)) }
    return try book.contact(uid: uri.uid)
  }

  /// The contacts with these ids, UIDs or URIs, in order, without duplicates.
  /// - Throws: `CommandFailure` that names the first one that does not exist; then nothing should be changed.
  static func findAll(_ texts: [String], in book: AddressBook) throws -> [Contact] {
    var seen: Set<Int64> = []
    return try texts.compactMap { text in
      guard let contact = try find(text, in: book) else {
        throw CommandFailure(.nothingFound, strings("Found/noContact", text))
      }
      return seen.insert(contact.id).inserted ? contact : nil
    }
  }
}

extension BookContext {
  /// Saves, or throws an error with the reason in the user's language.
  func saveOrFail() throws {
    do {
      try save()
    } catch {
      throw CommandFailure(.failed, error.message(in: .shared))
    }
  }
}
