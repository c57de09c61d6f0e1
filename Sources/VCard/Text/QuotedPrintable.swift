/// The quoted-printable encoding of vCard 2.1 (RFC 2045, 6.7).
enum QuotedPrintable {
  /// Decodes quoted-printable; an equals sign without two hexadecimal digits is kept, except at the end.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var position = text.startIndex
    while position < text.endIndex {
      let byte = text[position]
      if let decoded = encodedByte(text, at: position) {
        result.append(decoded)
        position += 3
        continue
      }
      // A soft break at the very end is dropped.
      if byte == Byte.equals, position + 1 == text.endIndex { break }
      result.append(byte)
      position += 1
    }
    return result
  }

  /// Splits a value in ISO-2022 at separators that are neither encoded nor bytes of a longer character.
  static func splitISO2022(_ text: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var state = ShiftState()
    var start = text.startIndex
    var position = start
    while position < text.endIndex {
      let byte = text[position]
      if let decoded = encodedByte(text, at: position) {
        state.read(decoded)
        position += 3
        continue
      }
      if byte == separator, state.isASCII {
        pieces.append(text[start..<position])
        start = position + 1
      } else {
        state.read(byte)
      }
      position += 1
    }
    return pieces + [text[start...]]
  }

  /// Returns the byte whose `=XX` is at a position; nil if there is none.
  private static func encodedByte(_ text: ArraySlice<UInt8>, at position: Int) -> UInt8? {
    guard text[position] == Byte.equals, position + 2 < text.endIndex, let high = Byte.hexDigit(text[position + 1]),
      let low = Byte.hexDigit(text[position + 2])
    else { return nil }
    return high << 4 | low
  }

  /// Encodes bytes without soft breaks. Semicolons and backslashes are kept, because they separate and escape.
  static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes {
      if byte == Byte.lineFeed {
        result += [0x3D, 0x30, 0x44, 0x3D, 0x30, 0x41]
      } else if byte > 0x20, byte < 0x7F, byte != Byte.equals {
        result.append(byte)
      } else if byte == Byte.space {
        result.append(byte)
      } else {
        result += encoded(byte)
      }
    }
    // Some transports strip a blank at the end of a line.
    if result.last == Byte.space {
      result.removeLast()
      result += [0x3D, 0x32, 0x30]
    }
    return result
  }

  /// Returns the byte as `=XX`.
  static func encoded(_ byte: UInt8) -> [UInt8] { [Byte.equals, digits[Int(byte >> 4)], digits[Int(byte & 15)]] }

  private static let digits = Array("0123456789ABCDEF".utf8)
}
