/// Which key of a Latin keyboard a character is on. Where no text is typed, a command works in every layout: `о` of a
/// Russian keyboard is `j`, and `：` of a Chinese input method is `:`.
public struct KeyLayouts: Hashable, Sendable {
  /// The keys that were added to the known ones.
  private var added: [Character: Character] = [:]

  /// Russian and Ukrainian, Greek, Korean (two sets), and the punctuation of Chinese input methods. Characters that a
  /// Latin keyboard has too, such as `.`, mean themselves.
  public static let standard = KeyLayouts()

  // Made when the first unknown key is typed, not at the start of a program.
  private static let known: [Character: Character] = {
    var keys: [Character: Character] = [:]
    for (from, to) in [
      ("йцукенгшщзхъфывапролджэячсмитьбю", "qwertyuiop[]asdfghjkl;'zxcvbnm,."),
      ("ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ", "QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>"),
      ("іїєґІЇЄҐ", "s]'\\S}\"|"),
      ("ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm"),
      ("ΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ", "ERTYUIOPASDFGHJKLZXCVBNM"),
      ("ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ", "qwertyuiopasdfghjklzxcvbnm"),
      ("ㅃㅉㄸㄲㅆㅒㅖ", "QWERTOP"),
      ("。、，；：？！‘’“”（）【】「」《》￥·", ".\\,;:?!''\"\"()[]{}<>$`"),
    ] { add(from, to, to: &keys) }
    // The full-width forms of ASCII.
    for code in UInt32(0x21)...0x7E {
      if let wide = Unicode.Scalar(code + 0xFEE0), let narrow = Unicode.Scalar(code) {
        keys[Character(wide)] = Character(narrow)
      }
    }
    return keys
  }()

  /// Adds layouts in the notation of vim's `langmap`: `from;to` with as many characters on both sides; several are
  /// separated by commas. A backslash makes the next character mean itself.
  /// - Returns: nil if the text has another form.
  public func adding(langmap: String) -> KeyLayouts? {
    var layouts = self
    var parts: [[Character]] = [[]]
    var pairs: [[[Character]]] = []
    var rest = langmap[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        guard let next = rest.popFirst() else { return nil }
        parts[parts.count - 1].append(next)
      case ";": parts.append([])
      case ",":
        pairs.append(parts)
        parts = [[]]
      default: parts[parts.count - 1].append(character)
      }
    }
    for pair in pairs + [parts] {
      guard pair.count == 2, pair[0].count == pair[1].count, !pair[0].isEmpty else { return nil }
      Self.add(String(pair[0]), String(pair[1]), to: &layouts.added)
    }
    return layouts
  }

  private static func add(_ from: String, _ to: String, to keys: inout [Character: Character]) {
    for (character, key) in zip(from, to) { keys[character] = key }
  }

  /// Returns the key of a Latin keyboard; nil if the key is one, or unknown.
  public func latin(_ key: Key) -> Key? {
    guard case .character(let character) = key.code, let found = added[character] ?? Self.known[character] else {
      return nil
    }
    return Key(.character(found), key.modifiers)
  }
}
