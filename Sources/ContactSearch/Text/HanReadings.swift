import Pinyin

/// The door to the readings of Han characters.
enum HanReadings {
  /// Calls `body` with the toneless letters of each reading, the usual one first, letters packed as in `ASCIILetters`.
  static func forEach(_ value: UInt32, _ body: (UInt64) -> Void) {
    guard let scalar = Unicode.Scalar(value) else { return }
    for syllable in Readings.all(scalar) { body(syllable.letters.packed) }
  }

  /// The reading of each code point in its place: surnames and words have readings of their own. Nil where it is not Han.
  static func inPlace(_ scalars: [UInt32], isPersonName: Bool) -> [UInt64?] {
    var text = ""
    for value in scalars { text.unicodeScalars.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
    return Readings.name(text, isPerson: isPersonName).map { $0?.letters.packed }
  }
}
