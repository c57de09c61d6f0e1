/// 64 bits, in addition to the ``Signature``, that tell which digits a contact has, and where, and which shared fields.
/// They rule out most contacts in a search for a number or a company, and are enough to answer a search for one digit,
/// except in shared fields.
///
/// Bits 0–9 are digits at the beginning of units of the contact's own texts, 10–19 digits anywhere in those texts,
/// 20–29 digits in email addresses and websites, 30–39 digits of phone numbers; bit 40 is set if there are several
/// phone numbers; 41–63 are a hash of the shared fields, which are compared once for all contacts that have them.
struct ContactFlags: OptionSet, Hashable, BitwiseCopyable, Sendable {
  let rawValue: UInt64

  /// The location of a digit; the raw value is the first of its ten bits.
  enum DigitGroup: UInt64 {
    case startOfUnit = 0
    case texts = 10
    case literals = 20
    case phones = 30
  }

  static let severalPhones = ContactFlags(rawValue: 1 << 40)

  init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Creates the flag of a digit; empty for any other code point.
  init(_ value: UInt32, in group: DigitGroup) {
    rawValue = ContactFlags.isDigit(value) ? 1 << (UInt64(value - 0x30) + group.rawValue) : 0
  }

  init(_ letters: some Sequence<some BinaryInteger>, in group: DigitGroup) {
    var bits: UInt64 = 0
    for letter in letters { bits |= ContactFlags(UInt32(truncatingIfNeeded: letter), in: group).rawValue }
    rawValue = bits
  }

  init(sharedField id: Int) {
    let hash = UInt32(truncatingIfNeeded: id) &* 0x9E37_79B1
    rawValue = 1 << (41 + UInt64(hash >> 16) % 23)
  }

  static func isDigit(_ value: UInt32) -> Bool { value >= 0x30 && value <= 0x39 }
}
