import ContactInterchange
import Contacts
import VCard

/// A card on its way into the book.
struct IncomingCard: Sendable {
  /// Line of the file where it begins, from 1.
  let line: Int
  /// Its person or organization; the uid is empty when the card has none.
  var contact: Contact
  /// What a JSON object says and what it does not; nil for a vCard, which says everything.
  var patch: ContactPatch?
  /// Bytes of its photo, unchecked.
  var picture: [UInt8]?
  /// Set when the card is a group and not a contact.
  var group: GroupCard?

  /// True when there is nothing in it but perhaps a UID.
  var isEmpty: Bool { contact.isEmpty && picture == nil }
}

/// A group of contacts as a card: `KIND:group` (RFC 6350, 6.1.4) or Apple's `X-ADDRESSBOOKSERVER-KIND:group`.
struct GroupCard: Sendable {
  /// Line of the file where it begins, from 1.
  let line: Int
  /// Its UID; empty when it has none.
  let uid: String
  /// Its name.
  let name: String
  /// UIDs of its members as they stand.
  let members: [String]
}

/// Where an import gets its cards from, one at a time.
protocol CardSource: AnyObject {
  /// The next card or finding, or nil at the end.
  func next() throws(ImportError) -> CardEvent?
  /// Bytes of the input that were read.
  var bytesTaken: Int { get }
  /// Part of the input that was read, 0 to 1; nil when its size is not known.
  var fraction: Double? { get }
}

/// What a ``CardSource`` finds.
enum CardEvent: Sendable {
  case card(IncomingCard)
  /// Something to tell about a card that is taken, or about text between cards.
  case finding(line: Int, ImportNotice.Kind)
  /// A card that cannot be taken.
  case unreadable(line: Int, ImportNotice.Kind)
}
