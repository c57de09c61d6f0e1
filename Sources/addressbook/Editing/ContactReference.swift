import AddressBookModel
import Contacts

/// A contact as a person names it on the command line: the id that `list` shows, the uid, or the URI that `show` prints.
enum ContactReference {
  /// The contact that an id, a uid or a URI names; nil when there is none.
  /// - Throws: `CommandFailure` for what begins as a URI and is none.
  static func find(_ text: String, in book: AddressBook) throws -> Contact? {
    if let id = Int64(text), let contact = try book.contact(id: id) { return contact }
    if let contact = try book.contact(uid: text) { return contact }
    guard ContactURI.isOne(text) else { return nil }
    guard let uri = ContactURI(text) else { throw CommandFailure(.misuse, strings("Misuse/uri", text)) }
    return try book.contact(uid: uri.uid)
  }

  /// The contacts that ids or uids name, in their order, each once.
  /// - Throws: `CommandFailure` that names the first one that is not there; then nothing should be changed.
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
  /// Saves, and says in the person's words why it could not be done.
  func saveOrFail() throws {
    do {
      try save()
    } catch {
      throw CommandFailure(.failed, error.message(in: .shared))
    }
  }
}
