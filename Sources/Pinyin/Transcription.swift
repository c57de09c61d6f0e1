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
