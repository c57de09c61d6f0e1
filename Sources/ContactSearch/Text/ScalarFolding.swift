import Pinyin

/// Folding, which removes distinctions that people do not type: case, accents, tones, width, and the kind of kana.
enum ScalarFolding {
  /// Appends the folded form of a code point: usually one, two for æ or ß, none for a combining accent.
  static func append(_ value: UInt32, to folded: inout [UInt32]) {
    switch value {
    case 0x41...0x5A: folded.append(value + 0x20)
    case 0..<0x80: folded.append(value)
    default:
      let start = folded.count
      append(indexed: value, to: &folded)
      for index in start..<folded.count { folded[index] = base(of: folded[index]) }
    }
  }

  /// Appends the form of a code point in an index: folded, but letters that have Latin spellings of their own, such as ü
  /// or ة, stay what they are (see ``base(of:)``).
  static func append(indexed value: UInt32, to folded: inout [UInt32]) {
    switch value {
    case 0x41...0x5A: folded.append(value + 0x20)
    case 0..<0x80, 0xE4, 0xE5, 0xF6, 0xF8, 0xFC, 0x111: folded.append(value)
    case 0xC4, 0xC5, 0xD6, 0xD8, 0xDC: folded.append(value + 0x20)
    case 0x110: folded.append(0x111)
    case 0xFF01...0xFF5E: append(indexed: value - 0xFEE0, to: &folded)
    case 0x3000, 0xA0: folded.append(0x20)
    case 0x201C...0x201F, 0x2033, 0x5F4: folded.append(0x22)
    case 0x30A1...0x30F6, 0x30FD, 0x30FE: append(indexed: Kana.hiragana(value), to: &folded)
    case 0x3095, 0x3096: folded.append(value == 0x3095 ? 0x304B : 0x3051)  // the ヵ and ヶ of place names
    case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x3041...0x30FF, 0xAC00...0xD7A3: folded.append(value)
    case 0x1100...0x1112: folded.append(Hangul.initials[Int(value - 0x1100)])
    case 0xFF65...0xFF9D: append(indexed: Kana.fullWidth(value), to: &folded)
    case 0xFFA1...0xFFBE: folded.append(value - 0xFFA1 + 0x3131)
    case 0xFB1D...0xFDFF, 0xFE70...0xFEFC: appendCompatible(value, to: &folded)
    default: appendOther(value, to: &folded)
    }
  }

  /// Returns the letter that people type for a letter of an index: for ü u, and for letters that keyboards, countries
  /// and habits write differently in the same name, one of them (as Lucene's Arabic and Persian normalizers do). Any
  /// other letter is unchanged.
  static func base(of indexed: UInt32) -> UInt32 {
    switch indexed {
    case 0..<0x80: indexed
    case 0xE4, 0xE5: 0x61
    case 0xF6, 0xF8: 0x6F
    case 0xFC: 0x75
    case 0x111: 0x64
    case 0x454: 0x435  // є, ґ: Ukrainian letters that other Cyrillic keyboards lack
    case 0x491: 0x433
    case 0x493: 0x433  // ғ, қ, ң, ү, ұ, ҳ, ҷ, һ, ә, ө: those of Kazakh, Tajik and others
    case 0x49B: 0x43A
    case 0x4A3: 0x43D
    case 0x4AF, 0x4B1: 0x443
    case 0x4B3, 0x4BB: 0x445
    case 0x4B7: 0x447
    case 0x4D9: 0x430
    case 0x4E9: 0x43E
    case 0x5DA, 0x5DD, 0x5DF, 0x5E3, 0x5E5: indexed + 1  // Hebrew letters at the end of a word
    case 0x671...0x673: 0x627  // alef
    case 0x629, 0x6BE, 0x6C1...0x6C3, 0x6D5: 0x647  // teh marbuta, and the forms of heh
    case 0x649, 0x6CC, 0x6D2: 0x64A  // alef maksura, and the forms of yeh
    case 0x6A9, 0x6AA: 0x643  // kaf
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

  /// Appends the letters of a form that a font gives to a letter between others, as in texts from PDF files.
  private static func appendCompatible(_ value: UInt32, to folded: inout [UInt32]) {
    let text = Unicode.Scalar(value).map { CompatibleForm.of(String($0)) } ?? ""
    for scalar in text.unicodeScalars where scalar.value != value && ScalarKind(scalar.value) != .mark {
      append(indexed: scalar.value, to: &folded)
    }
  }

  private static func appendOther(_ value: UInt32, to folded: inout [UInt32]) {
    if ScalarKind.isApostrophe(value) { return folded.append(0x27) }
    guard let scalar = Unicode.Scalar(value) else { return }
    if scalar.properties.isDash { return folded.append(0x2D) }
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
