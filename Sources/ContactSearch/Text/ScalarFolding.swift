import Pinyin

/// Folding, which removes distinctions that people do not type: case, accents, tones, width, and the kind of kana.
enum ScalarFolding {
  /// Appends the folded form of a code point: usually one, two for æ or ß, none for a combining accent.
  static func append(_ value: UInt32, to folded: inout [UInt32]) {
    switch value {
    case 0x41...0x5A: folded.append(value + 0x20)
    case 0..<0x80: folded.append(value)
    case 0xFF01...0xFF5E: append(value - 0xFEE0, to: &folded)
    case 0x3000, 0xA0: folded.append(0x20)
    case 0x2018, 0x2019, 0x2BC, 0xB4: folded.append(0x27)
    case 0x201C, 0x201D: folded.append(0x22)
    case 0x30A1...0x30F6, 0x30FD, 0x30FE: folded.append(Kana.hiragana(value))
    case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x3041...0x30FF, 0xAC00...0xD7A3: folded.append(value)
    case 0xFF65...0xFF9D: append(Kana.fullWidth(value), to: &folded)
    default: appendOther(value, to: &folded)
    }
  }

  /// Appends the form of a code point in an index: folded, but a letter with two spellings, such as ü, only becomes
  /// lowercase.
  static func append(indexed value: UInt32, to folded: inout [UInt32]) {
    let lower = value < 0xE0 ? value + 0x20 : value | 1
    switch value {
    case 0xC4, 0xC5, 0xD6, 0xD8, 0xDC: folded.append(lower)
    case 0xE4, 0xE5, 0xF6, 0xF8, 0xFC: folded.append(value)
    case 0x110, 0x111: folded.append(lower)
    default: append(value, to: &folded)
    }
  }

  /// Returns the folded form of a letter that ``append(indexed:to:)`` only makes lowercase; any other letter unchanged.
  static func base(of indexed: UInt32) -> UInt32 {
    switch indexed {
    case 0xE4, 0xE5: 0x61
    case 0xF6, 0xF8: 0x6F
    case 0xFC: 0x75
    case 0x111: 0x64
    default: indexed
    }
  }

  /// Appends a mark that follows a letter, unless it is an accent; the mark of a kana becomes part of it.
  static func append(mark: UInt32, after letter: UInt32, to folded: inout [UInt32]) {
    if Kana.isMark(mark) {
      if let last = folded.last, let voiced = Kana.voiced(last, by: mark) { folded[folded.count - 1] = voiced }
    } else if keepsMark(after: letter) {
      folded.append(mark)
    }
  }

  private static func appendOther(_ value: UInt32, to folded: inout [UInt32]) {
    guard let scalar = Unicode.Scalar(value) else { return }
    if let latin = LatinFolding.fold(scalar) {
      for byte in latin { folded.append(UInt32(byte)) }
      return
    }
    if scalar.properties.numericType == .decimal, let digit = scalar.properties.numericValue {
      folded.append(0x30 + UInt32(digit))
      return
    }
    guard hasAccents(value) else {
      for lower in scalar.properties.lowercaseMapping.unicodeScalars { folded.append(lower.value) }
      return
    }
    let base = CanonicalForm.base(of: scalar)
    for lower in base.properties.lowercaseMapping.unicodeScalars {
      folded.append(lower == "ς" ? 0x3C3 : lower.value)  // a final sigma is folded like any sigma
    }
  }

  /// Returns whether marks of a letter's script are accents, which are optional: Latin, Greek, Cyrillic, Hebrew,
  /// Arabic. In Thai or Devanagari they are vowels.
  static func hasAccents(_ value: UInt32) -> Bool {
    switch value {
    case 0x41...0x7A, 0xC0...0x52F, 0x590...0x6FF, 0x750...0x77F, 0x1E00...0x1FFF: true
    default: false
    }
  }

  /// Returns whether a mark after a letter is compared, like a vowel of Thai or Devanagari; otherwise it is dropped.
  static func keepsMark(after letter: UInt32) -> Bool {
    switch ScalarKind(letter) {
    case .letter, .cluster: !hasAccents(letter)
    default: false
    }
  }
}
