// The standard library normalizes strings to compare them; this is the only access to the result without Foundation.
@_spi(_Unicode) import Swift

/// Unicode normalization (UAX #15), as far as searching needs it.
enum CanonicalForm {
  /// Appends the code points of a string in normalization form C, in which highlight ranges are counted.
  static func append(_ text: String, to scalars: inout [UInt32]) {
    var text = text
    text.withUTF8 { append($0, to: &scalars) }
  }

  /// Appends the code points of a string's UTF-8, which is valid, in normalization form C.
  static func append(_ utf8: UnsafeBufferPointer<UInt8>, to scalars: inout [UInt32]) {
    if appendStable(utf8, to: &scalars) { return }
    for composed in String(decoding: utf8, as: UTF8.self)._nfc { scalars.append(composed.value) }
  }

  /// Appends the code points if all of them are stable; otherwise appends nothing and returns false.
  private static func appendStable(_ bytes: UnsafeBufferPointer<UInt8>, to scalars: inout [UInt32]) -> Bool {
    let start = scalars.count
    var index = 0
    while index < bytes.count {
      let first = UInt32(bytes[index])
      index += 1
      if first < 0x80 {
        scalars.append(first)
        continue
      }
      let more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
      var value = first & (0x3F >> UInt32(more))
      for _ in 0..<more {
        value = value << 6 | UInt32(bytes[index] & 0x3F)
        index += 1
      }
      guard isStable(value) else {
        scalars.removeSubrange(start...)
        return false
      }
      scalars.append(value)
    }
    return true
  }

  /// Returns the first code point of the canonical decomposition: a letter without its accents.
  static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    String(Character(scalar))._nfd.first { _ in true } ?? scalar
  }

  /// Returns whether a code point can be appended unchanged, like most text: it is in form C, or a space (U+2000 and
  /// U+2001), and does not compose with the one before.
  private static func isStable(_ value: UInt32) -> Bool {
    switch value {
    case 0..<0x300, 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x3000...0x3098, 0x309B...0x30FF, 0xAC00...0xD7A3: true
    case 0x2000...0x206F, 0x370...0x373, 0x400...0x482, 0xFF00...0xFFEF, 0x1F300...0x1FAFF, 0x20000...0x2F7FF: true
    default: false
    }
  }
}
