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
