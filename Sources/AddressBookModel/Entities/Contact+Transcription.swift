import Pinyin

extension Contact {
  /// How the shown name is said: `lǐ xiǎo lóng`, by the phonetic names where there are any, else guessed. Empty when the
  /// name holds no Han character.
  public var transcription: String {
    Pinyin.transcription(
      of: displayName, isPerson: kind == .person,
      parts: [
        NamePart(family, said: phoneticFamily), NamePart(middle, said: phoneticMiddle),
        NamePart(given, said: phoneticGiven),
      ])
  }
}
