/// The unfolded text of a whole card in UTF-8, shared by its lines: one allocation for a card instead of one for each part.
final class CardText: Sendable {
  let bytes: [UInt8]
  /// What the card's escapes and encodings are read by.
  let version: CardVersion
  /// How quoted-printable bytes that are not UTF-8 are read where no CHARSET is given: the charset of the card's other lines.
  let undeclared: Charset?

  init(bytes: [UInt8], version: CardVersion, undeclared: Charset?) {
    self.bytes = bytes
    self.version = version
    self.undeclared = undeclared
  }
}

/// Where a property stands in the text of its card. Offsets are 32 bits wide: a card is limited to far less than 2 GB.
struct LineSpan: Sendable {
  /// First byte.
  var start: Int32
  /// After the last byte.
  var end: Int32
  /// After the group, where its dot stands; the start when there is none.
  var groupEnd: Int32
  /// First byte of the name.
  var nameStart: Int32
  /// After the name.
  var nameEnd: Int32
  /// First byte of the value, after the colon.
  var valueStart: Int32
  /// Line of the input.
  var lineNumber: Int32
  /// What its bytes are.
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

/// What the bytes of a line are, as far as can be told without its charset.
enum ByteContent: UInt8, Sendable {
  /// ASCII without NUL: right in every charset.
  case ascii
  /// Valid UTF-8 with sequences of two bytes only, which other charsets can make by chance.
  case weakUTF8
  /// Valid UTF-8 with longer sequences, which other charsets hardly ever make.
  case strongUTF8
  /// Anything else: another charset, damage, NUL, surrogates in three bytes each.
  case other
}
