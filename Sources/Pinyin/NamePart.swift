/// A part of a name and its phonetic form: 覃, "qin".
public struct NamePart: Hashable, Sendable {
  /// As it is written; may be empty where one field has the full name.
  public var text: String
  /// Pinyin with or without tones, or anything else; empty when it is not known.
  public var phonetic: String

  /// A part of a name.
  public init(_ text: String, phonetic: String) {
    self.text = text
    self.phonetic = phonetic
  }

  /// True when the phonetic form is not blank.
  var hasPhonetic: Bool { phonetic.unicodeScalars.contains { !Visibility.isBlank($0.value) } }
}

extension Readings {
  /// The reading of each Unicode scalar of a name, as ``name(_:isPerson:)`` guesses it. Parts whose phonetic form is pinyin,
  /// one syllable a character, are read by that instead.
  /// - Parameters:
  ///   - text: the name as it is shown.
  ///   - isPerson: whether a surname may begin it.
  ///   - parts: in the order in which a Han name has them, the family name first.
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

  /// Gives text to parts that have none, as when the name is in one field: the number of syllables says how many characters
  /// each part has.
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
    let places = Array(start..<max(start, scalars.count - part.count + 1)) + Array(0..<start)
    return places.lazy.map { $0..<$0 + part.count }
      .first { $0.upperBound <= scalars.count && scalars[$0].elementsEqual(part) }
  }
}
