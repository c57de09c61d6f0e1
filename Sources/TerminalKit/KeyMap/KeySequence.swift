/// Keys typed one after the other, such as `g g`; mostly one.
///
/// Its notation is what configuration files, the manual and the help screen show: `^S`, `M-f`, `S-Tab`, `PgUp`, `g g`.
public struct KeySequence: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The keys in order, at least one.
  public let keys: [Key]

  /// From keys, which must not be empty.
  public init(_ keys: [Key]) {
    precondition(!keys.isEmpty)
    self.keys = keys
  }

  /// From the notation: keys separated by spaces; nil when one of them is not a key.
  public init?(notation: String) {
    var keys: [Key] = []
    for part in notation.split(separator: " ") {
      guard let key = Key(notation: String(part)) else { return nil }
      keys.append(key)
    }
    guard !keys.isEmpty else { return nil }
    self.keys = keys
  }

  /// A literal must be right: a wrong one is an error in the program and stops it.
  public init(stringLiteral value: String) {
    guard let sequence = KeySequence(notation: value) else { preconditionFailure("no keys: \(value)") }
    self = sequence
  }

  /// True when its first key types text in a field.
  public var typesText: Bool { keys[0].typesText }

  /// True when one of the two begins with the other, so that only the shorter could ever be typed.
  public func clashes(with other: KeySequence) -> Bool {
    keys.starts(with: other.keys) || other.keys.starts(with: keys)
  }

  /// The notation, which reads back as the same keys.
  public var notation: String { keys.map(\.notation).joined(separator: " ") }
  /// As it is shown to a person: arrows as arrows.
  public var label: String { keys.map(\.label).joined(separator: " ") }
  /// The notation.
  public var description: String { notation }
}
