import Pinyin

enum HanReadings {
  /// Calls `body` with the toneless letters of each reading, the usual one first, packed as in `ASCIILetters`.
  static func forEach(_ value: UInt32, _ body: (UInt64) -> Void) {
    guard let scalar = Unicode.Scalar(value) else { return }
    for syllable in Readings.all(scalar) { body(syllable.letters.packed) }
  }

  /// Finds the reading of each code point in its context; 0 for one that has none. Phonetic fields take precedence over
  /// the special readings of surnames and words.
  static func read(_ scalars: [UInt32], _ how: NameReadings, into letters: inout [UInt64]) {
    if how.parts.isEmpty { return Readings.letters(of: scalars, isPerson: how.isPersonName, into: &letters) }
    var text = ""
    for value in scalars { text.unicodeScalars.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
    letters = Readings.name(text, isPerson: how.isPersonName, parts: how.parts).map { $0?.letters.packed ?? 0 }
  }
}

/// How to read the Han characters of one field of a document.
struct NameReadings {
  /// Whether the field may begin with a surname.
  let isPersonName: Bool
  /// The parts of a name with their phonetic spellings; empty if there are none, or if the field is not a name.
  let parts: [NamePart]

  /// Creates the readings of a field of a document.
  /// - Parameters:
  ///   - isPerson: ``SearchDocument/isPerson`` of the document.
  ///   - parts: its ``SearchDocument/nameParts``.
  init(_ field: FieldKind, isPerson: Bool, parts: [NamePart]) {
    isPersonName = field == .name && isPerson
    self.parts = field == .name || field == .family || field == .given ? parts : []
  }
}

extension SearchDocument {
  /// The parts of the name with their phonetic spellings; empty if there are none.
  var nameParts: [NamePart] {
    guard !phoneticFamily.isEmpty || !phoneticGiven.isEmpty else { return [] }
    return [NamePart(family, phonetic: phoneticFamily), NamePart(given, phonetic: phoneticGiven)]
  }
}
