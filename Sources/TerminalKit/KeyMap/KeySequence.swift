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
