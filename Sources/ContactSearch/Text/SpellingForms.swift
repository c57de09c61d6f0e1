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
