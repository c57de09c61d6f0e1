/// The pinyin of a name's Han characters with tone marks, for people to read: "lǐ xiǎo lóng".
///
/// Syllables are separated by blanks; other characters between them stand as they are ("lǐ Tom"), blanks and punctuation become one
/// blank. Empty when no character is Han.
///
/// - Parameters:
///   - text: The name as it is shown.
///   - isPerson: Whether a surname may begin it.
///   - parts: How the person says it. A part that is said otherwise than in pinyin (山田, Yamada) leaves nothing to guess: the
///     transcription is then what is said.
public func transcription(of text: String, isPerson: Bool, parts: [NamePart] = []) -> String {
  let readings = Readings.name(text, isPerson: isPerson, parts: parts)
  if readings.allSatisfy({ $0 == nil }) { return "" }
  let said = parts.filter(\.isSaid).map(\.said)
  if said.contains(where: { PinyinText.syllables(in: $0) == nil }) { return said.joined(separator: " ") }
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
