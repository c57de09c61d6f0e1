import AddressBookModel
import ContactInterchange
import Contacts
import PictureFormat
import VCard

/// A card, or a record of another format, on its way into the book.
package struct IncomingCard: Sendable {
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
  package var group: GroupCard?

  /// True if it contains nothing but perhaps a UID.
  let isEmpty: Bool

  /// True for a vCard with a UID: what it lacks is removed from the contact.
  var isWhole: Bool { !contact.uid.isEmpty && !isPartial && patch == nil }
}

/// A group of contacts as a card: `KIND:group` (RFC 6350, 6.1.4), Apple's `X-ADDRESSBOOKSERVER-KIND:group`, or a group
/// in LDIF.
package struct GroupCard: Sendable {
  /// The line of the file where it begins, from 1.
  let line: Int
  /// Its UID; empty if it has none.
  package let uid: String
  package let name: String
  /// The UIDs of its members, or in LDIF their DNs, verbatim.
  package let members: [String]
  /// Its lines, as in ``Contact/cardLines``; empty in LDIF.
  package let lines: [String]
}

extension IncomingCard {
  package init(_ card: consuming ImportedCard) {
    line = card.lineNumber
    contact = card.contact
    picture = card.photo?.bytes
    photoLine = card.photoLine
    isEmpty = card.isEmpty
    if case .group(let name, let members) = card.kind, !name.isEmpty {
      if let photo = card.photoLine { contact.keepPhotoLine(photo, digest: nil) }
      group = GroupCard(
        line: line, uid: card.contact.uid, name: name, members: members, lines: contact.cardLines)
    }
  }

  init(line: Int, patch: ContactPatch) {
    self.line = line
    self.patch = patch
    contact = patch.applied(to: Contact())
    // Values that only the contact's own book can set.
    contact.id = 0
    contact.created = ""
    contact.modified = ""
    contact.contacted = ""
    if case .data(let bytes)? = patch.picture { picture = bytes }
    isEmpty = contact.isEmpty && picture == nil
    if contact.uid.isEmpty, contact.cardLines.isEmpty { makeCard() }
  }

  init(_ record: ImportedRecord) {
    line = record.line
    contact = record.contact
    picture = record.picture
    reference = record.reference
    isPartial = true
    isEmpty = record.contact.isEmpty && record.picture == nil
    if record.members == nil { makeCard() }
    if let members = record.members {
      let name = contact.displayName
      group = name.isEmpty ? nil : GroupCard(line: line, uid: contact.uid, name: name, members: members, lines: [])
    }
  }

  /// Gives a contact of another format a card with the same content. The contact of the book keeps it, so that a later
  /// record of the same source is recognized, and what changed there is told from what was edited here.
  mutating func makeCard() {
    var photo: CardBinary?
    if let picture, let facts = ImageFacts(showing: picture) {
      photo = CardBinary(mediaType: facts.format.mediaType, bytes: picture)
    }
    let read = ContactCardReader().read(ContactCardWriter().card(for: contact, photo: photo))
    (contact.cardLines, photoLine) = (read.contact.cardLines, read.photoLine)
  }
}

extension ImageFacts {
  /// The facts of a photo that the book can show; nil for any other bytes.
  fileprivate init?(showing bytes: [UInt8]) {
    do throws(ImageRefusal) { try self.init(bytes, limits: Photo.limits) } catch { return nil }
  }
}
