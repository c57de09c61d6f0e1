import AddressBookModel
import Contacts
import Messages
import SystemCalls

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

  /// The ids of the contacts with these ids, UIDs or URIs, in order, without duplicates. They are looked up together,
  /// however many they are.
  /// - Throws: `CommandFailure` that names the first one that does not exist or is an invalid URI; then nothing should
  ///   be changed.
  static func findAll(_ texts: [String], in book: AddressBook) throws -> [Int64] {
    let numbers = texts.map { Int64($0) }
    let existing = try book.existingIDs(numbers.compactMap(\.self))
    var ids = numbers.map { number in number.flatMap { existing.contains($0) ? $0 : nil } }
    func findMissing(_ uid: (String) -> String?) throws {
      let missing = ids.indices.compactMap { index in
        ids[index] == nil ? uid(texts[index]).map { (index: index, uid: $0) } : nil
      }
      for (one, id) in zip(missing, try book.ids(ofUIDs: missing.map(\.uid))) { ids[one.index] = id }
    }
    try findMissing { $0 }
    try findMissing { ContactURI($0)?.uid }
    var seen: Set<Int64> = []
    return try zip(texts, ids).compactMap { text, id in
      guard let id = try id ?? find(text, in: book)?.id else {
        throw CommandFailure(.nothingFound, strings("Found/noContact", text))
      }
      return seen.insert(id).inserted ? id : nil
    }
  }
}

/// A folder as named on the command line: by its name or its path.
enum FolderReference {
  /// The folder with this name, or else with this path.
  /// - Throws: `CommandFailure` if there is none, with the names of the existing folders, or if several have this name.
  static func find(_ name: String, in book: AddressBook) throws -> ContactFolder {
    let folders = try book.folders()
    let named = folders.filter { $0.name == name }
    guard named.count < 2 else {
      throw CommandFailure(.misuse, strings("Misuse/folderName", name, Localization.shared.list(named.map(\.path))))
    }
    if let folder = named.first { return folder }
    let path = RealPath.of(name)
    if let folder = folders.first(where: { $0.path == path }) { return folder }
    guard !folders.isEmpty else { throw CommandFailure(.nothingFound, strings("Found/noFolders", name)) }
    let names = Localization.shared.list(folders.map(\.name))
    throw CommandFailure(.nothingFound, strings("Found/noFolder", name, names))
  }
}
