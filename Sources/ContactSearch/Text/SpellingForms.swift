/// The ways of typing a syllable, best first.
enum SpellingForms {
  struct Form: Equatable {
    var letters: [UInt32]
    var isFuzzy: Bool
  }

  /// Returns the forms of a toneless syllable. In it, ü is written `v`; it can be typed v, u or yu. `fuzzy` adds
  /// commonly confused sounds.
  static func forms(of syllable: [UInt8], fuzzy: Bool) -> [Form] {
    var forms: [Form] = []
    func add(_ spelling: [UInt8], isFuzzy: Bool) {
      let letters = spelling.map { UInt32($0) }
      if !forms.contains(where: { $0.letters == letters }) { forms.append(Form(letters: letters, isFuzzy: isFuzzy)) }
    }
    for letters in umlautForms(of: syllable) { add(letters, isFuzzy: false) }
    guard fuzzy else { return forms }
    for letters in confusable(syllable) {
      for spelled in umlautForms(of: letters) { add(spelled, isFuzzy: true) }
    }
    return forms
  }

  private static func umlautForms(of syllable: [UInt8]) -> [[UInt8]] {
    guard let index = syllable.firstIndex(of: UInt8(ascii: "v")) else { return [syllable] }
    let before = syllable[..<index]
    let after = syllable[(index + 1)...]
    return ["v", "u", "yu"].map { before + Array($0.utf8) + after }
  }

  private static func confusable(_ syllable: [UInt8]) -> [[UInt8]] {
    var starts = [syllable]
    let isRetroflex = syllable.count > 1 && syllable[1] == UInt8(ascii: "h")
    switch syllable.first {
    case UInt8(ascii: "z"), UInt8(ascii: "c"), UInt8(ascii: "s"):
      starts.append(isRetroflex ? [syllable[0]] + syllable[2...] : [syllable[0], UInt8(ascii: "h")] + syllable[1...])
    case UInt8(ascii: "l"): starts.append([UInt8(ascii: "n")] + syllable[1...])
    case UInt8(ascii: "n") where syllable.count > 1: starts.append([UInt8(ascii: "l")] + syllable[1...])
    default: break
    }
    return starts.flatMap { letters -> [[UInt8]] in
      let vowels: [UInt8] = [UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i")]
      if letters.count > 1, letters.last == UInt8(ascii: "n"), vowels.contains(letters[letters.count - 2]) {
        return [letters, letters + [UInt8(ascii: "g")]]
      }
      if letters.count > 2, letters.last == UInt8(ascii: "g"), vowels.contains(letters[letters.count - 3]) {
        return [letters, letters.dropLast()]
      }
      return [letters]
    }
  }
}

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

/// Hiragana, katakana and half-width katakana, which are three ways of writing the same syllables.
enum Kana {
  /// Returns the hiragana of a full-width katakana from U+30A1 to U+30F6, or of an iteration mark.
  static func hiragana(_ value: UInt32) -> UInt32 { value - 0x60 }

  /// Returns the full-width form of a half-width character from U+FF65 to U+FF9D.
  static func fullWidth(_ value: UInt32) -> UInt32 { fullWidthForms[Int(value - 0xFF65)] }

  /// U+FF65 to U+FF9D, by the compatibility decompositions of the Unicode Character Database.
  private static let fullWidthForms: [UInt32] = "・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
    .unicodeScalars.map(\.value)

  /// Returns whether a mark makes a kana voiced or half-voiced: U+3099 and U+309A, and their half-width forms.
  static func isMark(_ value: UInt32) -> Bool {
    switch value {
    case 0x3099, 0x309A, 0xFF9E, 0xFF9F: true
    default: false
    }
  }

  /// Returns a hiragana with a mark; nil if there is no such form.
  static func voiced(_ value: UInt32, by mark: UInt32) -> UInt32? {
    let isHalf = mark == 0x309A || mark == 0xFF9F
    switch value {
    case 0x306F, 0x3072, 0x3075, 0x3078, 0x307B: return value + (isHalf ? 2 : 1)
    case 0x304B...0x3061 where value & 1 == 1 && !isHalf, 0x3064, 0x3066, 0x3068, 0x309D:
      return isHalf ? nil : value + 1
    case 0x3046: return isHalf ? nil : 0x3094
    default: return nil
    }
  }
}

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
