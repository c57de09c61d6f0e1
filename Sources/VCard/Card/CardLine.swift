/// One property of a card: `item1.TEL;TYPE=home:+1 555 0100`, unfolded, as it was read or as it is to be written.
///
/// It keeps the text to the letter and decodes a part only when that is asked for.
public struct CardLine: Sendable {
  let source: CardText
  let span: LineSpan

  init(source: CardText, span: LineSpan) {
    self.source = source
    self.span = span
  }

  /// Reads one unfolded line of a card of this version; nil when it has no colon or no plausible name.
  ///
  /// The text of an AGENT of 2.1 may hold line ends.
  public init?(_ text: String, version: CardVersion = .v30) {
    self.init(bytes: Array(text.utf8), version: version)
  }

  init?(bytes: [UInt8], version: CardVersion) {
    let parsed = bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { LineHeader.parse($0, 0, buffer.count) }
    }
    guard let parsed else { return nil }
    source = CardText(bytes: bytes, version: version, undeclared: nil)
    span = parsed
  }

  /// Line of the input where the property begins, from 1; 0 for one that was not read.
  public var lineNumber: Int { Int(span.lineNumber) }

  /// The version whose rules the text follows.
  public var version: CardVersion { source.version }

  /// The whole property as it stands, unfolded.
  public var verbatim: String { text(span.start, span.end) }

  /// What stands before the dot (`item1`); empty when there is none.
  public var group: String {
    text(span.start, span.groupEnd).filter { $0 != " " && $0 != "\t" }
  }

  /// True when the property has a group.
  public var hasGroup: Bool { span.groupEnd > span.start }

  /// The name as it stands.
  public var name: String { text(span.nameStart, span.nameEnd) }

  /// The name in capitals: names have no case (RFC 6350, 3.3).
  public var key: String {
    let bytes = source.bytes[Int(span.nameStart)..<Int(span.nameEnd)]
    return String(unsafeUninitializedCapacity: bytes.count) { buffer in
      var count = 0
      for byte in bytes {
        buffer[count] = Byte.upper(byte)
        count += 1
      }
      return count
    }
  }

  /// The value as it stands, escaped and encoded.
  public var rawValue: String { text(span.valueStart, span.end) }

  /// True when the property has this name, whatever its case.
  public func isNamed(_ name: String) -> Bool {
    let own = source.bytes[Int(span.nameStart)..<Int(span.nameEnd)]
    let other = name.utf8
    guard own.count == other.count else { return false }
    return zip(own, other).allSatisfy { Byte.upper($0) == Byte.upper($1) }
  }

  var valueBytes: ArraySlice<UInt8> { source.bytes[Int(span.valueStart)..<Int(span.end)] }

  var parameterBytes: ArraySlice<UInt8> {
    source.bytes[Int(span.nameEnd)..<max(Int(span.nameEnd), Int(span.valueStart) - 1)]
  }

  /// True when anything stands between name and colon.
  public var hasParameters: Bool { parameterBytes.contains { !Byte.isSpace($0) } }

  private func text(_ start: Int32, _ end: Int32) -> String {
    source.bytes.withUnsafeBufferPointer { String(decoding: $0[Int(start)..<Int(end)], as: UTF8.self) }
  }
}

extension CardLine: Hashable {
  /// Two properties are equal when their text is, to the letter, and is read by the same version.
  public static func == (left: CardLine, right: CardLine) -> Bool {
    left.source.version == right.source.version
      && left.source.bytes[Int(left.span.start)..<Int(left.span.end)]
        == right.source.bytes[Int(right.span.start)..<Int(right.span.end)]
  }

  /// By the text.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(source.bytes[Int(span.start)..<Int(span.end)])
  }
}
