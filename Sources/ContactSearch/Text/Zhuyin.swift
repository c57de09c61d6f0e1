/// Zhuyin (bopomofo), which people in Taiwan type instead of pinyin.
enum Zhuyin {
  static func isLetter(_ value: UInt32) -> Bool { (0x3105...0x3129).contains(value) }

  /// Returns whether a code point is the mark of a tone, if it is beside zhuyin.
  static func isTone(_ value: UInt32) -> Bool { value == 0x2CA || value == 0x2C7 || value == 0x2CB || value == 0x2D9 }

  /// Returns the letters of a toneless syllable, in which ü is `v`; empty for one that zhuyin does not write, such as
  /// `hm`.
  static func letters(of syllable: [UInt8]) -> [UInt32] {
    let text = String(decoding: syllable, as: UTF8.self)
    if let whole = finals[text] { return whole }
    let length = SpellingForms.hasLongInitial(syllable) ? 2 : 1
    guard let initial = initials[String(text.prefix(length))] else { return [] }
    var rest = String(text.dropFirst(length))
    // zhi and zi have no letter for the vowel, and after j, q and x, u is ü.
    if rest == "i", "zh ch sh r z c s".split(separator: " ").contains(text.prefix(length)) { return [initial] }
    if "jqx".contains(text.prefix(1)), rest.first == "u" { rest = "v" + rest.dropFirst() }
    return finals["-" + rest].map { [initial] + $0 } ?? []
  }

  /// Returns the first letters of the syllables that begin with a letter of zhuyin, bit 0 for a; 0 for other letters.
  static func latinInitials(_ value: UInt32) -> UInt32 { firstLetters[value] ?? 0 }

  private static let firstLetters: [UInt32: UInt32] = {
    var found: [UInt32: UInt32] = [:]
    func add(_ letters: [UInt32], _ spelling: Substring.UTF8View) {
      guard let first = letters.first, let letter = spelling.first else { return }
      found[first, default: 0] |= 1 << UInt32(letter - 0x61)
    }
    for (spelling, letter) in initials { add([letter], spelling[...].utf8) }
    for (spelling, letters) in finals where spelling.first != "-" { add(letters, spelling[...].utf8) }
    return found
  }()

  private static let initials: [String: UInt32] = Dictionary(
    uniqueKeysWithValues: zip(
      "b p m f d t n l g k h j q x zh ch sh r z c s".split(separator: " ").map(String.init),
      "ㄅㄆㄇㄈㄉㄊㄋㄌㄍㄎㄏㄐㄑㄒㄓㄔㄕㄖㄗㄘㄙ".unicodeScalars.map(\.value)))

  /// Syllables without an initial, and after `-` what follows one.
  private static let finals: [String: [UInt32]] = {
    let table = """
      a ㄚ o ㄛ e ㄜ ai ㄞ ei ㄟ ao ㄠ ou ㄡ an ㄢ en ㄣ ang ㄤ eng ㄥ er ㄦ
      yi ㄧ ya ㄧㄚ yo ㄧㄛ ye ㄧㄝ yai ㄧㄞ yao ㄧㄠ you ㄧㄡ yan ㄧㄢ yin ㄧㄣ yang ㄧㄤ ying ㄧㄥ yong ㄩㄥ
      wu ㄨ wa ㄨㄚ wo ㄨㄛ wai ㄨㄞ wei ㄨㄟ wan ㄨㄢ wen ㄨㄣ wang ㄨㄤ weng ㄨㄥ yu ㄩ yue ㄩㄝ yuan ㄩㄢ yun ㄩㄣ
      -a ㄚ -o ㄛ -e ㄜ -ai ㄞ -ei ㄟ -ao ㄠ -ou ㄡ -an ㄢ -en ㄣ -ang ㄤ -eng ㄥ -i ㄧ -ia ㄧㄚ -ie ㄧㄝ -iao ㄧㄠ -iu ㄧㄡ
      -ian ㄧㄢ -in ㄧㄣ -iang ㄧㄤ -ing ㄧㄥ -iong ㄩㄥ -u ㄨ -ua ㄨㄚ -uo ㄨㄛ -uai ㄨㄞ -ui ㄨㄟ -uan ㄨㄢ -un ㄨㄣ
      -uang ㄨㄤ -ong ㄨㄥ -v ㄩ -ve ㄩㄝ -van ㄩㄢ -vn ㄩㄣ
      """
    let words = table.split(whereSeparator: \.isWhitespace)
    return Dictionary(
      uniqueKeysWithValues: stride(from: 0, to: words.count, by: 2).map {
        (String(words[$0]), words[$0 + 1].unicodeScalars.map(\.value))
      })
  }()
}
