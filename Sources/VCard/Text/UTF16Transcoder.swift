/// A converter of a stream of UTF-16 to UTF-8; chunks may end anywhere.
struct UTF16Transcoder {
  private let isBigEndian: Bool
  private var firstByte: UInt8?
  private var highSurrogate: UInt32?

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Creates a transcoder for text that is UTF-16 by its byte order mark or by zeros next to its first letters; nil for
  /// any other text, and for fewer than four bytes.
  init?(ofTextBeginning first: [UInt8]) {
    guard first.count >= 4 else { return nil }
    let zeros = first.prefix(4).map { $0 == 0 }
    if first.starts(with: [0xFF, 0xFE]) || zeros == [false, true, false, true] {
      self.init(isBigEndian: false)
    } else if first.starts(with: [0xFE, 0xFF]) || zeros == [true, false, true, false] {
      self.init(isBigEndian: true)
    } else {
      return nil
    }
  }

  /// Appends the chunk in UTF-8. A surrogate without its partner becomes U+FFFD.
  mutating func decode(_ chunk: ArraySlice<UInt8>, into result: inout [UInt8]) {
    for byte in chunk {
      guard let first = firstByte else {
        firstByte = byte
        continue
      }
      firstByte = nil
      let unit = isBigEndian ? UInt32(first) << 8 | UInt32(byte) : UInt32(byte) << 8 | UInt32(first)
      consume(unit, &result)
    }
  }

  /// Appends U+FFFD for an incomplete rest at the end of the stream.
  mutating func finish(into result: inout [UInt8]) {
    if highSurrogate != nil || firstByte != nil { append(0xFFFD, &result) }
    highSurrogate = nil
    firstByte = nil
  }

  private mutating func consume(_ unit: UInt32, _ result: inout [UInt8]) {
    if let high = highSurrogate {
      highSurrogate = nil
      if (0xDC00...0xDFFF).contains(unit) {
        append(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00), &result)
        return
      }
      append(0xFFFD, &result)
    }
    switch unit {
    case 0xD800...0xDBFF: highSurrogate = unit
    case 0xDC00...0xDFFF: append(0xFFFD, &result)
    default: append(unit, &result)
    }
  }

  private func append(_ value: UInt32, _ result: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(value), let units = UTF8.encode(scalar) else { return }
    result.append(contentsOf: units)
  }
}
