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
