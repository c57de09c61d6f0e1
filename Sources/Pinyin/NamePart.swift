/// A part of a name as it is written and as the person says it: 覃, "qin".
public struct NamePart: Hashable, Sendable {
  /// As it is written; may be empty where the whole name stands in one field.
  public var text: String
  /// As it is said: pinyin with or without tones, or anything else; empty when nobody said.
  public var said: String

  /// A part of a name.
  public init(_ text: String, said: String) {
    self.text = text
    self.said = said
  }

  /// Whether anybody said it: blanks are nothing.
  var isSaid: Bool { said.unicodeScalars.contains { !Visibility.isBlank($0.value) } }
}

extension Readings {
  /// The reading of each Unicode scalar of a name, as ``name(_:isPerson:)`` guesses it, but for the parts that are said in
  /// pinyin, a syllable a character: those are read as they are said.
  /// - Parameters:
  ///   - text: the name as it is shown.
  ///   - isPerson: whether a surname may begin it.
  ///   - parts: in the order in which a Han name has them, the family name first.
  public static func name(_ text: String, isPerson: Bool, parts: [NamePart]) -> [Syllable?] {
    var readings = name(text, isPerson: isPerson)
    guard parts.contains(where: \.isSaid) else { return readings }
    let scalars = Array(text.unicodeScalars)
    var start = 0
    for part in split(parts, of: scalars) {
      guard let range = range(of: Array(part.text.unicodeScalars), in: scalars, from: start) else { continue }
      start = range.upperBound
      guard let said = PinyinText.readings(of: part.text, said: part.said) else { continue }
      for (index, syllable) in zip(range, said) { readings[index] = syllable }
    }
    return readings
  }

  /// Parts that say what they are called but not how they are written, as a name in one field leaves them: what is said says
  /// how many characters each has.
  private static func split(_ parts: [NamePart], of scalars: [Unicode.Scalar]) -> [NamePart] {
    guard parts.allSatisfy(\.text.isEmpty) else { return parts }
    var rest = scalars[...]
    return parts.map { part in
      let count = PinyinText.syllables(in: part.said)?.count ?? 0
      defer { rest = rest.dropFirst(count) }
      return NamePart(String(String.UnicodeScalarView(rest.prefix(count))), said: part.said)
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
