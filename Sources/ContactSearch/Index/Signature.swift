/// 64 bits that say with which letters the units of a contact begin: a cheap test that most contacts fail.
///
/// Bits 0–25 are letters in the name, 26–51 letters elsewhere and first letters of addresses and links; 52–63 are a hash
/// of first characters that are no letters, and of the shared fields, which are compared once for all who have them.
enum Signature {
  fileprivate static let elsewhere: UInt64 = 26
  private static let shared: UInt64 = 52

  /// What a contact must have: one bit of `first` and one of `second`, both in the name or both elsewhere; or one of
  /// `shared`.
  struct Mask: Equatable {
    var first: UInt64
    var second: UInt64
    var shared: UInt64

    /// A mask of letters for a first unit and, unless one unit can match alone, for a second one. `shared` is for units
    /// that begin with something else.
    init(first: UInt32, second: UInt32?, shared: UInt64) {
      self.first = UInt64(first)
      self.second = UInt64(second ?? first)
      self.shared = shared
    }

    /// Whether a contact with a signature may match.
    func passes(_ signature: UInt64) -> Bool { verdict(signature) != 0 }

    /// Which of up to 64 contacts may match, the first in the lowest bit.
    @inline(never)
    func passing(_ signatures: UnsafeBufferPointer<UInt64>, from start: Int, count: Int) -> UInt64 {
      var result: UInt64 = 0
      for place in 0..<count { result |= verdict(signatures[start &+ place]) &<< UInt64(truncatingIfNeeded: place) }
      return result
    }

    /// Which of up to 64 contacts have the letter of a first unit.
    @inline(never)
    func passingFirst(_ signatures: UnsafeBufferPointer<UInt64>, from start: Int, count: Int) -> UInt64 {
      let bits = first | first << Signature.elsewhere
      var result: UInt64 = 0
      for place in 0..<count {
        result |= isSome(signatures[start &+ place] & bits) &<< UInt64(truncatingIfNeeded: place)
      }
      return result
    }

    /// 1 or 0, without a branch: it cannot be predicted.
    @inline(__always)
    private func verdict(_ signature: UInt64) -> UInt64 {
      let other = signature &>> Signature.elsewhere
      return isSome(signature & first) & isSome(signature & second) | isSome(other & first) & isSome(other & second)
        | isSome(signature & shared)
    }

    @inline(__always)
    private func isSome(_ bits: UInt64) -> UInt64 { bits == 0 ? 0 : 1 }
  }

  /// The bit of the first character of a unit.
  static func bit(_ value: UInt32, inName: Bool) -> UInt64 {
    if value >= 0x61 && value <= 0x7A { return 1 << (UInt64(value - 0x61) + (inName ? 0 : elsewhere)) }
    return hashed(value)
  }

  /// The bit of a shared field.
  static func bit(sharedField id: Int) -> UInt64 { hashed(UInt32(truncatingIfNeeded: id)) }

  /// The bits of a character that is no letter.
  static func hashed(_ value: UInt32) -> UInt64 { 1 << (shared + UInt64((value &* 0x9E37_79B1) >> 16) % 12) }

  /// The letters of which a unit has one if it may take a letter of a term first.
  static func letters(_ letter: TermPattern.Letter, isFuzzy: Bool) -> UInt32 {
    let l: UInt32 = 1 << 11
    let n: UInt32 = 1 << 13
    return isFuzzy && letter.mask & (l | n) != 0 ? letter.mask | l | n : letter.mask
  }
}
