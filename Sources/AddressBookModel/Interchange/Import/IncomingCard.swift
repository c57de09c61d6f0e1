import ContactInterchange
import Contacts
import VCard

struct IncomingCard: Sendable {
  /// The line of the file where it begins, from 1.
  let line: Int
  /// Its contact; the UID is empty if the card has none.
  var contact: Contact
  /// The fields that a JSON object contains; nil for all other formats.
  var patch: ContactPatch?
  /// The bytes of its photo, unchecked.
  var picture: [UInt8]?
  /// The line of the photo in a vCard.
  var photoLine: ImportedCard.PhotoLine?
  /// The name by which groups of the same file refer to it, other than its UID; empty if there is none.
  var reference = ""
  /// True for a record of a format with few fields: its texts replace those of the contact and its values are added,
  /// but what it lacks stays in the contact.
  var isPartial = false
  /// Set if the card is a group and not a contact.
  var group: GroupCard?

  /// True if it contains nothing but perhaps a UID.
  let isEmpty: Bool

  /// True for a vCard with a UID: what it lacks is removed from the contact.
  var isWhole: Bool { !contact.uid.isEmpty && !isPartial && patch == nil }
}

/// A group of contacts as a card: `KIND:group` (RFC 6350, 6.1.4), Apple's `X-ADDRESSBOOKSERVER-KIND:group`, or a group
/// in LDIF.
struct GroupCard: Sendable {
  /// The line of the file where it begins, from 1.
  let line: Int
  /// Its UID; empty if it has none.
  let uid: String
  let name: String
  /// The UIDs of its members, or in LDIF their DNs, verbatim.
  let members: [String]
  /// Its lines, as in ``Contact/cardLines``; empty in LDIF.
  let lines: [String]
}

protocol CardSource: AnyObject {
  /// Returns the next card or diagnostic; nil at the end.
  func next() throws(ImportError) -> CardEvent?
  var bytesTaken: Int { get }
  /// The fraction of the input that was read, 0 to 1; nil if its size is unknown.
  var fraction: Double? { get }
}

enum CardEvent: Sendable {
  case card(IncomingCard)
  /// A problem with a card that is imported, or text between cards.
  case finding(line: Int, ImportNotice.Kind)
  /// A card that cannot be imported.
  case unreadable(line: Int, ImportNotice.Kind)
}
