/// A section of the list: a letter of the Latin alphabet, or `#` for names that belong to none.
///
/// The raw value, 0 to 26, gives the order of the sections, and is what a store keeps.
public enum Section: UInt8, CaseIterable, Comparable, Hashable, Sendable {
  // swift-format-ignore: OneCasePerLine
  /// Names that are listed under this letter.
  case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z
  /// Names that begin with neither a Latin letter nor a character with a Mandarin reading (digits, emoji, kana,
  /// Cyrillic, Arabic), and empty names. The last section. ``ScriptSection`` divides the scripts in it.
  case other

  /// Creates the section of an ASCII letter in either case; `other` for every other character.
  public init(letter: UInt8) {
    let lower = letter | 0x20
    self = (0x61...0x7A).contains(lower) ? Section(rawValue: lower - 0x61) ?? .other : .other
  }

  /// "A" to "Z", or "#".
  public var title: String { self == .other ? "#" : String(Unicode.Scalar(0x41 + rawValue)) }

  /// The titles of all sections in order: "A" … "Z", "#".
  public static let allTitles: [String] = allCases.map(\.title)

  /// Returns whether `first` comes before `second` in the list.
  public static func < (first: Section, second: Section) -> Bool { first.rawValue < second.rawValue }
}
