import AddressBookModel
import AddressBookTUI
import ContactInterchange
import Contacts

/// Contacts as JSON: written for other programs, and read for `add`.
enum JSONContacts {
  /// A contact on one line, with the matches of a query.
  static func text(_ contact: Contact, found: FoundContact? = nil) -> String {
    guard let found else { return ContactJSON.encode(contact, section: contact.sectionTitle) }
    let matches = found.matches.map { match in
      let ranges = match.ranges.map { "[\($0.lowerBound), \($0.upperBound)]" }.joined(separator: ", ")
      return "{\"field\": \(ContactJSON.encode(match.field)), \"ranges\": [\(ranges)]}"
    }
    return ContactJSON.encode(
      contact, section: contact.sectionTitle,
      additions: [
        ("score", number(found.score)), ("matches", "[" + matches.joined(separator: ", ") + "]"),
      ])
  }

  /// Both versions of a contact that no longer has the version that an edit was meant for, on one line.
  static func text(_ conflict: VersionConflict) -> String {
    let conflicts = conflict.conflicts.map { ContactJSON.encode($0) }.joined(separator: ", ")
    return "{\"base\": \(conflict.base.map { text($0) } ?? "null"), \"mine\": \(text(conflict.mine)), "
      + "\"theirs\": \(text(conflict.theirs)), \"conflicts\": [\(conflicts)]}"
  }

  /// Reads contacts with their photos from a file or, for `-`, from standard input: one object, several, or an array.
  static func read(_ file: String) throws -> [(contact: Contact, photo: Photo?)] {
    var contacts: [(contact: Contact, photo: Photo?)] = []
    try JSONFile.read(file, isCancelled: { false }) { line, result in
      switch result {
      case .success(let patch):
        contacts.append((patch.applied(to: Contact()), try photo(patch.picture, file, line)))
      case .failure(let error):
        throw CommandFailure(.failed, strings("Failed/invalid", file, line, error.message(in: .shared)))
      }
    }
    guard !contacts.isEmpty else { throw CommandFailure(.failed, strings("Failed/noContacts", file)) }
    return contacts
  }

  private static func photo(_ picture: ContactPatch.Picture?, _ file: String, _ line: Int) throws -> Photo? {
    switch picture {
    case nil: return nil
    case .digest:
      StandardError.line(strings("Import/notice", file, line, strings("ImportNotice/photoElsewhere")))
      return nil
    case .data(let bytes):
      do {
        return try Photo(taking: bytes)
      } catch {
        let reason = PictureMessage.text(of: error, in: .shared)
        throw CommandFailure(.failed, strings("Failed/invalid", file, line, reason))
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
