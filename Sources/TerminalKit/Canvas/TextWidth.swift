// The only place that knows the width of text, and which part of a grapheme cluster every terminal shows.
//
// Terminals do not agree on clusters: xterm and tmux add up wcwidth per code point, foot and Ghostty measure clusters,
// all with tables of different Unicode versions. So every cluster is first reduced to a form that all of them show in
// the same number of columns: bases, usually one, each with at most `markLimit` combining marks, without variation
// selectors, joiners and skin tones. This loses some decoration, but columns line up in every terminal.

/// A grapheme cluster as displayed: sanitized, reduced, measured.
struct DisplayCluster {
  /// The text sent to the terminal; empty if the cluster is invisible.
  var text: String
  /// The number of columns, 0 only if the text is empty.
  var columns: Int
  /// The number of code points in the original text.
  var scalars: Int
  /// The number of cells with text: more than 1, for example, for a base followed by a spacing mark, and for a flag.
  var pieces: Int = 1
  /// True if its base belongs to a right-to-left script.
  var isRightToLeft = false
  /// True for letters and for everything in a right-to-left script, false for other digits, symbols and spaces. A
  /// strong cluster decides the direction of what follows.
  var isStrong = false
}

/// Width of text in terminal columns.
///
/// Rules: UAX #29 clusters; East Asian wide and full width 2, ambiguous ``ambiguousColumns`` (UAX #11); combining marks 0, spacing marks 1
/// as in xterm and tmux; a joined emoji sequence counts as its first emoji; controls and unknown characters as their
/// visible symbol.
public enum TextWidth {
  /// The maximum number of combining marks on one base: three are enough for pointed Hebrew, and ncurses has room for
  /// four.
  static let markLimit = 3

  /// Returns the number of columns that the text takes when drawn.
  public static func columns(of text: String) -> Int {
    if let count = printableASCIICount(text) { return count }
    return DisplayClusters(text).reduce(0) { $0 + $1.columns }
  }

  /// Returns the number of columns that a cluster takes when drawn: 0 for an invisible one, rarely more than 2.
  public static func columns(of character: Character) -> Int {
    plainScalar(of: character)?.columns ?? cluster(character).columns
  }

  /// Returns the code point and columns of a cluster that needs no reduction, if it is a common one: printable ASCII,
  /// Latin, kana, ideographs and their punctuation, Hangul syllables, full-width forms, and the lines and symbols that
  /// screens draw.
  static func plainScalar(of character: Character) -> (scalar: Unicode.Scalar, columns: Int)? {
    let scalars = character.unicodeScalars
    let first = scalars[scalars.startIndex]
    guard scalars.index(after: scalars.startIndex) == scalars.endIndex else { return nil }
    return plainColumns(of: first).map { (first, $0) }
  }

  /// Returns the columns of a code point that needs no reduction and never joins another such code point in a cluster;
  /// nil for others.
  static func plainColumns(of scalar: Unicode.Scalar) -> Int? {
    switch scalar.value {
    case 0x20..<0x7F: 1
    case 0xA1..<0xAD, 0xAE..<0x300, 0x2026, 0x2500..<0x25A0, 0x25B8, 0x25CF: AmbiguousWidth.isWide ? nil : 1
    case 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x3041...0x3096, 0x30A0...0x30FF, 0x3001...0x3029, 0xFF01...0xFF60: 2
    default: nil
    }
  }

  /// Returns the longest prefix of the text that fits in that many columns, cut between clusters, with its columns.
  public static func prefix(of text: String, columns limit: Int) -> (String, columns: Int) {
    var used = 0
    var end = text.startIndex
    while end < text.endIndex {
      let width = columns(of: text[end])
      if used + width > limit { break }
      used += width
      end = text.index(after: end)
    }
    return (String(text[..<end]), used)
  }

  /// Wraps the text into lines of at most that many columns. It breaks at newlines, after spaces, after hyphens in a
  /// word (not after those of `--option`), next to wide characters such as ideographs (but not before closing or after
  /// opening punctuation), and between the clusters of a word that is too long. A cluster that is wider than a line
  /// gets a line of its own. Spaces at the end of a line are left out. Returns at least one line; `columns` below 1
  /// counts as 1. Names with hyphens stay whole if `breaksAfterHyphens` is false.
  public static func wrap(_ text: String, columns: Int, breaksAfterHyphens: Bool = true) -> [String] {
    let characters = Array(text)
    return lineRanges(of: characters, columns: columns, breaksAfterHyphens: breaksAfterHyphens).map { range in
      var end = range.upperBound
      while end > range.lowerBound, isBlank(characters[end - 1]) { end -= 1 }
      // Not `String(_:)`: its first use looks up generic types for the slice, which is slow.
      var line = ""
      for index in range.lowerBound..<end { line.append(characters[index]) }
      return line
    }
  }

  /// Wraps several lines, sanitized with ``DisplayText/clean(_:)``, into at least one and at most `limit` lines. An
  /// ellipsis at the end of the last one marks omitted text.
  public static func wrap(_ lines: [String], columns: Int, limit: Int) -> [String] {
    let limit = max(1, limit)
    var wrapped: [String] = []
    for line in lines where wrapped.count <= limit { wrapped += wrap(DisplayText.clean(line), columns: columns) }
    if wrapped.count > limit {
      wrapped.removeSubrange(limit...)
      wrapped[limit - 1] = prefix(of: wrapped[limit - 1], columns: max(1, columns) - 1).0 + ellipsis
    }
    return wrapped.isEmpty ? [""] : wrapped
  }

  /// Returns the lines of ``wrap(_:columns:breaksAfterHyphens:)`` as ranges of clusters; newlines belong to no line,
  /// spaces at a break to the line before it, where they may extend past the edge.
  static func lineRanges(
    of characters: [Character], columns: Int, breaksAfterHyphens: Bool = true
  ) -> [Range<Int>] {
    let limit = max(1, columns)
    var lines: [Range<Int>] = []
    var start = 0
    var used = 0
    var wasWide = false
    // The possible break nearest to the end of the line so far, as the index of the cluster after it.
    var breakAt: Int?
    var index = 0
    while index < characters.count {
      let character = characters[index]
      if character.isNewline {
        lines.append(start..<index)
        start = index + 1
        used = 0
        breakAt = nil
        index += 1
        continue
      }
      let width = self.columns(of: character)
      let isWide = width == 2 && !(character.unicodeScalars.first.map { AmbiguousWidth.isWidened($0.value) } ?? false)
      defer { wasWide = isWide }
      if isBlank(character) {
        used += width
        index += 1
        breakAt = index
        continue
      }
      if index > start {
        let previous = characters[index - 1]
        if isBlank(previous) || breaksAfterHyphens && isHyphenInWord(characters, index - 1)
          || (isWide || wasWide) && mayBreak(previous, character)
        {
          breakAt = index
        }
      }
      if used + width > limit, index > start {
        let next = breakAt.flatMap { $0 > start ? $0 : nil } ?? index
        lines.append(start..<next)
        start = next
        index = next
        used = 0
        breakAt = nil
        continue
      }
      used += width
      index += 1
    }
    lines.append(start..<characters.count)
    return lines
  }

  private static func isBlank(_ character: Character) -> Bool {
    character == " " || character == "\t" || character == "\u{3000}"
  }

  /// Whether a cluster is a hyphen with a part of its word on both sides.
  private static func isHyphenInWord(_ characters: [Character], _ index: Int) -> Bool {
    guard characters[index] == "-", index > 0, index + 1 < characters.count, characters[index + 1] != "-" else {
      return false
    }
    let before = characters[index - 1]
    return !(isBlank(before) || before.isNewline || before == "-" || opening.contains(before))
  }

  private static func mayBreak(_ left: Character, _ right: Character) -> Bool {
    !closing.contains(right) && !opening.contains(left)
  }

  // Line breaking of Chinese text: no closing punctuation at the start of a line, no opening one at its end.
  private static let closing: Set<Character> = Set("，。、；：？！）」』】》〉〕］｝…—～·,.;:?!)]}”’%")
  private static let opening: Set<Character> = Set("（「『【《〈〔［｛“‘([{")

  // MARK: Clusters

  /// Returns the number of bytes if all are printable ASCII, else nil.
  static func printableASCIICount(_ text: String) -> Int? {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F } ? bytes.count : nil
    } ?? nil
  }

  /// Returns a cluster reduced to what every terminal shows in the same columns.
  static func cluster(_ character: Character) -> DisplayCluster {
    var reduction = Reduction()
    if character == "\r\n" { return DisplayCluster(text: " ", columns: 1, scalars: 2) }
    for scalar in character.unicodeScalars { reduction.add(scalar) }
    return reduction.cluster
  }

  /// Returns true for the code points that start a cell of their own: everything in a reduced cluster except nonspacing
  /// marks and Hangul vowels and finals.
  static func isSpacing(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x300 { return true }
    if isConjoiningVowelOrFinal(scalar.value) { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return false
    default: return true
    }
  }

  /// Returns 2 for a wide or full-width code point, or for an ambiguous one where those are wide; 1 for any other that
  /// is not a combining mark.
  static func width(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if AmbiguousWidth.isWidened(value) { return 2 }
    if value < 0x1100 { return 1 }
    if (0x4E00...0x9FFF).contains(value) || (0xAC00...0xD7A3).contains(value) { return 2 }
    return WideTable.index(of: value, in: WideTable.bounds) == nil ? 1 : 2
  }

  /// Returns true for the letters of all scripts.
  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    // The most common ones need no look-up.
    switch scalar.value {
    case 0x20..<0x7F: (0x61...0x7A).contains(scalar.value | 0x20)
    case 0xC0..<0x250: scalar != "×" && scalar != "÷"
    case 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x3041...0x3096: true
    default: scalar.properties.isAlphabetic
    }
  }

  // Hangul vowels and finals, which take no column after a leading consonant (UAX #11, and wcwidth).
  fileprivate static func isConjoiningVowelOrFinal(_ value: UInt32) -> Bool {
    (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
  }

  private enum Role {
    case base(columns: Int)
    case mark
    case substitute(Unicode.Scalar)
    case joiner
    case nothing
  }

  private static func role(of scalar: Unicode.Scalar) -> Role {
    let value = scalar.value
    if value > 0xA0, AmbiguousWidth.isWide {
      if let narrow = AmbiguousWidth.narrowForm(of: value) { return .substitute(narrow) }
      if AmbiguousWidth.isWidened(value) { return .base(columns: 2) }
    }
    switch value {
    case 0x09, 0x0A, 0x0D, 0x85, 0xA0, 0x2028, 0x2029: return .substitute(" ")
    case 0x00..<0x20: return .substitute(Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}")
    case 0x7F: return .substitute("\u{2421}")
    case 0x80..<0xA0: return .substitute(AmbiguousWidth.replacement)
    case 0xAD: return .nothing
    case 0x20..<0x300: return .base(columns: 1)
    case 0x200D: return .joiner
    case 0x4E00...0x9FFF, 0xAC00...0xD7A3: return .base(columns: 2)
    case 0x1F1E6...0x1F1FF:
      // Half a flag: show its letter. Terminals draw a pair in one, two or four columns; two letters take two
      // everywhere.
      return .substitute(Unicode.Scalar(value - 0x1F1E6 + 0x41) ?? "?")
    default: break
    }
    if scalar.properties.isDefaultIgnorableCodePoint { return .nothing }
    if isConjoiningVowelOrFinal(value) { return .mark }
    switch scalar.properties.generalCategory {
    case .nonspacingMark: return .mark
    case .enclosingMark, .format: return .nothing
    case .unassigned, .privateUse, .surrogate: return .substitute(AmbiguousWidth.replacement)
    case .spaceSeparator: return value == 0x3000 ? .base(columns: 2) : .substitute(" ")
    case .control, .lineSeparator, .paragraphSeparator: return .substitute(" ")
    default: return .base(columns: width(of: scalar))
    }
  }

  private static func isRightToLeft(_ value: UInt32) -> Bool {
    switch value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
    default: return false
    }
  }

  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x2000 && scalar.properties.isEmoji
  }

  /// The reduction of one cluster, code point by code point.
  private struct Reduction {
    var cluster = DisplayCluster(text: "", columns: 0, scalars: 0, pieces: 0)
    private var marks = 0
    private var last: Unicode.Scalar?
    private var afterJoiner = false
    private var startsWithEmoji = false

    mutating func add(_ scalar: Unicode.Scalar) {
      cluster.scalars += 1
      switch TextWidth.role(of: scalar) {
      case .nothing: return
      case .joiner:
        afterJoiner = true
        return
      case .substitute(let visible): addBase(visible, columns: 1)
      case .base(let columns):
        // A joined emoji is shown as its first part, and an emoji with a skin tone is shown without the tone.
        if startsWithEmoji, afterJoiner || scalar.properties.isEmojiModifier { break }
        if cluster.columns > 0, scalar.properties.isEmojiModifier { break }
        if cluster.columns == 0 {
          startsWithEmoji = TextWidth.isEmoji(scalar)
          cluster.isRightToLeft = TextWidth.isRightToLeft(scalar.value)
          cluster.isStrong = cluster.isRightToLeft || TextWidth.isLetter(scalar)
        }
        addBase(scalar, columns: columns)
      case .mark: addMark(scalar)
      }
      afterJoiner = false
    }

    private mutating func addBase(_ scalar: Unicode.Scalar, columns: Int) {
      cluster.text.unicodeScalars.append(scalar)
      cluster.columns += columns
      cluster.pieces += 1
      marks = 0
      last = scalar
    }

    private mutating func addMark(_ scalar: Unicode.Scalar) {
      if startsWithEmoji { return }
      if let last, let syllable = composed(last, scalar) {
        cluster.text.unicodeScalars.removeLast()
        cluster.text.unicodeScalars.append(syllable)
        self.last = syllable
        return
      }
      if cluster.columns == 0, TextWidth.isConjoiningVowelOrFinal(scalar.value) {
        addLoneJamo(scalar)
        return
      }
      // A mark without a base is shown on a dotted circle.
      if cluster.columns == 0 { addBase("\u{25CC}", columns: 1) }
      guard marks < TextWidth.markLimit else { return }
      cluster.text.unicodeScalars.append(scalar)
      marks += 1
      last = scalar
    }

    // A vowel without a leading consonant is shown as its compatibility letter; finals and archaic vowels as `�`.
    private mutating func addLoneJamo(_ scalar: Unicode.Scalar) {
      if (0x1161...0x1175).contains(scalar.value), let letter = Unicode.Scalar(scalar.value - 0x1161 + 0x314F) {
        addBase(letter, columns: 2)
      } else {
        addBase(AmbiguousWidth.replacement, columns: 1)
      }
    }

    // Hangul composition (Unicode Standard, section 3.12): conjoining jamo are shown as the syllable.
    private func composed(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
      if (0x1100...0x1112).contains(first.value), (0x1161...0x1175).contains(second.value) {
        return Unicode.Scalar(0xAC00 + ((first.value - 0x1100) * 21 + second.value - 0x1161) * 28)
      }
      if (0xAC00...0xD7A3).contains(first.value), (first.value - 0xAC00) % 28 == 0,
        (0x11A8...0x11C2).contains(second.value)
      {
        return Unicode.Scalar(first.value + second.value - 0x11A7)
      }
      return nil
    }
  }
}
