/// Whether bytes in ISO-2022 are ASCII or parts of longer characters, which its escape sequences and shifts switch
/// (ECMA-35).
struct ShiftState {
  private var isMultibyte = false
  private var isShiftedOut = false
  /// The bytes so far of an escape sequence that has not ended.
  private var sequence: [UInt8]?

  /// Whether the next byte is a character of its own.
  var isASCII: Bool { !isMultibyte && !isShiftedOut && sequence == nil }

  /// Takes the next byte.
  mutating func read(_ byte: UInt8) {
    switch (sequence, byte) {
    case (let intermediates?, 0x20...0x2F): sequence = intermediates + [byte]
    case (let intermediates?, _):
      // `ESC $ B` and `ESC $ ( D` choose a set of two bytes, `ESC ( B` one of a single byte. `ESC $ ) C` chooses the set
      // of shift out.
      if intermediates == [Self.dollar] || intermediates == [Self.dollar, Self.parenthesis] { isMultibyte = true }
      if intermediates == [Self.parenthesis] { isMultibyte = false }
      sequence = nil
    case (nil, Byte.escape): sequence = []
    case (nil, Self.shiftOut): isShiftedOut = true
    case (nil, Self.shiftIn): isShiftedOut = false
    default: break
    }
  }

  private static let shiftOut: UInt8 = 0x0E
  private static let shiftIn: UInt8 = 0x0F
  private static let dollar = UInt8(ascii: "$")
  private static let parenthesis = UInt8(ascii: "(")
}
