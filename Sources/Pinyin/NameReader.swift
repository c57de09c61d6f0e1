/// A reader of the Han characters of a name, which uses the surname table, the word exceptions and the usual readings.
enum NameReader {
  enum Role: Equatable {
    /// A person's full name: it begins with a surname, unless a longer word begins there.
    case person
    /// A person's full name whose first scalars are known to be the family name.
    case family(count: Int)
    /// An organization, a lone given name, a nickname: words only.
    case other
  }

  /// The iteration mark 々, which repeats the character before it (佐々木).
  private static let iterationMark: UInt32 = 0x3005

  /// Writes a syllable code for each scalar, 0 if it has none. `codes` must be as long as `scalars`.
  static func read(
    _ scalars: UnsafeBufferPointer<UInt32>, role: Role, into codes: UnsafeMutableBufferPointer<UInt16>,
    missing: MissingReadings = .shared
  ) {
    var index = 0
    // The first visible character decides whether there is a surname.
    while index < scalars.count, ScalarClass.isBlank(scalars[index]) {
      codes[index] = 0
      index += 1
    }
    var mayBeginSurname = role != .other
    // A word of one character (长 cháng) only counts where a name or a given name begins: 校长 is xiàozhǎng.
    var mayBeginShortWord = true

    while index < scalars.count {
      let entry = ReadingTable.entry(scalars[index])
      var length = 1
      var readAsSurname = false
      if entry.beginsPhrase {
        let shortest = mayBeginShortWord ? 1 : 2
        let phrase = phrase(
          in: scalars, at: index, shortest: shortest, role: mayBeginSurname ? role : .other, isSurname: &readAsSurname)
        length = phrase?.length ?? 1
        for offset in 0..<length {
          let code = phrase?.code(at: offset) ?? 0
          codes[index + offset] = code != 0 ? code : usualCode(scalars, index + offset, codes, missing)
        }
      } else {
        codes[index] = entry.isEmpty ? usualCode(scalars, index, codes, missing) : entry.primaryCode
      }
      // A given name begins after any surname, whether or not it has an exceptional reading.
      mayBeginShortWord = mayBeginSurname && (readAsSurname || length == 1)
      mayBeginSurname = false
      index += length
    }
  }

  private static func phrase(
    in scalars: UnsafeBufferPointer<UInt32>, at index: Int, shortest: Int, role: Role, isSurname: inout Bool
  ) -> ReadingTable.Phrase? {
    let word = ReadingTable.longestPhrase(
      .word, in: scalars, at: index, lengths: shortest...ReadingTable.longestPhraseLength)
    if role == .other { return word }
    let surname = ReadingTable.longestPhrase(
      .surname, in: scalars, at: index, lengths: 1...ReadingTable.longestPhraseLength)
    if case .family(let count) = role {
      // A family name in its own field is a surname even if a word could begin there. If it has two or more characters
      // and is not a compound surname, it is something else (a full name, a company), and is read like a full name.
      let fitting = ReadingTable.longestPhrase(.surname, in: scalars, at: index, lengths: 1...max(1, count))
      if let fitting, fitting.length == count {
        isSurname = true
        return fitting
      }
      if count == 1 {
        isSurname = true
        return nil
      }
    }
    guard let surname else { return word }
    if let word, word.length > surname.length { return word }
    isSurname = true
    return surname
  }

  private static func usualCode(
    _ scalars: UnsafeBufferPointer<UInt32>, _ index: Int, _ codes: UnsafeMutableBufferPointer<UInt16>,
    _ missing: MissingReadings
  ) -> UInt16 {
    let entry = ReadingTable.entry(scalars[index])
    if !entry.isEmpty { return entry.primaryCode }
    if scalars[index] == iterationMark { return index > 0 ? codes[index - 1] : 0 }
    guard let scalar = Unicode.Scalar(scalars[index]) else { return 0 }
    return missing.reading(of: scalar)?.code ?? 0
  }
}

/// A part of a name and its phonetic form: 覃, "qin".
public struct NamePart: Hashable, Sendable {
  /// The written form; may be empty if one field has the full name.
  public var text: String
  /// Pinyin with or without tones, or anything else; empty if unknown.
  public var phonetic: String

  /// Creates a part of a name.
  public init(_ text: String, phonetic: String) {
    self.text = text
    self.phonetic = phonetic
  }

  /// Whether the phonetic form is not blank.
  var hasPhonetic: Bool { phonetic.unicodeScalars.contains { !ScalarClass.isBlank($0.value) } }
}

extension Readings {
  /// Returns the reading of each Unicode scalar of a name, guessed as in ``name(_:isPerson:)``. If the phonetic form of
  /// a part is pinyin with one syllable per character, it is used instead.
  /// - Parameters:
  ///   - text: the name as displayed.
  ///   - isPerson: whether it may begin with a surname.
  ///   - parts: in the order of a Han name, the family name first.
  public static func name(_ text: String, isPerson: Bool, parts: [NamePart]) -> [Syllable?] {
    var readings = name(text, isPerson: isPerson)
    guard parts.contains(where: \.hasPhonetic) else { return readings }
    let scalars = Array(text.unicodeScalars)
    var start = 0
    for part in split(parts, of: scalars) {
      guard let range = range(of: Array(part.text.unicodeScalars), in: scalars, from: start) else { continue }
      start = range.upperBound
      guard let known = PinyinText.readings(of: part.text, phonetic: part.phonetic) else { continue }
      for (index, syllable) in zip(range, known) { readings[index] = syllable }
    }
    return readings
  }

  /// Assigns text to parts that have none, for a name in a single field: the number of syllables gives the number of
  /// characters of each part.
  private static func split(_ parts: [NamePart], of scalars: [Unicode.Scalar]) -> [NamePart] {
    guard parts.allSatisfy(\.text.isEmpty) else { return parts }
    var rest = scalars[...]
    return parts.map { part in
      let count = PinyinText.syllables(in: part.phonetic)?.count ?? 0
      defer { rest = rest.dropFirst(count) }
      return NamePart(String(String.UnicodeScalarView(rest.prefix(count))), phonetic: part.phonetic)
    }
  }

  private static func range(
    of part: [Unicode.Scalar], in scalars: [Unicode.Scalar], from start: Int
  ) -> Range<Int>? {
    guard !part.isEmpty, part.count <= scalars.count else { return nil }
    let starts = Array(start..<max(start, scalars.count - part.count + 1)) + Array(0..<start)
    return starts.lazy.map { $0..<$0 + part.count }
      .first { $0.upperBound <= scalars.count && scalars[$0].elementsEqual(part) }
  }
}
