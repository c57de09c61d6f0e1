/// The quoted-printable encoding of vCard 2.1 (RFC 2045, 6.7).
enum QuotedPrintable {
  /// Decodes quoted-printable; an equals sign without two hexadecimal digits is kept, except at the end.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var position = text.startIndex
    while position < text.endIndex {
      let byte = text[position]
      if byte == Byte.equals {
        if position + 2 < text.endIndex, let high = Byte.hexDigit(text[position + 1]),
          let low = Byte.hexDigit(text[position + 2])
        {
          result.append(high << 4 | low)
          position += 3
          continue
        }
        // A soft break at the very end is dropped.
        if position + 1 == text.endIndex { break }
      }
      result.append(byte)
      position += 1
    }
    return result
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
