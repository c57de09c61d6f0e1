import AddressBookModel
import BookSearching
import Contacts
import Messages
import SystemCalls

/// A contact as named on the command line: by the id that `list` shows, the UID, the URI that `show` prints, or its
/// name.
enum ContactReference {
  /// The contact with this id, UID, URI or name; nil if there is none.
  /// - Throws: `CommandFailure` for an invalid URI, and for a name that several contacts have.
  static func find(_ text: String, in book: AddressBook) throws -> Contact? {
    if let contact = try identified(text, in: book) { return contact }
    return try id(named: text, in: book).flatMap { try book.contact(id: $0) }
  }

  /// The contact with this id, UID, URI or name.
  /// - Throws: `CommandFailure` also if there is none.
  static func one(_ text: String, in book: AddressBook) throws -> Contact {
    guard let contact = try find(text, in: book) else { throw CommandFailure.noContact(text) }
    return contact
  }

  /// The contact with this id, UID or URI; nil if there is none.
  /// - Throws: `CommandFailure` for an invalid URI.
  static func identified(_ text: String, in book: AddressBook) throws -> Contact? {
    if let id = Int64(text), let contact = try book.contact(id: id) { return contact }
    if let contact = try book.contact(uid: text) { return contact }
    guard ContactURI.isOne(text) else { return nil }
    guard let uri = ContactURI(text) else { throw CommandFailure(.misuse, strings("Misuse/uri", text)) }
    return try book.contact(uid: uri.uid)
  }

  /// The contact that is called so, or else the only one whose name contains these words, whole and in this order; nil
  /// if there is none. A number is not a name: it may be the id of a contact that was deleted.
  /// - Throws: `CommandFailure` that lists the contacts if there are several.
  private static func id(named name: String, in book: AddressBook) throws -> Int64? {
    let words = name.filter { !"\"“”＂".contains($0) }
    guard !ContactURI.isOne(name), Int64(name) == nil, words.contains(where: { !$0.isWhitespace }) else { return nil }
    var ids = try book.contactIDs(named: name)
    if ids.isEmpty, words.count < comparedLetters {
      let queries = BookQueries(book)
      defer { queries.keepIndex() }
      ids = try queries.find("name:\"\(words)\"", explaining: true).filter { $0.matches.allSatisfy(isWhole) }.map(\.id)
    }
    guard ids.count > 1 else { return ids.first }
    var rows: [[String]] = []
    try book.forEachRow(ids: Array(ids.prefix(limit))) { row in
      rows.append([String(row.id), row.displayName, row.phone, row.email, row.organization])
      return true
    }
    throw several(name, rows, isCut: ids.count > limit)
  }

  /// Whether a match is not a part of a longer word: 王伟 is another person than 王伟东.
  private static func isWhole(_ match: ContactMatch) -> Bool {
    let scalars = Array(match.text.unicodeScalars)
    func isLetter(_ index: Int) -> Bool { scalars.indices.contains(index) && scalars[index].properties.isAlphabetic }
    return match.ranges.allSatisfy { !isLetter($0.lowerBound - 1) && !isLetter($0.upperBound) }
  }

  /// How many letters of a word a search compares.
  private static let comparedLetters = 60
  /// How many contacts with a name are listed.
  private static let limit = 20

  /// The failure of a name that several contacts have.
  static func several(_ name: String, _ rows: [[String]], isCut: Bool = false) -> CommandFailure {
    var table = TextTable(titles: (rows.first ?? []).map { _ in "" }, limits: [20, 40, 24, 40, 40])
    for row in rows { table.measure(row) }
    let lines = [strings("Misuse/severalContacts", name)] + rows.map { "  " + table.line($0) } + (isCut ? ["  …"] : [])
    return CommandFailure(.misuse, lines.joined(separator: "\n"))
  }

  /// The ids of the contacts with these ids, UIDs, URIs or names, in order, without duplicates. Ids and UIDs are looked
  /// up together, however many they are.
  /// - Throws: `CommandFailure` about the first one that does not exist, is an invalid URI, or is a name that several
  ///   contacts have; then nothing should be changed.
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
        throw CommandFailure.noContact(text)
      }
      return seen.insert(id).inserted ? id : nil
    }
  }
}

/// A deleted contact as named on the command line: by its id or its whole name.
enum DeletedReference {
  /// The deleted contacts with these ids and names, each once.
  /// - Throws: `CommandFailure` about the first that is not deleted, or is a name that several have.
  static func findAll(_ references: [String], in book: AddressBook) throws -> [DeletedContact] {
    let deleted = try book.deleted(ids: references.compactMap { Int64($0) })
    let isNamed = references.contains { Int64($0) == nil }
    let named = isNamed ? Dictionary(grouping: try book.allDeleted(), by: \.displayName) : [:]
    var seen: Set<Int64> = []
    return try references.compactMap { reference in
      let found = Int64(reference).map { deleted[$0].map { [$0] } } ?? named[reference]
      guard let contact = found?.first else {
        throw CommandFailure(.nothingFound, strings("Found/notDeleted", reference))
      }
      if let found, found.count > 1 {
        throw ContactReference.several(reference, found.map { [String($0.id), $0.displayName, $0.localTime] })
      }
      return seen.insert(contact.id).inserted ? contact : nil
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
