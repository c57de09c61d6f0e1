import Contacts

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
