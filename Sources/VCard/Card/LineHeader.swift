/// The group, name, parameters and value of an unfolded line: `group.name;parameters:value`.
enum LineHeader {
  /// Returns the parts of the line from `start` to `end`; nil if it has no colon or no plausible name. BEGIN and END are
  /// not names: in the middle of a card they would begin or end another one.
  ///
  /// A colon inside a quoted parameter ends the parameters only if there is none outside quotes.
  static func parse(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> LineSpan? {
    var position = start
    while position < end, isSpace(bytes[position]) { position += 1 }
    var groupEnd = start
    var nameStart = position
    scan: while position < end {
      let byte = bytes[position]
      switch byte {
      case Byte.colon, Byte.semicolon: break scan
      case Byte.dot:
        groupEnd = position
        nameStart = position + 1
      default: guard isNameByte(byte) else { return nil }
      }
      position += 1
    }
    var nameEnd = position
    while nameEnd > nameStart, isSpace(bytes[nameEnd - 1]) { nameEnd -= 1 }
    guard position < end, nameEnd > nameStart, !isDelimiter(bytes + nameStart, nameEnd - nameStart),
      let colon = colon(bytes, position, end)
    else { return nil }
    return LineSpan(
      start: Int32(start), end: Int32(end), groupEnd: Int32(groupEnd), nameStart: Int32(nameStart),
      nameEnd: Int32(nameEnd), valueStart: Int32(colon + 1), lineNumber: 0, content: .ascii)
  }

  /// Returns true if the line looks like a property, not like text with a colon: its name must be a token.
  static func isProperty(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = line.baseAddress, let span = parse(base, 0, line.count) else { return false }
    return line[Int(span.start)..<Int(span.nameEnd)].allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, Byte.hyphen, Byte.dot: return true
      default: return false
      }
    }
  }

  private static func colon(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
    var position = start
    var quoted = false
    var firstInQuotes: Int?
    while position < end {
      switch bytes[position] {
      case Byte.quote: quoted.toggle()
      case Byte.colon:
        if !quoted { return position }
        if firstInQuotes == nil { firstInQuotes = position }
      default: break
      }
      position += 1
    }
    return firstInQuotes
  }

  /// Returns true for letters, digits and hyphens, which the standards allow, and for what programs write: underscores,
  /// slashes (`X-messaging/aim-All`), blanks before the colon, and other scripts.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, Byte.hyphen, Byte.underscore, UInt8(ascii: "/"): return true
    case Byte.space, Byte.tab: return true
    default: return byte >= 0x80
    }
  }

  private static func isDelimiter(_ name: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    Byte.equal(name, count, "END") || Byte.equal(name, count, "BEGIN")
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == Byte.space || byte == Byte.tab }
}
