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
