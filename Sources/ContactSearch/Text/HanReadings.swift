import Pinyin

/// The door to the readings of Han characters.
enum HanReadings {
  /// Calls `body` with the toneless letters of each reading, the usual one first, letters packed as in `ASCIILetters`.
  static func forEach(_ value: UInt32, _ body: (UInt64) -> Void) {
    guard let scalar = Unicode.Scalar(value) else { return }
    for syllable in Readings.all(scalar) { body(syllable.letters.packed) }
  }

  /// The reading of each code point in its place: what is said goes before surnames and words, which have readings of their
  /// own. Nil where it is not Han.
  static func inPlace(_ scalars: [UInt32], isPersonName: Bool, parts: [NamePart]) -> [UInt64?] {
    var text = ""
    for value in scalars { text.unicodeScalars.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
    return Readings.name(text, isPerson: isPersonName, parts: parts).map { $0?.letters.packed }
  }
}

/// How the Han characters of one field of a document are read.
struct NameReadings {
  /// Whether a surname begins it.
  let isPersonName: Bool
  /// How the person says it, where that is known.
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
