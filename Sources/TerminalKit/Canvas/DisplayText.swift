/// Text that is safe to send to a terminal.
public enum DisplayText {
  /// Returns the text as shown on one line.
  ///
  /// Control characters become visible symbols (`␛`); C1 controls, noncharacters, and private-use and unassigned code
  /// points become `�`; tabs and line ends become spaces; bidi controls, zero-width and other invisible characters are
  /// dropped; clusters are reduced to what every terminal shows the same way (see ``TextWidth``). Nothing below U+0020
  /// and nothing in U+007F–U+009F remains. The result is empty if all characters are dropped; a placeholder is up to
  /// the caller.
  public static func clean(_ text: String) -> String {
    if TextWidth.printableASCIICount(text) != nil { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for character in text { result += TextWidth.cluster(character).text }
    return result
  }
}

/// The grapheme clusters of a text as displayed.
///
/// Most texts consist of code points that are clusters of their own, and need no search for boundaries.
struct DisplayClusters: Sequence, IteratorProtocol {
  private var plain: String.UnicodeScalarView.Iterator?
  private var rest: String.Iterator

  init(_ text: String) {
    let isPlain = text.unicodeScalars.allSatisfy { TextWidth.plainColumns(of: $0) != nil }
    plain = isPlain ? text.unicodeScalars.makeIterator() : nil
    rest = text.makeIterator()
  }

  mutating func next() -> DisplayCluster? {
    if plain == nil {
      guard let character = rest.next() else { return nil }
      return TextWidth.plainScalar(of: character).map(Self.cluster) ?? TextWidth.cluster(character)
    }
    guard let scalar = plain?.next(), let columns = TextWidth.plainColumns(of: scalar) else { return nil }
    return Self.cluster(scalar, columns: columns)
  }

  /// Returns the cluster of a code point that needs no reduction.
  private static func cluster(_ scalar: Unicode.Scalar, columns: Int) -> DisplayCluster {
    DisplayCluster(text: String(scalar), columns: columns, scalars: 1, isStrong: TextWidth.isLetter(scalar))
  }
}
