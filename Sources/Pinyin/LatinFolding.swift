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
