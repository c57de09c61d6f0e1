// The standard library normalizes strings to compare them; this is the only access to the result without Foundation.
@_spi(_Unicode) import Swift

/// The role of a code point when a text is split for search.
enum ScalarKind {
  /// The end of a word; not compared.
  case space
  /// Ignored, such as a control for direction or joining.
  case invisible
  /// Part of the letter before it.
  case mark
  /// Part of a word in a script that puts spaces between words.
  case letter
  /// Part of a number.
  case digit
  /// A token of its own with readings.
  case han
  /// A token of its own: in scripts without spaces, and in Hangul.
  case cluster
  /// Compared literally, and may be left out between two words.
  case symbol

  init(_ value: UInt32) {
    switch value {
    case 0x61...0x7A, 0x41...0x5A: self = .letter
    case 0x30...0x39: self = .digit
    case 0x20, 0x09...0x0D: self = .space
    case 0..<0x20, 0x7F..<0xA0: self = .space
    case 0x21..<0x7F: self = .symbol
    case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x323AF, 0xF900...0xFAFF: self = .han
    // The marks 々 and 〻, which repeat a character, 〇, and radicals, which some programs write for characters.
    case 0x3005, 0x3007, 0x303B, 0x2E80...0x2FD5: self = .han
    // Between the parts of a Persian word, which people also write apart.
    case 0x200C: self = .space
    case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xAD, 0x61C, 0x640: self = .invisible
    case 0xFF9E, 0xFF9F: self = .mark  // of half-width kana
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x1F3FB...0x1F3FF: self = .mark
    // Apostrophes that Unicode calls letters.
    case 0x2B9, 0x2BB...0x2BF, 0x2C8, 0x2CA, 0x2CB, 0xA78B, 0xA78C: self = .symbol
    // The letters of most names, without looking up their properties.
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2C1, 0x391...0x3A1, 0x3A3...0x3F5, 0x400...0x481: self = .letter
    case 0x3041...0x3096, 0x30A1...0x30FA, 0xAC00...0xD7A3: self = .cluster
    default: self = ScalarKind(properties: Unicode.Scalar(value) ?? "\u{FFFD}")
    }
  }

  /// Finds the role by the general category (UAX #44), without the exceptions of ``init(_:)``.
  init(properties scalar: Unicode.Scalar) {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark:
      self = .mark
    case .decimalNumber:
      self = .digit
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
      self = ScalarKind.isWrittenWithoutSpaces(scalar.value) ? .cluster : .letter
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control:
      self = .space
    case .format, .unassigned, .surrogate:
      self = .invisible
    default:
      self = .symbol
    }
  }

  /// Returns whether a letter is Thai, Lao, Tibetan, Burmese, Khmer, kana, bopomofo, Hangul or Yi.
  private static func isWrittenWithoutSpaces(_ value: UInt32) -> Bool {
    switch value {
    case 0xE00...0xEFF, 0xF00...0xFFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF: true
    case 0x3005...0x318F, 0x31A0...0x31FF, 0xA000...0xA4CF, 0xAC00...0xD7FF, 0xFF66...0xFFDC: true
    default: false
    }
  }

  /// Returns whether a code point is an apostrophe or a character that people type for it: those that look like one
  /// (UTS #39), and the signs for it in Hawaiian, Hebrew and transliterations.
  static func isApostrophe(_ value: UInt32) -> Bool {
    switch value {
    case 0x27, 0x60, 0xB4, 0x2B9, 0x2BB...0x2BF, 0x2C8, 0x2CA, 0x2CB, 0x374, 0x384, 0x55A, 0x55D, 0x5F3: true
    case 0x1FBD, 0x1FBF, 0x1FFD, 0x1FFE, 0x2018...0x201B, 0x2032, 0x2035, 0xA78B, 0xA78C, 0xFF07, 0xFF40: true
    default: false
    }
  }
}

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
