import VCard

/// The lines of a card as a contact or a group keeps them: verbatim, and the version first, unless it is 3.0.
public enum KeptLines {
  private static let prefix = "VERSION:"

  /// Returns the version of the card.
  public static func version(of texts: [String]) -> CardVersion {
    guard let first = texts.first, first.hasPrefix(prefix) else { return .v30 }
    return CardVersion(rawValue: String(first.dropFirst(prefix.count))) ?? .v30
  }

  /// Returns the card, without diagnostics and without its line number.
  public static func card(_ texts: [String]) -> Card {
    let version = version(of: texts)
    let lines = texts.first?.hasPrefix(prefix) == true ? texts.dropFirst() : texts[...]
    return Card(version: version, lines: CardLine.lines(lines, version: version))
  }

  /// Returns the lines of a card in the form in which they are kept.
  public static func texts(_ lines: [String], version: CardVersion) -> [String] {
    version == .v30 ? lines : [prefix + version.rawValue] + lines
  }
}
