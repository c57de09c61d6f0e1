import Pinyin
// The standard library normalizes strings to compare them; this is the only way to get the result without Foundation.
@_spi(_Unicode) import Swift

/// Names split into words for comparison. Case, accents, width, apostrophes and titles are ignored; Latin letters such
/// as Ø, ß and Æ are replaced with their usual ASCII spelling, and traditional characters with simplified ones.
/// Punctuation separates words.
enum NameWords {
  static func words(of text: String) -> [String] {
    if text.isEmpty { return [] }
    var words: [String] = []
    var word = String.UnicodeScalarView()
    func end() {
      if !word.isEmpty { words.append(String(word)) }
      word = String.UnicodeScalarView()
    }
    for scalar in CompatibleForm.of(text).unicodeScalars where !isApostrophe(scalar) {
      if let letters = LatinFolding.fold(scalar) {
        for letter in letters {
          if isWordByte(letter) { word.append(Unicode.Scalar(letter)) } else { end() }
        }
      } else if let folded = folded(scalar) {
        word.append(folded)
      } else {
        end()
      }
    }
    end()
    return words
  }

  /// Returns the words of a name without titles, and its generation: Jr, Sr, II, III, IV.
  /// - Parameter mayEndInGeneration: whether the last of three or more words may be the generation.
  static func name(_ text: String, mayEndInGeneration: Bool = false) -> (words: [String], generation: String?) {
    var words = withoutTitles(words(of: text))
    guard mayEndInGeneration, words.count >= 3, let last = words.last, generations.contains(last) else {
      return (words, nil)
    }
    words.removeLast()
    return (words, last)
  }

  /// Returns the generation in a suffix; nil if there is none.
  static func generation(inSuffix text: String) -> String? {
    text.isEmpty ? nil : words(of: text).first(where: generations.contains)
  }

  static func isHan(_ words: [String]) -> Bool {
    !words.isEmpty && words.allSatisfy { $0.unicodeScalars.allSatisfy(Readings.isHan) }
  }

  static func isLatin(_ words: [String]) -> Bool {
    !words.isEmpty && words.allSatisfy { $0.utf8.allSatisfy { (0x61...0x7A).contains($0) } }
  }

  private static func withoutTitles(_ words: [String]) -> [String] {
    var kept: [String] = []
    for word in words where !titles.contains(word) {
      // “Ph.D.” was split at its dot.
      if word == "d", kept.last == "ph" { kept.removeLast() } else { kept.append(word) }
    }
    return kept
  }

  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if Readings.isHan(scalar) { return Unicode.Scalar(HanVariants.form(of: scalar.value)) ?? scalar }
    switch scalar.properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter:
      let small = scalar.properties.lowercaseMapping
      // The first scalar of the full decomposition is the letter without its accents.
      return small._nfd.first { _ in true } ?? scalar
    case .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
      return scalar
    default: return nil
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
  }

  private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x27, 0x60, 0xB4, 0x2B9, 0x2BB, 0x2BC, 0x2018, 0x2019, 0x201B, 0x2032: true
    default: false
    }
  }

  private static let titles: Set<String> = [
    "dr", "prof", "mr", "mrs", "ms", "miss", "herr", "frau", "phd", "md", "esq",
  ]

  private static let generations: Set<String> = ["jr", "sr", "ii", "iii", "iv"]
}
