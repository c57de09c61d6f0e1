import Pinyin

/// Access to the readings of Han characters.
enum HanReadings {
  /// Calls `body` with the toneless letters of each reading, the usual one first, packed as in `ASCIILetters`.
  static func forEach(_ value: UInt32, _ body: (UInt64) -> Void) {
    guard let scalar = Unicode.Scalar(value) else { return }
    for syllable in Readings.all(scalar) { body(syllable.letters.packed) }
  }

  /// The reading of each code point in its context: phonetic fields take precedence over surnames and words, which have
  /// special readings. Nil if it is not Han.
  static func inPlace(_ scalars: [UInt32], isPersonName: Bool, parts: [NamePart]) -> [UInt64?] {
    var text = ""
    for value in scalars { text.unicodeScalars.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
    return Readings.name(text, isPerson: isPersonName, parts: parts).map { $0?.letters.packed }
  }
}

/// How to read the Han characters of one field of a document.
struct NameReadings {
  /// Whether it begins with a surname.
  let isPersonName: Bool
  /// The phonetic name, if it is known.
  let parts: [NamePart]

  init(of document: SearchDocument, in field: FieldKind) {
    isPersonName = field == .name && document.isPerson
    let isName = field == .name || field == .family || field == .given
    let hasPhonetic = !document.phoneticFamily.isEmpty || !document.phoneticGiven.isEmpty
    parts =
      isName && hasPhonetic
      ? [
        NamePart(document.family, phonetic: document.phoneticFamily),
        NamePart(document.given, phonetic: document.phoneticGiven),
      ] : []
  }
}
