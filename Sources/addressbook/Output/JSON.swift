import AddressBookModel
import AddressBookTUI
import BookInterchange
import BookSearching
import ContactInterchange
import Contacts

/// A JSON value whose members keep their order.
enum JSON {
  case text(String)
  case number(Int)
  case boolean(Bool)
  case list([JSON])
  case object([(String, JSON)])
  /// Text that is JSON already, such as that of a contact.
  case encoded(String)
  case null

  /// The value on one line.
  var line: String {
    switch self {
    case .text(let text): ContactJSON.encode(text)
    case .number(let number): String(number)
    case .boolean(let value): String(value)
    case .list(let items): "[" + items.map(\.line).joined(separator: ", ") + "]"
    case .object(let members): "{" + members.map { "\"\($0.0)\": \($0.1.line)" }.joined(separator: ", ") + "}"
    case .encoded(let text): text
    case .null: "null"
    }
  }

  static func texts(_ texts: [String]) -> JSON { .list(texts.map(JSON.text)) }
}

/// The separators of a JSON array with one item per line.
struct JSONArrayLines {
  private var isEmpty = true

  /// Precedes the next item.
  var separator: String {
    mutating get {
      defer { isEmpty = false }
      return isEmpty ? "\n" : ",\n"
    }
  }

  /// Follows the last item.
  var end: String { isEmpty ? "]\n" : "\n]\n" }
}

/// Contacts as JSON: written for other programs, and read for `add`.
enum JSONContacts {
  /// A contact on one line.
  static func text(_ contact: Contact) -> String { ContactJSON.encode(contact, section: contact.sectionTitle) }

  /// Appends a contact, with the matches of a query, without a newline.
  static func append(_ contact: StoredContact, found: FoundContact? = nil, to bytes: inout [UInt8]) {
    ContactJSON.append(
      contact.contact, section: contact.sectionTitle, additions: found.map(additions) ?? [], to: &bytes)
  }

  private static func additions(_ found: FoundContact) -> [(key: String, json: String)] {
    let matches = found.matches.map { match in
      let ranges = match.ranges.map { JSON.list([.number($0.lowerBound), .number($0.upperBound)]) }
      return JSON.object([("field", .text(match.field)), ("ranges", .list(ranges))])
    }
    return [("score", number(found.score)), ("matches", JSON.list(matches).line)]
      + (found.isCorrected ? [("corrected", "true")] : [])
  }

  /// Writes an array with a contact on each line, or only the lines.
  /// - Parameters:
  ///   - ids: the contacts in their order; nil for all in section order.
  ///   - matches: the matches of a query, keyed by contact id.
  /// - Returns: the number of contacts.
  @discardableResult
  static func write(
    of book: AddressBook, _ ids: [Int64]?, matches: [Int64: FoundContact] = [:], inLines: Bool,
    to output: StandardOutput
  ) throws -> Int {
    var array = JSONArrayLines()
    if !inLines { output.write("[") }
    let count = try book.forEachEncoded(ids: ids) { contact, _, bytes in
      append(contact, found: matches[contact.contact.id], to: &bytes)
      if inLines { bytes.append(UInt8(ascii: "\n")) }
    } _: { item in
      if !inLines { output.write(array.separator) }
      output.write(text: item)
      return !output.hasFailed
    }
    if !inLines { output.write(array.end) }
    return count
  }

  /// The versions of a contact that was changed since the version that an edit was based on, on one line: that version
  /// if it is known, the edited contact, the stored one, and the fields that both changed.
  static func text(_ conflict: EditConflict) -> String {
    let edit = conflict.edit
    return JSON.object([
      ("base", edit.base.version == 0 ? .null : .encoded(text(edit.base))), ("mine", .encoded(text(edit.mine))),
      ("theirs", .encoded(text(conflict.theirs))),
      ("conflicts", .list(conflict.conflicts.map { .encoded(ContactJSON.encode($0)) })),
    ]).line
  }

  /// Reads contacts with their photos from a file or, for `-`, from standard input: one object, several, or an array.
  static func read(_ file: String) throws -> [(contact: Contact, photo: Photo?)] {
    let source = file == "-" ? strings("Import/standardInput") : file
    var contacts: [(contact: Contact, photo: Photo?)] = []
    do {
      try JSONFile.read(file, isCancelled: { false }) { line, result in
        switch result {
        case .success(let patch):
          contacts.append((patch.applied(to: Contact()), try photo(patch.picture, source, line)))
        case .failure(let error):
          throw CommandFailure(.failed, strings("Failed/invalid", source, line, error.message(in: .shared)))
        }
      }
    } catch let error as ImportError where error.reason == .notJSON {
      throw CommandFailure(.failed, strings("Failed/invalid", source, error.line ?? 0, strings("Failed/notJSON")))
    }
    guard !contacts.isEmpty else { throw CommandFailure(.failed, strings("Failed/noContacts", source)) }
    return contacts
  }

  private static func photo(_ picture: ContactPatch.Picture?, _ source: String, _ line: Int) throws -> Photo? {
    switch picture {
    case nil: return nil
    case .digest:
      StandardError.line(strings("Import/notice", source, line, strings("ImportNotice/photoElsewhere")))
      return nil
    case .data(let bytes):
      do {
        return try Photo(taking: bytes)
      } catch {
        let reason = PictureMessage.text(of: error, in: .shared)
        throw CommandFailure(.failed, strings("Failed/invalid", source, line, reason))
      }
    }
  }

  /// Four digits after the decimal point, enough to sort by and the same on every machine.
  private static func number(_ value: Double) -> String {
    let scaled = Int((value * 10_000).rounded())
    let digits = String(scaled % 10_000)
    return "\(scaled / 10_000)." + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
