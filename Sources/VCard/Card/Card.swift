/// One vCard: its properties in the order of the file, without BEGIN, VERSION and END.
public struct Card: Sendable {
  /// The declared version; 3.0 if none or an unknown one is declared.
  public var version: CardVersion
  /// The properties in order.
  public var lines: [CardLine]
  /// The line of the input where the card begins, from 1; 0 for a card that was not read from input.
  public var lineNumber: Int
  /// Problems that did not prevent reading the card.
  public var diagnostics: [Diagnostic]

  /// Creates a card with these properties.
  public init(version: CardVersion = .v30, lines: [CardLine] = []) {
    self.version = version
    self.lines = lines
    lineNumber = 0
    diagnostics = []
  }

  /// Returns the first property with this name, ignoring case and group; nil if there is none.
  public func first(_ name: String) -> CardLine? {
    lines.first { $0.isNamed(name) }
  }

  /// Returns the properties with this name, in order, ignoring case and group.
  public func all(_ name: String) -> [CardLine] {
    lines.filter { $0.isNamed(name) }
  }
}

/// A version of the vCard format that this module reads and writes.
public enum CardVersion: String, Sendable, Hashable, CaseIterable {
  /// vCard 2.1 of the versit Consortium (1996): bare types, quoted-printable, a charset per property.
  case v21 = "2.1"
  /// RFC 2426 (1998), which most programs exchange.
  case v30 = "3.0"
  /// RFC 6350 (2011).
  case v40 = "4.0"
}
