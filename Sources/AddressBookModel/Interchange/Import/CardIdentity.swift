import Contacts

/// When two UIDs name one person, and which spellings of a UID a book may hold.
///
/// The rule: UIDs are equal when their text is equal to the letter. A UUID (8-4-4-4-12 hexadecimal digits) is equal to
/// the same UUID in letters of another case and with or without `urn:uuid:` before it (RFC 6350, 6.7.6; RFC 9562, 4). The
/// book keeps the text of the card that came first.
///
/// Some programs give one UID to several people. Of the cards of one import that share a UID, those that contradict the
/// first one (``Contact/contradicts(_:)``) are other people: each gets the UID that ``substitute(for:name:number:)`` makes
/// of the shared one and of its name, so that importing the same file again finds it.
enum CardIdentity {
  /// The one text that all spellings of a UID share.
  static func canonical(_ uid: String) -> String {
    let bare = withoutScheme(uid)
    return isUUID(bare) ? bare.lowercased() : uid
  }

  /// Spellings that a book may hold for this UID, the given one first.
  static func spellings(_ uid: String) -> [String] {
    let bare = withoutScheme(uid)
    guard isUUID(bare) else { return [uid] }
    let small = bare.lowercased()
    let capital = bare.uppercased()
    var all = [uid]
    for other in [small, capital, "urn:uuid:" + small, "urn:uuid:" + capital] where other != uid { all.append(other) }
    return all
  }

  /// A reference to a member of a group as a UID: vCard 4 puts `urn:uuid:` before what is a UUID, and other programs
  /// before any UID at all.
  static func spellings(ofMember reference: String) -> [String] {
    let bare = withoutScheme(reference)
    return bare == reference || isUUID(bare) ? spellings(reference) : [reference, bare]
  }

  /// The UID of a second person under a UID that belongs to somebody else; always the same for the same person.
  /// - Parameter number: from 1; greater for further people of one name.
  static func substitute(for uid: String, name: String, number: Int) -> String {
    let parts = [canonical(uid), ContentKey.folded(name), String(number)]
    return UniqueID.make(from: parts.joined(separator: "\0"))
  }

  private static func withoutScheme(_ uid: String) -> String {
    let scheme = "urn:uuid:"
    guard uid.utf8.count > scheme.utf8.count, uid.prefix(scheme.count).lowercased() == scheme else { return uid }
    return String(uid.dropFirst(scheme.count))
  }

  private static func isUUID(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    for (place, byte) in text.utf8.enumerated() {
      switch place {
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
