import ContactInterchange
import Contacts
import GRDB

/// The rules by which two UIDs identify the same person, and which spellings of a UID a book may contain.
///
/// UIDs are equal if their text is identical. A UUID (8-4-4-4-12 hexadecimal digits) also equals the same UUID in lower
/// or upper case, with or without the prefix `urn:uuid:` (RFC 6350, 6.7.6; RFC 9562, 4). The book keeps the text of the
/// first card.
///
/// Some programs give one UID to several people. Among cards of one import that share a UID, those that contradict the
/// first one (``Contact/contradicts(_:)``) are other people, and so are those that contradict the contact of the book
/// with that UID and are not about it under another name (``Contact/mayBeRenamed(to:)``). Each gets a UID made by
/// ``substitute(for:name:number:)`` from the shared one and its name, so that importing the same file again finds it.
package enum CardIdentity {
  /// The number of ``spellings(_:)``, at most.
  static let maximumSpellings = 7

  package static func canonical(_ uid: String) -> String {
    let bare = withoutScheme(uid)
    guard isUUID(bare) else { return uid }
    return bare.utf8.contains { (0x41...0x46).contains($0) } ? bare.lowercased() : bare
  }

  /// Returns the spellings under which this UID is looked up: the given one first, then, for a UUID, as given, all in
  /// lower case and all in upper case, with and without the prefix. The index of UIDs distinguishes case, so a UUID that
  /// is stored in mixed case is looked up apart (``isMixed(_:)``).
  static func spellings(_ uid: String) -> [String] {
    let bare = withoutScheme(uid)
    guard isUUID(bare) else { return [uid] }
    let small = bare.lowercased()
    let capital = bare.uppercased()
    var all = [uid]
    for other in bare == small || bare == capital ? [small, capital] : [bare, small, capital] {
      for spelling in [other, "urn:uuid:" + other] where spelling != uid { all.append(spelling) }
    }
    return all
  }

  /// Returns whether two UIDs are the same.
  package static func isSame(_ one: String, _ other: String) -> Bool {
    !one.isEmpty && canonical(one) == canonical(other)
  }

  /// Returns the UUID in lower case; an empty text for any other UID.
  package static func smallUUID(_ uid: String) -> String {
    let bare = withoutScheme(uid)
    return isUUID(bare) ? bare.lowercased() : ""
  }

  /// Returns whether a UUID is in mixed case.
  static func isMixed(_ uid: String) -> Bool { !spellings(canonical(uid)).contains(uid) }

  /// Returns the possible UIDs for a reference to a group member: vCard 4 prefixes UUIDs with `urn:uuid:`, and some
  /// programs do so with any UID.
  package static func spellings(ofMember reference: String) -> [String] {
    let bare = withoutScheme(reference)
    return bare == reference || isUUID(bare) ? spellings(reference) : [reference, bare]
  }

  /// Returns the reference to a group member with this UID, which must be a URI (RFC 6350, 6.6.5): with the prefix
  /// `urn:uuid:`, as Apple's programs write it for any UID, unless the UID is a URI itself.
  static func reference(_ uid: String) -> String { uid.contains(":") ? uid : "urn:uuid:" + uid }

  /// Returns the UID of a second person whose card has the UID of someone else; always the same for the same person.
  /// - Parameter number: from 1; higher for further people with the same name.
  static func substitute(for uid: String, name: String, number: Int) -> String {
    let parts = [canonical(uid), ContentKey.folded(name), String(number)]
    return UniqueID.make(from: parts.joined(separator: "\0"))
  }

  private static func withoutScheme(_ uid: String) -> String {
    let scheme = "urn:uuid:"
    // Check the first byte before the rest: few other UIDs begin with a U.
    guard let first = uid.utf8.first, first | 0x20 == UInt8(ascii: "u"), uid.utf8.count > scheme.utf8.count,
      uid.prefix(scheme.count).lowercased() == scheme
    else { return uid }
    return String(uid.dropFirst(scheme.count))
  }

  private static func isUUID(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    var index = 0
    for byte in text.utf8 {
      defer { index += 1 }
      switch index {
      case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
      default:
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: break
        default: return false
        }
      }
    }
    return true
  }
}

/// The UIDs that are known not to be in the book: most cards need no query of their own. One query covers a batch of
/// cards; a book that was empty needs none.
///
/// A free UID that is not recognized as free costs a query. A UID that the book has in any spelling is never taken for
/// a free one.
struct FreeUIDs {
  private let db: Database
  private let wasEmpty: Bool
  /// A Bloom filter of the UIDs that this import wrote to an empty book, with two bits per UID.
  private var written: [UInt64]
  private static let bits = 1 << 23
  /// The UIDs of the batch that were looked up, in their canonical spelling, and those that the book has.
  private var confirmed: Set<String> = []
  private var present: Set<String> = []
  /// UIDs that the book has in other spellings, in their canonical spelling.
  private let others: Set<String>

  init(_ db: Database, others: () throws -> Set<String>) throws {
    self.db = db
    wasEmpty = try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM contact)") ?? false
    self.others = wasEmpty ? [] : try others()
    written = wasEmpty ? Array(repeating: 0, count: Self.bits / 64) : []
  }

  mutating func lookUp(_ uids: [String]) throws {
    if wasEmpty { return }
    confirmed = []
    var spellings: [String] = []
    for uid in uids where !uid.isEmpty {
      // SQLite's JSON functions may stop at a NUL. UIDs with any control character are rare, so skip them all.
      guard !uid.utf8.contains(where: { $0 < 0x20 }) else { continue }
      confirmed.insert(CardIdentity.canonical(uid))
      spellings += CardIdentity.spellings(uid)
    }
    let statement = try db.cachedStatement(
      sql: "SELECT uid FROM contact WHERE uid IN (SELECT value FROM json_each(?))")
    present = try Set(
      String.fetchAll(statement, arguments: [StoredLines.text(spellings)]).map(CardIdentity.canonical))
  }

  /// Returns true if no contact has this UID, in any spelling; false if that is not certain.
  /// - Parameter key: its canonical spelling.
  func isFree(_ key: String) -> Bool {
    if wasEmpty { return !bitNumbers(of: key).allSatisfy(isSet) }
    return confirmed.contains(key) && !present.contains(key) && !others.contains(key)
  }

  /// Records the UID of a contact that was written.
  /// - Parameter key: its canonical spelling.
  mutating func insert(_ key: String) {
    guard wasEmpty else {
      present.insert(key)
      return
    }
    for bit in bitNumbers(of: key) { written[bit / 64] |= 1 << UInt64(bit % 64) }
  }

  private func bitNumbers(of key: String) -> [Int] {
    let hash = UInt(bitPattern: key.hashValue)
    return [Int(hash % UInt(Self.bits)), Int((hash >> 32) % UInt(Self.bits))]
  }

  private func isSet(_ bit: Int) -> Bool { written[bit / 64] & 1 << UInt64(bit % 64) != 0 }
}

/// The cards without a UID that living contacts came from, as they were imported. Such a card is the identity of its
/// contact, whatever was edited since.
struct OriginalCards {
  private let db: Database
  private let reader = ContactCardReader()

  init(_ db: Database) { self.db = db }

  /// Calls `body` with what each card says, with the id of the contact and the lines of the card.
  func forEach(_ body: (Contact) throws -> Void) throws { try forEach("", [], body) }

  /// Returns what the cards of these contacts say.
  func load(_ ids: [Int64]) throws -> [Contact] {
    var cards: [Contact] = []
    try forEach("AND id IN (SELECT value FROM json_each(?))", [ContactLoader.json(ids)]) { cards.append($0) }
    return cards
  }

  private func forEach(_ condition: String, _ arguments: StatementArguments, _ body: (Contact) throws -> Void) throws {
    // The pattern spares the parsing of nearly all cards that have a UID.
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT contact_id, lines FROM contact_card JOIN contact ON id = contact_id
        WHERE deleted_at IS NULL AND lines NOT LIKE '%"UID:%' \(condition) ORDER BY contact_id
        """,
      arguments: arguments)
    while let row = try rows.next() {
      var kept = Contact()
      kept.cardLines = StoredLines.lines(row.text(1))
      guard var card = reader.original(of: kept), card.uid.isEmpty else { continue }
      card.id = row.integer(0)
      card.cardLines = kept.cardLines
      try body(card)
    }
  }
}
