import Contacts
import GRDB

/// A loader of contacts by their ids, with one statement per table, however many contacts there are.
package struct ContactLoader {
  private let db: Database
  private let parts: ContactCursor.Parts
  private let damage: DamageLog?

  /// - Parameters:
  ///   - parts: how much of a contact is read.
  ///   - damage: records contacts that differ from their checksums, if whole contacts are read; nil to compare none.
  package init(_ db: Database, parts: ContactCursor.Parts = .all, damage: DamageLog? = nil) {
    self.db = db
    self.parts = parts
    self.damage = damage
  }

  /// Returns the contacts with these ids, in this order, each once; unknown ids are left out. Deleted contacts are
  /// included.
  package func load(_ ids: [Int64]) throws -> [Contact] { try loadStored(ids).map(\.contact) }

  /// Returns the same contacts as ``load(_:)``, with the values of their rows that a `Contact` does not have.
  package func loadStored(_ ids: [Int64]) throws -> [StoredContact] {
    guard !ids.isEmpty else { return [] }
    var contacts: [StoredContact] = []
    contacts.reserveCapacity(ids.count)
    try forEach(ids) { contacts.append($0) }
    if ids.count == 1 { return contacts }
    // The cursor reads in the order of the ids, each once.
    let indexes = Dictionary(contacts.enumerated().map { ($1.contact.id, $0) }, uniquingKeysWith: { first, _ in first })
    var taken: Set<Int64> = []
    return ids.compactMap { id in
      guard let index = indexes[id], taken.insert(id).inserted else { return nil }
      return contacts[index]
    }
  }

  /// Compares contacts with their checksums, before a write replaces the checksums.
  func check(_ ids: [Int64]) throws {
    for batch in ids.batches(of: 500) { try forEach(batch) { _ in } }
  }

  /// Calls `body` with these contacts in the order of their ids.
  private func forEach(_ ids: [Int64], _ body: (StoredContact) -> Void) throws {
    var cursor = try ContactCursor(db, .ids(ids), parts: parts)
    var digest = ContactDigest()
    while let contact = try cursor.next() {
      if let damage { contact.check(&digest, damage) }
      body(contact)
    }
  }

  /// Calls `body` with every contact that is not deleted, in order of id.
  func forEachLiving(_ body: (Contact) throws -> Void) throws {
    var cursor = try ContactCursor(db, .living, parts: parts)
    while let stored = try cursor.next() { try body(stored.contact) }
  }

  /// Returns numbers as a JSON array, so that one statement serves any number of ids.
  package static func json(_ ids: some Sequence<Int64>) -> String {
    var text = "["
    for id in ids {
      if text.utf8.count > 1 { text += "," }
      text += String(id)
    }
    return text + "]"
  }
}

/// A contact and the other columns of its row: everything that its checksum covers.
public struct StoredContact: Sendable {
  /// The contact.
  public package(set) var contact: Contact
  package var derived: DerivedColumns
  /// When it was deleted; empty if it was not.
  package var deleted = ""
  /// The stored checksum of the whole contact; nil if there is none, or if only a part of it was read.
  package var checksum: Int64?

  /// Title of the section that lists show it in: `A` to `Z`, or `#`.
  public var sectionTitle: String { AddressBook.sectionTitle(derived.section) }

  package init(contact: Contact, derived: DerivedColumns, deleted: String = "", checksum: Int64? = nil) {
    self.contact = contact
    self.derived = derived
    self.deleted = deleted
    self.checksum = checksum
  }

  /// True if the row has what this program derives from the contact.
  package var isDerived: Bool { derived == DerivedColumns(contact) }

  package var isDeleted: Bool { !deleted.isEmpty }

  /// The valid versions. Higher ones are damage: no contact is changed that often.
  package static let versions = 1...1 << 48

  /// Returns the checksum of the whole contact, with its version.
  func whole(_ digest: inout ContactDigest) -> Int64 { digest.sum(of: self) ^ Self.mark(of: contact.version) }

  /// Returns true if a checksum was computed from this contact. Earlier versions of the program left the contact's
  /// version out.
  package func fits(_ checksum: Int64, _ digest: inout ContactDigest) -> Bool {
    guard Self.versions.contains(contact.version) else { return false }
    let sum = digest.sum(of: self)
    return sum ^ checksum == Self.mark(of: contact.version) || sum == checksum
  }

  /// Returns the bits by which a version changes a checksum, different for each version (SplitMix64). Checksums are
  /// stored, so this is frozen.
  static func mark(of version: Int) -> Int64 {
    var bits = UInt64(bitPattern: Int64(version)) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return Int64(bitPattern: bits ^ bits >> 31)
  }

  /// True if the contact differs from its checksum.
  package func isDamaged(_ digest: inout ContactDigest) -> Bool { checksum.map { !fits($0, &digest) } ?? false }

  /// Records whether the contact differs from its checksum, if it has one.
  package func check(_ digest: inout ContactDigest, _ damage: DamageLog) {
    if checksum != nil { damage.note(contact.id, .whole, isDamaged: isDamaged(&digest)) }
  }
}
