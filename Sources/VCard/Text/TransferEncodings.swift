/// Base64 (RFC 4648), decoded as leniently as real files require.
public enum Base64 {
  private static let values: [UInt8] = {
    var table = [UInt8](repeating: 0xFF, count: 256)
    for (value, letter) in alphabet.enumerated() { table[Int(letter)] = UInt8(value) }
    table[Int(UInt8(ascii: "-"))] = 62
    table[Int(UInt8(ascii: "_"))] = 63
    for blank in [0x20, 0x09, 0x0A, 0x0D] { table[blank] = 0xFE }
    return table
  }()
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Decodes base64; nil if a byte before the padding is neither base64 nor a blank or line end.
  ///
  /// Blanks and line ends are skipped, and the URL-safe alphabet is accepted. Padding may be missing; what follows
  /// it is ignored.
  public static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.underestimatedCount / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    return values.withUnsafeBufferPointer { values in
      for letter in text {
        if letter == Byte.equals { break }
        let value = values[Int(letter)]
        if value == 0xFE { continue }
        guard value != 0xFF else { return nil }
        bits = bits << 6 | UInt32(value)
        count += 1
        if count == 4 {
          result.append(UInt8(truncatingIfNeeded: bits >> 16))
          result.append(UInt8(truncatingIfNeeded: bits >> 8))
          result.append(UInt8(truncatingIfNeeded: bits))
          bits = 0
          count = 0
        }
      }
      if count == 3 {
        result.append(UInt8(truncatingIfNeeded: bits >> 10))
        result.append(UInt8(truncatingIfNeeded: bits >> 2))
      } else if count == 2 {
        result.append(UInt8(truncatingIfNeeded: bits >> 4))
      }
      return result
    }
  }

  /// Encodes bytes as padded base64, on one line.
  public static func encode(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    var position = 0
    while position < bytes.count {
      let left = bytes.count - position
      let first = bytes[position]
      let second = left > 1 ? bytes[position + 1] : 0
      let third = left > 2 ? bytes[position + 2] : 0
      result.append(alphabet[Int(first >> 2)])
      result.append(alphabet[Int((first & 3) << 4 | second >> 4)])
      result.append(left > 1 ? alphabet[Int((second & 15) << 2 | third >> 6)] : Byte.equals)
      result.append(left > 2 ? alphabet[Int(third & 63)] : Byte.equals)
      position += 3
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns true if all bytes are base64 characters, padding, blanks or line ends, and there is at least one.
  static func isPlausible(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { $0 == Byte.equals || values[Int($0)] != 0xFF }
  }
}

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
