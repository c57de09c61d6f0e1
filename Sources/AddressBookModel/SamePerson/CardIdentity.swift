import Contacts

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
