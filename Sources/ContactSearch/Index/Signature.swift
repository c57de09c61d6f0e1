/// 64 bits that say with which letters the units of a contact begin: a cheap test that most contacts fail.
///
/// Bits 0–25 are letters in the name, 26–51 letters elsewhere, 52–63 a hash of other first characters anywhere.
enum Signature {
  private static let elsewhere: UInt64 = 26
  private static let others: UInt64 = 52

  /// The bit of a first letter.
  static func bit(_ value: UInt32, inName: Bool) -> UInt64 {
    if value >= 0x61 && value <= 0x7A { return 1 << (UInt64(value - 0x61) + (inName ? 0 : elsewhere)) }
    return hashed(value)
  }

  /// The bits of which a contact has one if some unit may take a term's letter first.
  static func bits(startingWith letter: TermPattern.Letter, isFuzzy: Bool) -> UInt64 {
    var mask = UInt64(letter.mask)
    let l: UInt64 = 1 << 11
    let n: UInt64 = 1 << 13
    if isFuzzy, mask & (l | n) != 0 { mask |= l | n }
    var bits = mask | mask << elsewhere
    if letter.mask == 0 || letter.value < 0x61 { bits |= hashed(letter.form) }
    return bits
  }

  /// The letters that begin something, in the name or elsewhere.
  static func letters(_ letter: TermPattern.Letter) -> UInt64 {
    UInt64(letter.mask) | UInt64(letter.mask) << elsewhere
  }

  private static func hashed(_ value: UInt32) -> UInt64 {
    1 << (others + UInt64((value &* 0x9E37_79B1) >> 16) % 12)
  }
}
