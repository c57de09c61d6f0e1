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

/// The unfolded text of a whole card in UTF-8, shared by its lines: this takes one allocation per card instead of one
/// per part.
final class CardText: Sendable {
  let bytes: [UInt8]
  /// The version that defines the card's escapes and encodings.
  let version: CardVersion
  /// The charset for quoted-printable bytes that are not UTF-8 and have no CHARSET: the charset of the card's other
  /// lines.
  let undeclared: Charset?

  init(bytes: [UInt8], version: CardVersion, undeclared: Charset?) {
    self.bytes = bytes
    self.version = version
    self.undeclared = undeclared
  }
}

/// The position of a property in the text of its card. Offsets are 32 bits wide, as a card is limited to far less than
/// 2 GB.
struct LineSpan: Sendable {
  /// The first byte.
  var start: Int32
  /// The end, exclusive.
  var end: Int32
  /// The end of the group, at its dot; the start if there is no group.
  var groupEnd: Int32
  /// The first byte of the name.
  var nameStart: Int32
  /// The end of the name, exclusive.
  var nameEnd: Int32
  /// The first byte of the value, after the colon.
  var valueStart: Int32
  /// The line number in the input.
  var lineNumber: Int32
  /// The kind of its bytes.
  var content: ByteContent

  mutating func move(by distance: Int32) {
    start += distance
    end += distance
    groupEnd += distance
    nameStart += distance
    nameEnd += distance
    valueStart += distance
  }
}

/// The kind of a line's bytes, as far as it can be determined without the charset.
enum ByteContent: UInt8, Sendable {
  /// ASCII without NUL, which needs no decoding unless it has the escape sequences of ISO-2022.
  case ascii
  /// Valid UTF-8 with two-byte sequences only, which other charsets can contain by chance.
  case weakUTF8
  /// Valid UTF-8 with longer sequences, which other charsets hardly ever contain.
  case strongUTF8
  /// Anything else: another charset, damage, NUL, surrogates in three bytes each.
  case other
}
