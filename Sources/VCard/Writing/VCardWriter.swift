/// A writer of cards as vCard 2.1, 3.0 or 4.0 in UTF-8 with CR LF, folded at 75 octets and never inside a character. In
/// 2.1, only encoded values are folded.
public struct VCardWriter: Sendable {
  /// The version of all cards that it writes.
  public let version: CardVersion

  /// Creates a writer for this version.
  public init(version: CardVersion = .v30) { self.version = version }

  /// Returns the card as bytes.
  public func bytes(of card: Card) -> [UInt8] {
    var result: [UInt8] = []
    append(card, to: &result)
    return result
  }

  /// Appends the card. Lines of another version are converted. Lines of this version are written unchanged, except that
  /// line separators that other programs split at are never written unescaped, and that CHARSET names the charset of
  /// the output.
  public func append(_ card: Card, to result: inout [UInt8]) {
    result += Array("BEGIN:VCARD\r\nVERSION:\(version.rawValue)\r\n".utf8)
    for line in card.lines { append(line, to: &result) }
    result += Array("END:VCARD\r\n".utf8)
  }

  /// Returns the line that a reader finds in what is written for this line; nil if it does not find exactly one.
  public func reread(_ line: CardLine) -> CardLine? {
    let lines = VCardReader.read(bytes(of: Card(version: version, lines: [line]))).cards.first?.lines
    return lines?.count == 1 ? lines?.first : nil
  }

  private func append(_ line: CardLine, to result: inout [UInt8]) {
    let line = line.converted(to: version)
    if !appendPlain(line, to: &result) { appendChanged(line, to: &result) }
  }

  /// Appends a line in which nothing has to be changed, as nearly all are, without looking at its parts.
  /// - Returns: false if something may have to be changed.
  private func appendPlain(_ line: CardLine, to result: inout [UInt8]) -> Bool {
    line.source.bytes.withUnsafeBufferPointer { bytes in
      let bytes = UnsafeBufferPointer(rebasing: bytes[Int(line.span.start)..<Int(line.span.end)])
      var isASCII = true
      for byte in bytes {
        // Controls, and the first bytes of U+0085, U+2028 and U+2029, with which many other characters begin too.
        if byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2 { return false }
        if byte >= 0x80 { isASCII = false }
      }
      let isLong = bytes.count > LineFolding.limit
      // A CHARSET only matters if there are characters outside ASCII.
      if !isASCII, line.hasParameters, !line.hasOnlyPlainTypes { return false }
      if isLong {
        if version == .v21 { return false }
        LineFolding.append(bytes, to: &result)
      } else {
        result.append(contentsOf: bytes)
        result.append(Byte.carriageReturn)
        result.append(Byte.lineFeed)
      }
      return true
    }
  }

  func appendChanged(_ line: CardLine, to result: inout [UInt8]) {
    let encoding = line.encoding
    let header = self.header(line, encoding)
    var value = Array(line.valueBytes)
    if version == .v21, value.contains(Byte.lineFeed), line.isNamed("AGENT") {
      appendNested(header + value, to: &result)
      return
    }
    value = Self.cleaned(value, encoding)
    switch (version, encoding) {
    case (.v21, .quotedPrintable): LineFolding.appendSoft(header + value, headerCount: header.count, to: &result)
    case (.v21, .base64):
      (header + value).withUnsafeBufferPointer { LineFolding.append($0, to: &result) }
      // 2.1 ends base64 with an empty line.
      result += [Byte.carriageReturn, Byte.lineFeed]
    // 2.1 only folds at blanks, and few readers unfold text: such a line is not folded.
    case (.v21, .none): result += header + value + [Byte.carriageReturn, Byte.lineFeed]
    default: (header + value).withUnsafeBufferPointer { LineFolding.append($0, to: &result) }
    }
  }

  /// Returns group, name, parameters and the colon. If the line is not ASCII, a CHARSET other than UTF-8 is dropped or,
  /// in 2.1, replaced, unless the value has quoted-printable bytes in that charset.
  private func header(_ line: CardLine, _ encoding: CardEncoding) -> [UInt8] {
    let start = Int(line.span.start)
    let bytes = Array(line.source.bytes[start..<Int(line.span.valueStart)])
    let text = Escapes.string(bytes[...])
    let hasSeparators = LineSeparators.unified(text) != text
    let isASCII = line.source.bytes[start..<Int(line.span.end)].allSatisfy { $0 < 0x80 }
    let declared = isASCII ? nil : line.values(of: "CHARSET").first.map { $0.uppercased() }
    guard hasSeparators || (encoding != .quotedPrintable && declared != nil && declared != "UTF-8") else {
      return bytes
    }
    var parameters = line.parameters.filter { $0.name != "CHARSET" || encoding == .quotedPrintable }
    if version == .v21, encoding == .none, line.valueBytes.contains(where: { $0 >= 0x80 }) {
      parameters.append(CardParameter("CHARSET", "UTF-8"))
    }
    let group = line.group
    let name = (group.isEmpty ? "" : group + ".") + line.name
    // A name has no escapes.
    var result = LineSeparators.unified(name).utf8.map { $0 == Byte.lineFeed ? Byte.hyphen : $0 }
    for parameter in parameters { result += ParameterText.encode(parameter, version) }
    return result + [Byte.colon]
  }

  /// Returns the value without unescaped line ends and separators.
  private static func cleaned(_ value: [UInt8], _ encoding: CardEncoding) -> [UInt8] {
    let text = Escapes.string(value[...])
    let unified = LineSeparators.unified(text)
    guard unified.utf8.contains(Byte.lineFeed) || unified != text else { return value }
    var result: [UInt8] = []
    for byte in unified.utf8 {
      if byte != Byte.lineFeed {
        result.append(byte)
      } else if encoding == .quotedPrintable {
        result += Array("=0D=0A".utf8)
      } else if encoding == .none {
        result += [Byte.backslash, Byte.smallN]
      }
    }
    return result
  }

  /// Appends a nested card of 2.1, line by line.
  private func appendNested(_ bytes: [UInt8], to result: inout [UInt8]) {
    for line in bytes.split(separator: Byte.lineFeed, omittingEmptySubsequences: false) {
      result += line
      result += [Byte.carriageReturn, Byte.lineFeed]
    }
  }
}
