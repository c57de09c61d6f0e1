/// 64 bits beside the ``Signature`` that tell which digits a contact has, and where, and which shared fields: most contacts
/// that a number or a company does not find are passed over by them, and a single digit is answered by them alone.
///
/// Bits 0–9 are digits with which units of the contact's own texts begin, 10–19 digits anywhere in those texts, 20–29
/// digits in addresses and links, 30–39 digits of telephone numbers; bit 40 is set where there are several of those; 41–63
/// are a hash of the shared fields, which are compared once for all who have them.
struct ContactFlags: OptionSet, Hashable, BitwiseCopyable, Sendable {
  let rawValue: UInt64

  /// Where a digit is; the first bit of ten.
  enum Place: UInt64 {
    case startOfUnit = 0
    case texts = 10
    case literals = 20
    case phones = 30
  }

  /// The contact has more than one telephone number.
  static let severalPhones = ContactFlags(rawValue: 1 << 40)

  init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The mark of a digit; none for another code point.
  init(_ value: UInt32, in place: Place) {
    rawValue = ContactFlags.isDigit(value) ? 1 << (UInt64(value - 0x30) + place.rawValue) : 0
  }

  /// The marks of all digits among letters.
  init(_ letters: some Sequence<some BinaryInteger>, in place: Place) {
    var bits: UInt64 = 0
    for letter in letters { bits |= ContactFlags(UInt32(truncatingIfNeeded: letter), in: place).rawValue }
    rawValue = bits
  }

  /// The mark of a shared field.
  init(sharedField id: Int) {
    let hash = UInt32(truncatingIfNeeded: id) &* 0x9E37_79B1
    rawValue = 1 << (41 + UInt64(hash >> 16) % 23)
  }

  /// Whether a code point has marks.
  static func isDigit(_ value: UInt32) -> Bool { value >= 0x30 && value <= 0x39 }
}
