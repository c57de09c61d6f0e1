import VCard

/// The lines of a card as a contact or a group keeps them: verbatim, and the version first, unless it is 3.0.
public enum KeptLines {
  private static let prefix = "VERSION:"

  /// The version of the card.
  public static func version(of texts: [String]) -> CardVersion {
    guard let first = texts.first, first.hasPrefix(prefix) else { return .v30 }
    return CardVersion(rawValue: String(first.dropFirst(prefix.count))) ?? .v30
  }

  /// The card, without diagnostics and without its line number.
  public static func card(_ texts: [String]) -> Card {
    let version = version(of: texts)
    let lines = texts.first?.hasPrefix(prefix) == true ? texts.dropFirst() : texts[...]
    return Card(version: version, lines: CardLine.lines(lines, version: version))
  }

  /// The lines of a card, to be kept.
  public static func texts(_ lines: [String], version: CardVersion) -> [String] {
    version == .v30 ? lines : [prefix + version.rawValue] + lines
  }
}
