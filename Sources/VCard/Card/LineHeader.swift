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

/// The parameters in the text between name and colon.
enum ParameterScanner {
  struct Part {
    /// The name in upper case; nil for a bare word.
    var name: String?
    var values: [String]
  }

  /// Returns the parts of `;TYPE=home,"a,b";PREF`. Separators inside quotes and after a backslash belong to the value;
  /// any other backslash is text. ``LineSeparators`` are replaced or removed first, as the writer does, because
  /// parameters could otherwise change their meaning by being written.
  static func scan(_ bytes: ArraySlice<UInt8>) -> [Part] {
    let bytes = LineSeparators.unified(bytes)
    var parts: [Part] = []
    var position = bytes.startIndex
    if position < bytes.endIndex, bytes[position] != Byte.semicolon {
      position = bytes[position...].firstIndex(of: Byte.semicolon) ?? bytes.endIndex
    }
    while position < bytes.endIndex {
      position += 1
      let part = scanPart(bytes, &position)
      if part.name != nil || part.values.contains(where: { !$0.isEmpty }) { parts.append(part) }
    }
    return parts
  }

  /// Reads up to the next semicolon and stops there.
  private static func scanPart(_ bytes: ArraySlice<UInt8>, _ position: inout Int) -> Part {
    var part = Part(name: nil, values: [])
    var value: [UInt8] = []
    var isQuoted = false
    var hasCaret = false
    func close() {
      part.values.append(hasCaret ? CaretEscapes.decode(value) : trimmed(value))
      value.removeAll(keepingCapacity: true)
      hasCaret = false
    }
    while position < bytes.endIndex {
      let byte = bytes[position]
      if byte == Byte.semicolon, !isQuoted { break }
      switch byte {
      case Byte.quote: isQuoted.toggle()
      case Byte.equals where part.name == nil && !isQuoted:
        part.name = trimmed(value.filter { !isSeparator($0) }).uppercased()
        value.removeAll(keepingCapacity: true)
      case Byte.comma where !isQuoted: close()
      case Byte.backslash where !isQuoted && position + 1 < bytes.endIndex && isEscapable(bytes[position + 1]):
        position += 1
        value.append(bytes[position])
      case CaretEscapes.caret:
        hasCaret = true
        value.append(byte)
      default: value.append(byte)
      }
      position += 1
    }
    close()
    return part
  }

  private static func isEscapable(_ byte: UInt8) -> Bool { byte == Byte.comma || byte == Byte.semicolon }

  /// Returns true for a byte that a name cannot contain, because names have no escapes.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    [Byte.lineFeed, Byte.comma, Byte.semicolon, Byte.colon, Byte.quote].contains(byte)
  }

  private static func trimmed(_ bytes: [UInt8]) -> String {
    var slice = bytes[...]
    while let first = slice.first, Byte.isSpace(first) { slice.removeFirst() }
    while let last = slice.last, Byte.isSpace(last) { slice.removeLast() }
    return Escapes.string(slice)
  }
}

/// The escapes of parameter values (RFC 6868): `^n` line end, `^'` quote, `^^` caret.
enum CaretEscapes {
  static let caret: UInt8 = 0x5E

  static func decode(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if bytes[position] == caret, position + 1 < bytes.count {
        switch bytes[position + 1] {
        case Byte.smallN: result.append(Byte.lineFeed)
        case 0x27: result.append(Byte.quote)
        case caret: result.append(caret)
        default: result += [caret, bytes[position + 1]]
        }
        position += 2
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return Escapes.string(result[...])
  }

  /// Returns the value in the form it has after the equals sign, quoted if its characters require it.
  static func encode(_ value: String) -> String {
    var result = ""
    var needsQuotes = false
    for scalar in LineSeparators.unified(value).unicodeScalars {
      switch scalar {
      case "\n": result += "^n"
      case "\"": result += "^'"
      case "^": result += "^^"
      default:
        if scalar == "," || scalar == ";" || scalar == ":" || scalar == "\\" { needsQuotes = true }
        result.unicodeScalars.append(scalar)
      }
    }
    return needsQuotes ? "\"\(result)\"" : result
  }
}
