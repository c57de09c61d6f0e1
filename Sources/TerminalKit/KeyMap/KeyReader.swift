/// A reader that interprets typed keys with a ``KeyMap``, including sequences of several keys.
public struct KeyReader<Action: Hashable & Sendable, Context: Hashable & Sendable>: Sendable {
  /// The table.
  public let map: KeyMap<Action, Context>
  // The lines of the last context.
  @usableFromInline var lines: [KeyBinding<Action, Context>] = []
  @usableFromInline var context: Context?
  /// The keys of an incomplete sequence and the number before it, for the status line.
  public var pending: [Key] { (count.map { String($0).map { Key.character($0) } } ?? []) + typed }
  @usableFromInline var typed: [Key] = []
  /// The number that was typed before a command, where no text is typed: `5j`. Nil if there is none.
  @usableFromInline var count: Int?
  @usableFromInline static var largestCount: Int { 99_999 }

  /// Creates a reader without any input yet.
  public init(_ map: KeyMap<Action, Context>) { self.map = map }

  /// The result of a key.
  public enum Result: Hashable, Sendable {
    /// Perform this action.
    case perform(Action)
    /// More keys are expected.
    case waiting
    /// These keys are not bound here: pass them to a text field, or ring the bell. Empty if Esc canceled a sequence.
    case unbound([Key])
  }

  /// Handles a key. A key that does not continue the sequence typed so far is looked up on its own, except Esc, which
  /// only cancels the sequence.
  @inlinable
  public mutating func read(_ key: Key, in context: Context) -> Result {
    // The beginning of a sequence only counts in its own context.
    let before = self.context == context ? self.typed : []
    let count = self.context == context ? self.count : nil
    self.typed = []
    self.count = count
    if self.context != context {
      self.context = context
      lines = map.bindings(in: context)
    }
    var typed = before + [key]
    var match = KeyMap<Action, Context>.match(typed, among: lines)
    if case .none = match, let latin = map.latin(key, in: context) {
      typed = before + [latin]
      match = KeyMap<Action, Context>.match(typed, among: lines)
    }
    switch match {
    case .action(let action): return .perform(action)
    case .prefix:
      self.typed = typed
      return .waiting
    case .none:
      if before.isEmpty, let digit = digit(key, in: context), digit > 0 || count != nil {
        self.count = min((count ?? 0) * 10 + digit, Self.largestCount)
        return .waiting
      }
      self.count = nil
      if before.isEmpty, count != nil, key.code == .escape { return .unbound([]) }
      if typed.count > 1, key.code == .escape { return .unbound([]) }
      return typed.count > 1 ? read(key, in: context) : .unbound(typed)
    }
  }

  /// The value of a digit; nil where it is text, and for any other key.
  @usableFromInline
  func digit(_ key: Key, in context: Context) -> Int? {
    guard key.modifiers.isEmpty, case .character(let character) = key.code, character.isASCII,
      !map.textContexts.contains(context)
    else { return nil }
    return character.wholeNumberValue
  }

  /// Takes the number that was typed before the command; nil if there is none.
  public mutating func takeCount() -> Int? {
    defer { count = nil }
    return count
  }

  /// Drops the beginning of a sequence, for example when the screen changes.
  public mutating func cancel() {
    typed = []
    count = nil
  }
}

/// Keys typed one after the other, such as `g g`; usually just one.
///
/// Its notation is used in configuration files, the manual and the help screen: `^S`, `M-f`, `S-Tab`, `PgUp`, `g g`.
public struct KeySequence: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The keys in order, at least one.
  public let keys: [Key]

  /// Creates a sequence of keys, which must not be empty.
  public init(_ keys: [Key]) {
    precondition(!keys.isEmpty)
    self.keys = keys
  }

  /// Parses the notation: keys separated by spaces; nil if one of them is not a key.
  public init?(notation: String) {
    if !notation.utf8.contains(UInt8(ascii: " ")) {
      guard let key = Key(notation: notation) else { return nil }
      self.keys = [key]
      return
    }
    var keys: [Key] = []
    for part in notation.split(separator: " ") {
      guard let key = Key(notation: String(part)) else { return nil }
      keys.append(key)
    }
    guard !keys.isEmpty else { return nil }
    self.keys = keys
  }

  /// Parses a literal. An invalid one is a programming error and traps.
  public init(stringLiteral value: String) {
    guard let sequence = KeySequence(notation: value) else { preconditionFailure("no keys: \(value)") }
    self = sequence
  }

  /// True if its first key types text in a field.
  public var typesText: Bool { keys[0].typesText }

  /// Returns true if the sequences are the same or one begins with the other: only one of them can have an effect.
  public func conflicts(with other: KeySequence) -> Bool {
    keys.starts(with: other.keys) || other.keys.starts(with: keys)
  }

  /// The notation, which parses back to the same keys if a terminal can send them.
  public var notation: String { keys.map(\.notation).joined(separator: " ") }
  /// The notation for display, with arrow symbols.
  public var label: String { keys.map(\.label).joined(separator: " ") }
  /// The notation.
  public var description: String { notation }
}

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
