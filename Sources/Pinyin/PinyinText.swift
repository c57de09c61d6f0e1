/// A reader of text written in pinyin: "Zēng", "zeng", "lü", "Ou Yang", "ouyang", "zeng1".
enum PinyinText {
  /// Returns the syllables of a text; nil if it does not consist of pinyin only, or is too long. Unmarked tones are 0.
  ///
  /// If it can be split in several ways, earlier syllables are as long as possible ("xian" is one syllable, "xi'an"
  /// two).
  static func syllables(in text: String, limit: Int = 64) -> [Syllable]? {
    var found: [Syllable] = []
    var letters: [UInt8] = []
    var tones: [UInt8] = []
    func flush() -> Bool {
      guard !letters.isEmpty else { return true }
      guard let cut = cut(letters, tones) else { return false }
      found += cut
      letters = []
      tones = []
      return found.count <= limit
    }
    for scalar in text.unicodeScalars {
      if letters.count > 8 * limit { return nil }
      if let (letter, tone) = marked(scalar) {
        letters.append(letter)
        tones.append(tone)
      } else if let last = tones.indices.last, let tone = combiningTones[scalar.value] {
        tones[last] = tone
      } else if scalar.value == 0x308, letters.last == UInt8(ascii: "u") {
        letters[letters.count - 1] = UInt8(ascii: "v")
      } else if let last = tones.indices.last, (0x31...0x35).contains(scalar.value) {
        tones[last] = UInt8(scalar.value - 0x30)
        if !flush() { return nil }
      } else if ScalarClass.isBlank(scalar.value) || scalar == "'" || scalar == "’" || scalar == "-" || scalar == "·" {
        if !flush() { return nil }
      } else {
        return nil
      }
    }
    return flush() && !found.isEmpty ? found : nil
  }

  /// Returns the reading of each character of a Han text whose phonetic form is pinyin with one syllable per character;
  /// nil otherwise. An unmarked tone is taken from the character's reading with these letters.
  static func readings(of text: String, phonetic: String) -> [Syllable]? {
    guard isHan(text), let syllables = syllables(in: phonetic), syllables.count == text.unicodeScalars.count else {
      return nil
    }
    return zip(text.unicodeScalars, syllables).map { scalar, syllable in
      syllable.tone != 0 ? syllable : Readings.all(scalar).first { $0.letters == syllable.letters } ?? syllable
    }
  }

  static func isHan(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy { !ReadingTable.entry($0.value).isEmpty }
  }

  /// Splits letters into syllables, the earlier ones as long as possible; returns nil if that is impossible.
  private static func cut(_ letters: [UInt8], _ tones: [UInt8]) -> [Syllable]? {
    // From the end: for each position, the longest syllable after which the rest can be split too.
    var longest = [Syllable?](repeating: nil, count: letters.count)
    var isCut = [Bool](repeating: false, count: letters.count)
    isCut.append(true)
    for start in letters.indices.reversed() {
      for length in 1...6 where start + length <= letters.count && isCut[start + length] {
        guard let syllable = syllable(letters[start..<start + length], tones[start..<start + length]) else { continue }
        longest[start] = syllable
        isCut[start] = true
      }
    }
    guard isCut[0] else { return nil }
    var found: [Syllable] = []
    var start = 0
    while start < letters.count, let syllable = longest[start] {
      found.append(syllable)
      start += syllable.letters.count
    }
    return found
  }

  private static func syllable(_ letters: ArraySlice<UInt8>, _ tones: ArraySlice<UInt8>) -> Syllable? {
    // Among syllables of one letter, only a, e and o count, because m and n are interjections.
    if letters.count == 1, let letter = letters.first, !"aeo".utf8.contains(letter) { return nil }
    let marks = tones.filter { $0 != 0 }
    if marks.count > 1 { return nil }
    var packed: UInt64 = 0
    for (offset, letter) in letters.enumerated() { packed |= UInt64(letter) << (8 * UInt64(offset)) }
    return Syllable(letters: ASCIILetters(packed: packed), tone: Int(marks.first ?? 0))
  }

  /// Returns the plain letter and the tone of a pinyin letter; nil for any other character.
  private static func marked(_ scalar: Unicode.Scalar) -> (UInt8, UInt8)? {
    if scalar.isASCII {
      guard let letter = LatinFolding.fold(scalar)?.first, (0x61...0x7A).contains(letter) else { return nil }
      return (letter, 0)
    }
    let text = "āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ".unicodeScalars
    let capitals = "ĀÁǍÀĒÉĚÈĪÍǏÌŌÓǑÒŪÚǓÙǕǗǙǛ".unicodeScalars
    let vowels = Array("aeiouv".utf8)
    if scalar == "ü" || scalar == "Ü" { return (UInt8(ascii: "v"), 0) }
    for (index, pair) in zip(text, capitals).enumerated() where pair.0 == scalar || pair.1 == scalar {
      return (vowels[index / 4], UInt8(index % 4 + 1))
    }
    return nil
  }

  private static let combiningTones: [UInt32: UInt8] = [0x304: 1, 0x301: 2, 0x30C: 3, 0x300: 4]
}
