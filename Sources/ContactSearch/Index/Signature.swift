/// 64 bits for the first letters of a contact's units: a cheap test that rules out most contacts.
///
/// Bits 0–25 are letters in the name; 26–51 letters elsewhere, at the start of email addresses and websites, and after
/// an @; 52–63 are a hash of first characters that are neither letters nor digits. Digits and shared fields are in
/// ``ContactFlags``.
enum Signature {
  static let elsewhere: UInt64 = 26
  private static let other: UInt64 = 52

  /// Returns the bit of a unit's first character; 0 for a digit.
  static func bit(_ value: UInt32, inName: Bool) -> UInt64 {
    if isLetter(value) { return 1 << (UInt64(value - 0x61) + (inName ? 0 : elsewhere)) }
    return ContactFlags.isDigit(value) ? 0 : hashed(value)
  }

  static func isLetter(_ value: UInt32) -> Bool { value >= 0x61 && value <= 0x7A }

  /// Returns the bit of a character that is neither a letter nor a digit.
  static func hashed(_ value: UInt32) -> UInt64 { 1 << (other + UInt64((value &* 0x9E37_79B1) >> 16) % 12) }

  /// Returns the possible first letters of a unit whose match begins with this letter of a term.
  static func letters(_ letter: TermPattern.Letter, isFuzzy: Bool) -> UInt32 {
    let l: UInt32 = 1 << 11
    let n: UInt32 = 1 << 13
    return isFuzzy && letter.mask & (l | n) != 0 ? letter.mask | l | n : letter.mask
  }
}
