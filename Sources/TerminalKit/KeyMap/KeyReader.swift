/// Follows what is typed through a ``KeyMap``, several keys for one action included.
public struct KeyReader<Action: Hashable & Sendable, Context: Hashable & Sendable>: Sendable {
  /// The table.
  public let map: KeyMap<Action, Context>
  // The lines of the place that was asked for last.
  @usableFromInline var lines: [KeyBinding<Action, Context>] = []
  @usableFromInline var context: Context?
  /// The keys of a sequence that is not complete, for the status line.
  public var pending: [Key] { typed }
  @usableFromInline var typed: [Key] = []

  /// A reader that has seen nothing.
  public init(_ map: KeyMap<Action, Context>) { self.map = map }

  /// What a key led to.
  public enum Result: Hashable, Sendable {
    /// Do this.
    case perform(Action)
    /// It would do this but cannot now; the text says why.
    case disabled(Action, reason: String)
    /// More keys are awaited.
    case waiting
    /// These keys mean nothing here: for a text field, or a bell.
    case unbound([Key])
  }

  /// Takes a key. After the beginning of a sequence, a key that does not go on with it is looked up alone.
  ///
  /// - Parameters:
  ///   - key: what was typed.
  ///   - context: where.
  ///   - disabledReason: why an action cannot be done now, in the person's language; nil when it can.
  @inlinable
  public mutating func read(
    _ key: Key, in context: Context, disabledReason: (Action) -> String? = { _ in nil }
  ) -> Result {
    // The beginning of a sequence holds only where it was typed.
    let typed = self.typed.isEmpty || self.context != context ? [key] : self.typed + [key]
    self.typed = []
    if self.context != context {
      self.context = context
      lines = map.bindings(in: context)
    }
    switch KeyMap<Action, Context>.match(typed, among: lines) {
    case .action(let action):
      if let reason = disabledReason(action) { return .disabled(action, reason: reason) }
      return .perform(action)
    case .prefix:
      self.typed = typed
      return .waiting
    case .none:
      // Esc only leaves the sequence.
      if typed.count > 1, key.code == .escape { return .unbound([]) }
      return typed.count > 1 ? read(key, in: context, disabledReason: disabledReason) : .unbound(typed)
    }
  }

  /// Forgets the beginning of a sequence, as when the screen changes.
  public mutating func cancel() { typed = [] }
}
