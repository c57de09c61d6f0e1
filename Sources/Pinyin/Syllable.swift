/// One Mandarin syllable in Hanyu Pinyin, with its tone.
///
/// Compares by letters, then by tone, as in a list of Chinese names.
public struct Syllable: Hashable, Comparable, Sendable {
  /// The 1-based index of the letters among all syllables in ASCII order, times 8, plus the tone; so never 0.
  let code: UInt16

  init?(code: UInt16) {
    if code == 0 { return nil }
    self.code = code
  }

  /// Creates a Mandarin syllable from its letters ("lv" for lü) and its tone, 0 to 5; nil if there is no such syllable.
  public init?(letters: ASCIILetters, tone: Int = 0) {
    guard (0...5).contains(tone), let number = ReadingTable.number(ofLetters: letters.packed) else { return nil }
    code = number * 8 + UInt16(tone)
  }

  /// Creates a Mandarin syllable from its letters ("lv" for lü) and its tone, 0 to 5; nil if there is no such syllable.
  public init?(letters text: some StringProtocol, tone: Int = 0) {
    let bytes = text.utf8
    guard (1...8).contains(bytes.count), !bytes.contains(0) else { return nil }
    var packed: UInt64 = 0
    for (index, byte) in bytes.enumerated() { packed |= UInt64(byte) << (8 * UInt64(index)) }
    self.init(letters: ASCIILetters(packed: packed), tone: tone)
  }

  /// The letters without tone, one to six lower-case ASCII characters: "li", "zhuang", "lv" for lü.
  public var letters: ASCIILetters { ASCIILetters(packed: ReadingTable.letters(code >> 3)) }

  /// 1 to 4, 5 for the neutral tone, 0 if unknown.
  public var tone: Int { Int(code & 7) }

  /// The length of the initial: 2 for zh, ch and sh, else 1. For a syllable without an initial, 1 for its
  /// first letter.
  public var initialCount: Int {
    let letters = letters
    guard letters.count > 1, letters[1] == UInt8(ascii: "h") else { return 1 }
    switch letters[0] {
    case UInt8(ascii: "z"), UInt8(ascii: "c"), UInt8(ascii: "s"): return 2
    default: return 1
    }
  }

  /// Returns whether `first` comes before `second`: by letters, then by tone.
  public static func < (first: Syllable, second: Syllable) -> Bool { first.code < second.code }
}

extension Syllable: CustomStringConvertible {
  /// The syllable with its tone mark, as in a dictionary: "lǐ", "nǚ", "ma" for the neutral tone.
  ///
  /// The mark is on a or e, on the o of ou, else on the last vowel (GB/T 16159); on m or n if there is no vowel.
  public var marked: String {
    let letters = letters.map { Character(Unicode.Scalar($0)) }
    let markedIndex =
      letters.firstIndex { $0 == "a" || $0 == "e" } ?? letters.firstIndex(of: "o")
      ?? letters.lastIndex { "iuv".contains($0) } ?? letters.firstIndex { "mn".contains($0) }
    var text = ""
    for (index, letter) in letters.enumerated() {
      text += index == markedIndex ? Self.mark(letter, tone: tone) : letter == "v" ? "ü" : String(letter)
    }
    return text
  }

  /// The same as `marked`.
  public var description: String { marked }

  private static func mark(_ letter: Character, tone: Int) -> String {
    let forms: [Character: [String]] = [
      "a": ["a", "ā", "á", "ǎ", "à"], "e": ["e", "ē", "é", "ě", "è"], "i": ["i", "ī", "í", "ǐ", "ì"],
      "o": ["o", "ō", "ó", "ǒ", "ò"], "u": ["u", "ū", "ú", "ǔ", "ù"], "v": ["ü", "ǖ", "ǘ", "ǚ", "ǜ"],
      "m": ["m", "m\u{304}", "ḿ", "m\u{30C}", "m\u{300}"], "n": ["n", "n\u{304}", "ń", "ň", "ǹ"],
    ]
    return forms[letter]?[tone % 5] ?? String(letter)
  }
}

/// Returns the pinyin of a name's Han characters with tone marks, for display: "lǐ xiǎo lóng".
///
/// Syllables are separated by blanks. Other letters and digits between them are kept ("lǐ Tom"); blanks and all other
/// characters become one blank. Empty if no character has a reading.
///
/// - Parameters:
///   - text: the name as displayed.
///   - isPerson: whether it may begin with a surname.
///   - parts: the phonetic name. If a part is not pinyin (山田, Yamada), the result is the phonetic name itself.
public func transcription(of text: String, isPerson: Bool, parts: [NamePart] = []) -> String {
  let readings = Readings.name(text, isPerson: isPerson, parts: parts)
  if readings.allSatisfy({ $0 == nil }) { return "" }
  let phonetic = parts.filter(\.hasPhonetic).map(\.phonetic)
  if phonetic.contains(where: { PinyinText.syllables(in: $0) == nil }) { return phonetic.joined(separator: " ") }
  var words: [String] = []
  var word = ""
  func endWord() {
    if !word.isEmpty { words.append(word) }
    word = ""
  }
  for (scalar, reading) in zip(text.unicodeScalars, readings) {
    if let reading {
      endWord()
      words.append(reading.marked)
    } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || LatinFolding.fold(scalar)?.isEmpty == true
    {
      word.unicodeScalars.append(scalar)
    } else {
      endWord()
    }
  }
  endWord()
  return words.joined(separator: " ")
}
