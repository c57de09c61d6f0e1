/// A reader that interprets typed keys with a ``KeyMap``, including sequences of several keys.
public struct KeyReader<Action: Hashable & Sendable, Context: Hashable & Sendable>: Sendable {
  /// The table.
  public let map: KeyMap<Action, Context>
  // The lines of the last context.
  @usableFromInline var lines: [KeyBinding<Action, Context>] = []
  @usableFromInline var context: Context?
  /// The keys of an incomplete sequence, for the status line.
  public var pending: [Key] { typed }
  @usableFromInline var typed: [Key] = []

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
    let typed = self.typed.isEmpty || self.context != context ? [key] : self.typed + [key]
    self.typed = []
    if self.context != context {
      self.context = context
      lines = map.bindings(in: context)
    }
    switch KeyMap<Action, Context>.match(typed, among: lines) {
    case .action(let action): return .perform(action)
    case .prefix:
      self.typed = typed
      return .waiting
    case .none:
      if typed.count > 1, key.code == .escape { return .unbound([]) }
      return typed.count > 1 ? read(key, in: context) : .unbound(typed)
    }
  }

  /// Drops the beginning of a sequence, for example when the screen changes.
  public mutating func cancel() { typed = [] }
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
