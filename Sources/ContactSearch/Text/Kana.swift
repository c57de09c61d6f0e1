/// Hiragana, katakana and half-width katakana, which are three ways of writing the same syllables.
enum Kana {
  /// Returns the hiragana of a full-width katakana from U+30A1 to U+30F6, or of an iteration mark.
  static func hiragana(_ value: UInt32) -> UInt32 { value - 0x60 }

  /// Returns the full-width form of a half-width character from U+FF65 to U+FF9D.
  static func fullWidth(_ value: UInt32) -> UInt32 { fullWidthForms[Int(value - 0xFF65)] }

  /// U+FF65 to U+FF9D, by the compatibility decompositions of the Unicode Character Database.
  private static let fullWidthForms: [UInt32] = "・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
    .unicodeScalars.map(\.value)

  /// Returns whether a mark makes a kana voiced or half-voiced: U+3099 and U+309A, and their half-width forms.
  static func isMark(_ value: UInt32) -> Bool {
    switch value {
    case 0x3099, 0x309A, 0xFF9E, 0xFF9F: true
    default: false
    }
  }

  /// Returns a hiragana with a mark; nil if there is no such form.
  static func voiced(_ value: UInt32, by mark: UInt32) -> UInt32? {
    let isHalf = mark == 0x309A || mark == 0xFF9F
    switch value {
    case 0x306F, 0x3072, 0x3075, 0x3078, 0x307B: return value + (isHalf ? 2 : 1)
    case 0x304B...0x3061 where value & 1 == 1 && !isHalf, 0x3064, 0x3066, 0x3068, 0x309D:
      return isHalf ? nil : value + 1
    case 0x3046: return isHalf ? nil : 0x3094
    default: return nil
    }
  }
}
