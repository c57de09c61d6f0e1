import Pinyin

extension Contact {
  /// How the shown name is said in Mandarin, with tones: `lǐ xiǎo lóng`. Empty when it holds no Han character.
  public var transcription: String {
    Pinyin.transcription(of: displayName, isPerson: kind == .person)
  }
}
