/// The syllables of Hangul, and the consonants with which they begin.
enum Hangul {
  static func isSyllable(_ value: UInt32) -> Bool { value >= 0xAC00 && value <= 0xD7A3 }

  /// The initial consonants in the order of the syllables (The Unicode Standard, 3.12), as letters of their own.
  static let initials = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars.map(\.value)

  /// Returns the consonant with which a syllable begins, as people type it to find a name; nil for anything else.
  static func initial(of value: UInt32) -> UInt32? {
    isSyllable(value) ? initials[Int(value - 0xAC00) / 588] : nil
  }
}
