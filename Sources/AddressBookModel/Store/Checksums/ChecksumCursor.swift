import Contacts
import GRDB

/// Compares contacts with their checksums, from the bytes of their rows: decoding them takes several times as long.
/// It also computes the checksums that they have once they are deleted or restored.
///
/// ``StoredContact/whole(_:)`` is the plain way, which also decides about every contact that does not fit here.
final class ChecksumCursor {
  /// The values of a contact's row that a deletion or a restoration changes.
  struct Change: Sendable {
    /// The time of the deletion; empty for a restoration.
    let deleted: String
    /// The time of the change.
    let modified: String
  }

  /// A contact, and its checksums after the change.
  struct Sums: Sendable {
    let id: Int64
    let version: Int
    let isDeleted: Bool
    /// The checksums after the change; nil if the contact has none or does not fit it, and must be compared in the
    /// plain way.
    var after: (whole: Int64, list: Int64)?
  }

  private static let texts = ContactFields.standard.texts.map(\.column).sorted()
  private static let fields = ContactFields.standard.values.map(\.table).sorted()
  private static let parts = AddressPart.allCases.map(\.column).sorted()
  private static let firstText = 13
  private static let selection =
    "SELECT id, version, deleted_at, uid, kind, birthday, created_at, modified_at, "
    + (DerivedColumns.columns + texts).joined(separator: ", ") + " FROM contact"

  private let change: Change
  private let contacts: StatementRows
  private var values: [PartCursor]
  private var addresses: PartCursor
  private var cards: PartCursor
  private var groups: PartCursor
  private var photos: PartCursor
  private var checksums: PartCursor
  private let textNames = texts.map { Array($0.utf8) }
  private let valueNames = fields.map { Array($0.utf8) }
  private let partNames = parts.map { Array($0.utf8) }
  private var digest = ContactDigest()

  /// - Parameters:
  ///   - ids: contacts, deleted or not; unknown ids are left out.
  ///   - change: what is going to be written to each.
  init(_ db: Database, _ ids: [Int64], after change: Change) throws {
    self.change = change
    let source = ContactSource(db, .ids(ids))
    contacts = try source.contacts(Self.selection)
    values = try Self.fields.map { try source.parts("label, value", of: $0) }
    addresses = try source.parts("label, " + Self.parts.joined(separator: ", "), of: "address")
    cards = try source.rows("contact_id, lines", of: "contact_card", order: "contact_id")
    groups = try source.rows(
      "contact_id, g.name", of: "group_member m JOIN contact_group g ON g.id = m.group_id", order: "contact_id, g.name")
    photos = try source.rows("contact_id, media_type, byte_count, sha256", of: "avatar", order: "contact_id")
    checksums = try source.rows("contact_id, whole, list", of: "contact_checksum", order: "contact_id")
  }

  deinit {
    contacts.stop()
    for part in values + [addresses, cards, groups, photos, checksums] { part.stop() }
  }

  /// The next contact; nil after the last.
  func next() throws -> Sums? {
    guard let row = try contacts.next() else { return nil }
    var sums = Sums(id: row.integer(0), version: row.number(1), isDeleted: !row.isNull(2))
    guard try appendContent(row, sums.id) else { return sums }
    let start = digest.count
    var known: (whole: Int64, list: Int64)?
    try checksums.take(sums.id) { known = ($0.integer(1), $0.integer(2)) }
    guard let known, StoredContact.fits(sum(row, from: start, after: nil), known.whole, version: sums.version) else {
      return sums
    }
    // A list shows neither the version nor the times.
    sums.after = (sum(row, from: start, after: change) ^ StoredContact.mark(of: sums.version + 1), known.list)
    return sums
  }

  /// Appends what the change leaves as it is.
  /// - Returns: false if it is not stored as this program stores it.
  private func appendContent(_ row: StatementRow, _ id: Int64) throws -> Bool {
    let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    digest.begin()
    row.withText(3) { digest.append("uid", $0) }
    digest.append("kind", row.number(4))
    row.withText(5) { digest.append("birthday", $0) }
    for place in textNames.indices { row.withText(Self.firstText + place) { digest.append(textNames[place], $0) } }
    for place in values.indices {
      try values[place].take(id) { row in
        row.withText(1) { label in row.withText(2) { digest.append(valueNames[place], label, $0) } }
      }
    }
    try addresses.take(id) { row in
      row.withText(1) { digest.append(Self.address, $0, none) }
      for place in partNames.indices { row.withText(2 + place) { digest.append(partNames[place], $0) } }
    }
    var isRegular = true
    try cards.take(id) { row in
      isRegular = row.withText(1) { StoredLines.forEach(in: $0) { digest.append(Self.cardLine, $0, none) } }
    }
    try groups.take(id) { $0.withText(1) { digest.append("group", $0) } }
    try photos.take(id) { row in
      row.withText(1) { type in row.withText(3) { digest.append(Self.avatar, type, $0) } }
      digest.append("byte_count", row.number(2))
    }
    row.withText(6) { digest.append("created_at", $0) }
    return isRegular
  }

  private static let address = Array("address".utf8)
  private static let cardLine = Array("card_line".utf8)
  private static let avatar = Array("avatar".utf8)

  /// The sum of everything, with the values before or after the change.
  private func sum(_ row: StatementRow, from start: Int, after change: Change?) -> Int64 {
    digest.truncate(to: start)
    if var change = change.map({ ($0.modified, $0.deleted) }) {
      change.0.withUTF8 { digest.append("modified_at", $0) }
      change.1.withUTF8 { digest.append("deleted_at", $0) }
    } else {
      row.withText(7) { digest.append("modified_at", $0) }
      row.withText(2) { digest.append("deleted_at", $0) }
    }
    row.withBytes(10) { digest.append("sort_key", bytes: $0) }
    let list = digest.count
    row.withText(8) { digest.append("display_name", $0) }
    digest.append("section", row.number(9))
    row.withText(11) { digest.append("list_phone", $0) }
    row.withText(12) { digest.append("list_email", $0) }
    digest.append("kind", row.number(4))
    digest.append("list", Int(truncatingIfNeeded: digest.sum(from: list)))
    return digest.sum(from: 0)
  }
}
