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

/// Folding of long lines (RFC 2426, 2.6; RFC 6350, 3.2).
enum LineFolding {
  /// The maximum number of bytes of a line without its end.
  static let limit = 75

  /// Appends the line with its end, folded with CR LF and a blank, never inside a UTF-8 character or `=XX`. No folded
  /// part looks like the beginning or end of a card, or is nothing but blanks, which some programs drop before they read
  /// the card: such a line is longer instead.
  static func append(_ line: UnsafeBufferPointer<UInt8>, to result: inout [UInt8]) {
    var start = 0
    var room = limit
    while true {
      var end = min(line.count, start + room)
      while end < line.count, end > start + 1, line[end] & 0xC0 == 0x80 { end -= 1 }
      if end < line.count, end > start + 3 { end -= encodedByteBefore(line, end) }
      if line[end..<min(line.count, end + limit - 1)].allSatisfy(Byte.isSpace) {
        end = line[end...].firstIndex { !Byte.isSpace($0) }.map { $0 + 1 } ?? line.count
        while end < line.count, line[end] & 0xC0 == 0x80 { end += 1 }
      }
      while start > 0, isDelimiter(UnsafeBufferPointer(rebasing: line[start..<end])) { end -= 1 }
      result.append(contentsOf: UnsafeBufferPointer(rebasing: line[start..<end]))
      result += [Byte.carriageReturn, Byte.lineFeed]
      if end == line.count { return }
      result.append(Byte.space)
      start = end
      room = limit - 1
    }
  }

  /// Returns how many bytes of an `=XX` that is cut at `end` are before it.
  private static func encodedByteBefore(_ line: UnsafeBufferPointer<UInt8>, _ end: Int) -> Int {
    for count in 1...2 where line[end - count] == Byte.equals {
      let digits = line[(end - count + 1)...].prefix(2)
      return digits.count == 2 && digits.allSatisfy { Byte.hexDigit($0) != nil } ? count : 0
    }
    return 0
  }

  /// Appends a quoted-printable line with soft breaks, never inside `=XX` and never before the end of the header,
  /// without which a reader would not recognize them.
  static func appendSoft(_ line: [UInt8], headerCount: Int, to result: inout [UInt8]) {
    var start = 0
    while line.count - start > limit {
      var end = start + limit - 4
      // Some readers take a blank at the beginning of a line for folding and drop it.
      while end > start + limit / 2,
        Byte.isSpace(line[end]) || line[end - 1] == Byte.equals || line[end - 2] == Byte.equals
      {
        end -= 1
      }
      end = max(end, headerCount)
      if end == line.count { break }
      appendSegment(line[start..<end], to: &result)
      result += [Byte.equals, Byte.carriageReturn, Byte.lineFeed]
      start = end
    }
    appendSegment(line[start...], to: &result)
    result += [Byte.carriageReturn, Byte.lineFeed]
  }

  /// Appends a segment. Encodes its first byte if it begins with a blank, or looks like the beginning or end of a card.
  private static func appendSegment(_ part: ArraySlice<UInt8>, to result: inout [UInt8]) {
    let isMistaken =
      part.startIndex > 0 && (part.first.map(Byte.isSpace) == true || part.withUnsafeBufferPointer(isDelimiter))
    guard isMistaken, let first = part.first else {
      result += part
      return
    }
    result += QuotedPrintable.encoded(first)
    result += part.dropFirst()
  }

  private static func isDelimiter(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
    CardDelimiter.isEnd(part) || CardDelimiter.isBegin(part)
  }
}
