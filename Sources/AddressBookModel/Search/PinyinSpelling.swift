import Pinyin

/// How a Chinese text is typed in pinyin, for completion and for lists that typing filters.
public enum PinyinSpelling {
  /// Returns the pinyin and the pinyin initials of a text, in lower case: `pengyou` and `py` for 朋友. Letters and digits
  /// beside Han characters stay (`QQ好友`: `qqhaoyou`, `qqhy`); anything else is left out. Empty for a text without Han
  /// characters.
  public static func all(of text: String) -> [String] {
    guard text.unicodeScalars.contains(where: Readings.isHan) else { return [] }
    let syllables = Readings.name(text, isPerson: false)
    var (full, initials) = ("", "")
    for (scalar, syllable) in zip(text.unicodeScalars, syllables) {
      if let syllable {
        let letters = syllable.letters.description
        full += letters
        initials += letters.prefix(1)
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        full += scalar.properties.lowercaseMapping
        initials += scalar.properties.lowercaseMapping
      }
    }
    return full == initials ? [full] : [full, initials]
  }
}
