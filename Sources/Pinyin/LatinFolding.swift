/// Folds Latin letters to ASCII, ignoring accents, case and width: Ø → o, Đ → d, ß → ss, Æ → ae, Þ → th, Ｔ → t.
public enum LatinFolding {
  /// Returns the ASCII characters that a scalar folds to: lower-case letters, digits, and ASCII for full-width signs.
  ///
  /// An ASCII scalar folds to itself in lower case. Empty for a combining diacritical mark, which folding drops; nil
  /// for NUL and for a scalar without a Latin form (Han, Cyrillic, emoji). One scalar gives at most four characters (Ⅷ
  /// is viii).
  public static func fold(_ scalar: Unicode.Scalar) -> ASCIILetters? {
    let value = scalar.value
    if value < 0x80 {
      if value == 0 { return nil }
      let isUpper = value >= 0x41 && value <= 0x5A
      return ASCIILetters(UInt8(isUpper ? value + 0x20 : value))
    }
    let folding = ReadingTable.folding(value)
    if folding != 0 { return ASCIILetters(packed: UInt64(folding)) }
    return isCombining(value) ? ASCIILetters(packed: 0) : nil
  }

  /// Returns whether a scalar is in a block of combining diacritical marks.
  private static func isCombining(_ value: UInt32) -> Bool {
    switch value {
    case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }
}

/// A few ASCII characters packed into one integer: a syllable's letters, or the folding of a letter.
///
/// Up to eight characters, none of them NUL. It never allocates.
public struct ASCIILetters: RandomAccessCollection, Hashable, Sendable {
  /// The characters, the first in the lowest byte; unused bytes are 0.
  public let packed: UInt64

  init(packed: UInt64) { self.packed = packed }

  init(_ character: UInt8) { packed = UInt64(character) }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of characters, 0 to 8.
  public var endIndex: Int { 8 - packed.leadingZeroBitCount / 8 }

  /// Returns the ASCII code at `index`, which must be below `endIndex`.
  public subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: packed >> (8 * UInt64(index))) }
}

extension ASCIILetters: CustomStringConvertible {
  /// The characters as a string.
  public var description: String { String(decoding: self, as: UTF8.self) }
}

/// Compatibility normalization (NFKC), which replaces full-width and half-width forms, ligatures, circled digits and the
/// like with ordinary characters.
public enum CompatibleForm {
  /// Returns the text in normalization form KC (UAX #15); unchanged if ICU cannot open its data. ASCII and common Han
  /// characters are already in this form.
  public static func of(_ text: String) -> String {
    text.unicodeScalars.allSatisfy { isStable($0.value) } ? text : ICU.compatibleForm(text)
  }

  private static func isStable(_ value: UInt32) -> Bool {
    value < 0xA0 || (0x4E00...0x9FFF).contains(value) || (0x3400...0x4DBF).contains(value)
  }
}

/// The classes of scalars that matter for names: those that are not visible, with which a name does not begin, and Han.
enum ScalarClass {
  /// Returns whether a scalar is a blank, a control, a format or other default-ignorable character (zero width,
  /// bidirectional), or a nonspacing or enclosing mark.
  static func isBlank(_ value: UInt32) -> Bool {
    if value < 0x7F { return value <= 0x20 }
    if value <= 0xA0 { return true }
    if isHan(value) { return false }
    guard let properties = Unicode.Scalar(value)?.properties else { return true }
    if properties.isWhitespace || properties.isDefaultIgnorableCodePoint { return true }
    switch properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark: return true
    default: return false
    }
  }

  /// Returns whether a scalar is in the blocks of unified and compatibility ideographs, assigned or not.
  static func isHan(_ value: UInt32) -> Bool {
    (0x3400...0x9FFF).contains(value) && !(0x4DC0...0x4DFF).contains(value)
      || (0xF900...0xFAFF).contains(value) || (0x20000...0x3FFFD).contains(value)
  }
}
