import Pinyin

/// The distinct sets of readings of Han characters: a few hundred syllables, and lists of them, the primary one first.
struct ReadingSets {
  /// The spelling of each syllable, toneless; ü is `v`.
  private(set) var syllables: [[UInt8]] = []
  /// Numbers of syllables, the primary reading first.
  private(set) var sets: [[Int]] = []
  /// Lookup tables for syllables and sets; created on first use.
  private var numbers: Numbers?

  private struct Numbers {
    var ofSyllable: [UInt64: Int] = [:]
    var ofSet: [[Int]: Int] = [:]
  }

  /// Returns the number of a syllable, whose letters are packed from the lowest byte.
  mutating func syllable(_ letters: UInt64) -> Int {
    number()
    if let known = numbers?.ofSyllable[letters] { return known }
    syllables.append((0..<8).map { UInt8(truncatingIfNeeded: letters >> ($0 * 8)) }.filter { $0 != 0 })
    numbers?.ofSyllable[letters] = syllables.count - 1
    return syllables.count - 1
  }

  /// Returns the number of a character's set of readings, with the reading that it has in its context first.
  mutating func set(of value: UInt32, primary: Int?) -> Int {
    var list: [Int] = []
    if let primary { list.append(primary) }
    HanReadings.forEach(value) { letters in
      let number = syllable(letters)
      if !list.contains(number) { list.append(number) }
    }
    number()
    if let known = numbers?.ofSet[list] { return known }
    sets.append(list)
    numbers?.ofSet[list] = sets.count - 1
    return sets.count - 1
  }

  private mutating func number() {
    guard numbers == nil else { return }
    var made = Numbers()
    for (number, letters) in syllables.enumerated() {
      made.ofSyllable[letters.reversed().reduce(0) { $0 << 8 | UInt64($1) }] = number
    }
    for (number, set) in sets.enumerated() { made.ofSet[set] = number }
    numbers = made
  }
}

extension ReadingSets {
  static let partCount = 2

  /// Returns the stored form: spellings, each followed by a zero; numbers of syllables plus one, with a zero after each
  /// set.
  func stored() -> (spellings: [UInt8], sets: [UInt16]) {
    (syllables.flatMap { $0 + [0] }, sets.flatMap { $0.map { UInt16($0 + 1) } + [0] })
  }

  /// Creates the sets from ``stored()``; nil if they are damaged.
  init?(spellings: UnsafeBufferPointer<UInt8>, sets stored: UnsafeBufferPointer<UInt16>) {
    guard spellings.last ?? 0 == 0, stored.last ?? 0 == 0 else { return nil }
    var letters: [UInt8] = []
    for letter in spellings {
      if letter == 0 {
        guard !letters.isEmpty, letters.count <= 8 else { return nil }
        syllables.append(letters)
        letters.removeAll()
      } else {
        guard (0x61...0x7A).contains(letter) else { return nil }
        letters.append(letter)
      }
    }
    var set: [Int] = []
    for number in stored {
      if number == 0 {
        sets.append(set)
        set.removeAll()
      } else {
        guard number <= syllables.count else { return nil }
        set.append(Int(number) - 1)
      }
    }
  }
}

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
