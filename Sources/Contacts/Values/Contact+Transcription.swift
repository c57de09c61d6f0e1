import Pinyin

extension Contact {
  /// How the shown name is said: `lǐ xiǎo lóng`, by the phonetic names where there are any, else guessed. Empty when the
  /// name holds no Han character.
  public var transcription: String {
    Pinyin.transcription(
      of: displayName, isPerson: kind == .person,
      parts: [
        NamePart(family, phonetic: phoneticFamily), NamePart(middle, phonetic: phoneticMiddle),
        NamePart(given, phonetic: phoneticGiven),
      ])
  }

  /// What was written down of how the name is said, the family name first; empty when nothing was.
  public var phoneticName: String {
    ContactFields.standard.inFormOrder.compactMap { field -> String? in
      guard case .text(let text) = field, text.role == .phonetic, !self[text].isEmpty else { return nil }
      return self[text]
    }.joined(separator: " ")
  }
}
