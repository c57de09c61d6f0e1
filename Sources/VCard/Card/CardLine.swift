/// A property of a card: `item1.TEL;TYPE=home:+1 555 0100`, unfolded, as it was read or will be written.
///
/// It keeps the exact text and decodes its parts on demand.
public struct CardLine: Sendable {
  let source: CardText
  let span: LineSpan

  init(source: CardText, span: LineSpan) {
    self.source = source
    self.span = span
  }

  /// Parses an unfolded line of a card of this version; nil if it has no colon or no plausible name, or is
  /// BEGIN or END.
  ///
  /// An AGENT of 2.1 may contain line ends.
  public init?(_ text: String, version: CardVersion = .v30) {
    self.init(bytes: Array(text.utf8), version: version)
  }

  /// Parses unfolded lines of a card of this version; those without a colon or a plausible name are left out,
  /// and so are BEGIN and END.
  public static func lines(_ texts: ArraySlice<String>, version: CardVersion) -> [CardLine] {
    var bytes: [UInt8] = []
    var count = 0
    for text in texts { count += text.utf8.count }
    bytes.reserveCapacity(count)
    var spans: [LineSpan] = []
    spans.reserveCapacity(texts.count)
    for var text in texts {
      let start = bytes.count
      text.withUTF8 { bytes.append(contentsOf: $0) }
      let parsed = bytes.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.flatMap { LineHeader.parse($0, start, buffer.count) }
      }
      if let parsed { spans.append(parsed) } else { bytes.removeSubrange(start...) }
    }
    let source = CardText(bytes: bytes, version: version, undeclared: nil)
    return spans.map { CardLine(source: source, span: $0) }
  }

  /// Parses unfolded lines of a card of this version; those without a colon or a plausible name are left out,
  /// and so are BEGIN and END.
  public static func lines(_ texts: [String], version: CardVersion) -> [CardLine] {
    lines(texts[...], version: version)
  }

  init?(bytes: [UInt8], version: CardVersion) {
    let parsed = bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { LineHeader.parse($0, 0, buffer.count) }
    }
    guard let parsed else { return nil }
    source = CardText(bytes: bytes, version: version, undeclared: nil)
    span = parsed
  }

  /// The line of the input where the property begins, from 1; 0 if it was not read from input.
  public var lineNumber: Int { Int(span.lineNumber) }

  /// The vCard version whose syntax the text follows.
  public var version: CardVersion { source.version }

  /// The exact text of the property, unfolded.
  public var verbatim: String { text(span.start, span.end) }

  /// The text before the dot (`item1`); empty if there is none.
  public var group: String {
    text(span.start, span.groupEnd).filter { $0 != " " && $0 != "\t" }
  }

  /// True if the property has a group.
  public var hasGroup: Bool { span.groupEnd > span.start }

  /// The name in its original spelling.
  public var name: String { text(span.nameStart, span.nameEnd) }

  /// The name in upper case: names are case-insensitive (RFC 6350, 3.3).
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

  /// The value before decoding, escaped and encoded.
  public var rawValue: String { text(span.valueStart, span.end) }

  /// Returns true if the property has this name, ignoring case.
  public func isNamed(_ name: String) -> Bool {
    guard Int(span.nameEnd - span.nameStart) == name.utf8.count else { return false }
    var offset = Int(span.nameStart)
    for byte in name.utf8 {
      if Byte.upper(byte) != Byte.upper(source.bytes[offset]) { return false }
      offset += 1
    }
    return true
  }

  var valueBytes: ArraySlice<UInt8> { source.bytes[Int(span.valueStart)..<Int(span.end)] }

  var parameterBytes: ArraySlice<UInt8> {
    source.bytes[Int(span.nameEnd)..<max(Int(span.nameEnd), Int(span.valueStart) - 1)]
  }

  /// True if there is anything but blanks between name and colon.
  public var hasParameters: Bool { parameterBytes.contains { !Byte.isSpace($0) } }

  private func text(_ start: Int32, _ end: Int32) -> String {
    source.bytes.withUnsafeBufferPointer { String(decoding: $0[Int(start)..<Int(end)], as: UTF8.self) }
  }
}

extension CardLine: Hashable {
  /// Properties are equal if their exact text and their version are.
  public static func == (left: CardLine, right: CardLine) -> Bool {
    left.source.version == right.source.version
      && left.source.bytes[Int(left.span.start)..<Int(left.span.end)]
        == right.source.bytes[Int(right.span.start)..<Int(right.span.end)]
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(source.bytes[Int(span.start)..<Int(span.end)])
  }
}
