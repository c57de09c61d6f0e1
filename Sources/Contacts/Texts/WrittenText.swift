/// Text in an address that a program reads (RFC 3986, 2.1).
package enum PercentEncoding {
  /// Keeps ASCII letters, digits and the given characters, and writes every other byte as `%` and two digits.
  package static func encode(_ bytes: some Sequence<UInt8>, keeping kept: StaticString) -> String {
    let kept = UnsafeBufferPointer(start: kept.utf8Start, count: kept.utf8CodeUnitCount)
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        encoded.append(byte)
      case _ where kept.contains(byte): encoded.append(byte)
      default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}

extension String {
  /// The text without white space at its beginning and end. This uses indices because the first use of a reversed
  /// collection looks up generic types, which is slow.
  package var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.first, let last = scalars.last, first.isBlank || last.isBlank else { return self }
    var (start, end) = (scalars.startIndex, scalars.endIndex)
    while start < end, scalars[start].isBlank { start = scalars.index(after: start) }
    while start < end {
      let last = scalars.index(before: end)
      guard scalars[last].isBlank else { break }
      end = last
    }
    return String(scalars[start..<end])
  }
}

extension Unicode.Scalar {
  /// Whether the scalar has the property White_Space; in ASCII and from U+3001 on, this is known without a lookup.
  fileprivate var isBlank: Bool {
    if value < 0x80 { return value == 0x20 || (0x09...0x0D).contains(value) }
    return value < 0x3001 && properties.isWhitespace
  }
}
