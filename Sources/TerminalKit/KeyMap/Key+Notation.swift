extension Key {
  private static let names: [(name: String, code: Code)] = [
    ("Enter", .enter), ("Tab", .tab), ("Esc", .escape), ("Backspace", .backspace), ("Del", .delete), ("Ins", .insert),
    ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("Home", .home), ("End", .end),
    ("PgUp", .pageUp), ("PgDn", .pageDown), ("Space", .character(" ")),
  ]
  private static let arrows: [Code: String] = [.up: "↑", .down: "↓", .left: "←", .right: "→"]

  /// The key as text: `a`, `^S`, `M-f` (Alt), `C-Up`, `S-Tab`, `PgUp`, `F1`, `Space`. If a terminal can send the key,
  /// the notation parses back to the same key.
  public var notation: String { text { _ in nil } }

  /// The key for display: like ``notation``, but with arrow symbols.
  public var label: String { text { Self.arrows[$0] } }

  private func text(_ override: (Code) -> String?) -> String {
    var prefix = modifiers.contains(.alt) ? "M-" : ""
    if modifiers.contains(.shift) { prefix += "S-" }
    switch code {
    case .character(let character) where character != " ":
      if modifiers.contains(.control) {
        return prefix + "^" + (character.isASCII ? character.uppercased() : String(character))
      }
      return prefix + String(character)
    case .backTab: return (modifiers.contains(.alt) ? "M-" : "") + (modifiers.contains(.control) ? "C-" : "") + "S-Tab"
    case .function(let number): return prefix + (modifiers.contains(.control) ? "C-" : "") + "F\(number)"
    default:
      let name = override(code) ?? Self.names.first { $0.code == code }?.name ?? "?"
      return prefix + (modifiers.contains(.control) ? "C-" : "") + name
    }
  }

  /// Parses the most common notations, without slow string functions: an ASCII character, `^` with such a character,
  /// and a name spelled as in `names`. Nil for all others.
  private static func simple(_ notation: String) -> Key? {
    let bytes = notation.utf8
    guard let first = bytes.first, bytes.count <= longestName else { return nil }
    switch bytes.count {
    case 1 where (0x21...0x7E).contains(first): return Key(.character(Character(Unicode.Scalar(first))))
    case 2 where first == UInt8(ascii: "^"):
      let second = bytes[bytes.index(after: bytes.startIndex)]
      guard (0x21...0x7E).contains(second) else { return nil }
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(second)
      return Key(.character(Character(Unicode.Scalar(isUpper ? second | 0x20 : second))), .control)
    default:
      for known in names where known.name == notation { return Key(known.code) }
      return nil
    }
  }

  private static let longestName = 9

  /// Parses a ``notation``. Names may be in any case; other common names such as `Return`, `C-s` for `^S`, and `A-` for
  /// `M-` are also accepted. Nil if the text is not a key.
  public init?(notation: String) {
    if let simple = Self.simple(notation) {
      self = simple
      return
    }
    var rest = notation[...]
    var modifiers: Modifiers = []
    while rest.count > 2, rest.dropFirst().first == "-" {
      switch rest.first {
      case "M", "A": modifiers.insert(.alt)
      case "S": modifiers.insert(.shift)
      case "C": modifiers.insert(.control)
      default: return nil
      }
      rest = rest.dropFirst(2)
    }
    if rest.count == 2, rest.first == "^" {
      modifiers.insert(.control)
      rest = rest.dropFirst()
    }
    if rest.count == 1, let character = rest.first {
      // Blanks other than the space, such as those of input methods, stand for themselves.
      let isControlCharacter = character.unicodeScalars.first?.properties.generalCategory == .control
      guard character != " ", !isControlCharacter else { return nil }
      let isControl = modifiers.contains(.control)
      self.init(.character(isControl ? Character(character.lowercased()) : character), modifiers)
      return
    }
    let name = rest.lowercased()
    if name.first == "f", let number = Int(name.dropFirst()), (1...24).contains(number), name == "f\(number)" {
      self.init(.function(number), modifiers)
      return
    }
    let aliases = ["return": "enter", "escape": "esc", "delete": "del", "insert": "ins", "bs": "backspace"]
    let canonical = aliases[name] ?? name
    guard let found = Self.names.first(where: { $0.name.lowercased() == canonical }) else { return nil }
    if found.code == .tab, modifiers.contains(.shift) {
      self.init(.backTab, modifiers.subtracting(.shift))
    } else {
      self.init(found.code, modifiers)
    }
  }
}
