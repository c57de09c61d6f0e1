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
