/// One line of the table of keys: what is typed, what it does, where, and how it is called.
public struct KeyBinding<Action: Hashable & Sendable, Context: Hashable & Sendable>: Sendable {
  /// The ways to type it; the first is the one that hints show.
  public var sequences: [KeySequence]
  /// What it does.
  public var action: Action
  /// Where it holds.
  public var contexts: Set<Context>
  /// The key of its description in the program's strings.
  public var descriptionKey: String
  /// The key of the heading under which the help screen and the manual put it.
  public var groupKey: String
  /// True when the line of hints at the bottom should name it.
  public var isHint: Bool

  /// A line of the table.
  public init(
    _ sequences: [KeySequence], _ action: Action, in contexts: Set<Context>, descriptionKey: String,
    groupKey: String = "", isHint: Bool = false
  ) {
    self.sequences = sequences
    self.action = action
    self.contexts = contexts
    self.descriptionKey = descriptionKey
    self.groupKey = groupKey
    self.isHint = isHint
  }
}

/// The table of keys, from which keys are understood and the help screen, the hints and the manual are made.
public struct KeyMap<Action: Hashable & Sendable, Context: Hashable & Sendable>: Sendable {
  /// One line of it.
  public typealias Binding = KeyBinding<Action, Context>

  /// Two actions for the same keys in the same place: an error of the table or of a person's configuration.
  public struct Conflict: Hashable, Sendable {
    /// The keys of the later line.
    public let sequence: KeySequence
    /// Where both hold.
    public let context: Context
    /// What the earlier line does, which wins.
    public let first: Action
    /// What the later one would do.
    public let second: Action
  }

  /// All lines, in the order in which help shows them.
  public private(set) var bindings: [Binding]

  /// Places where text is typed: keys that type text are no commands there, whatever the lines say.
  public let textContexts: Set<Context>

  /// A table; earlier lines win over later ones. In the `textContexts` text is typed.
  public init(_ bindings: [Binding], textContexts: Set<Context> = []) {
    self.bindings = bindings
    self.textContexts = textContexts
  }

  /// What was typed so far means in a place.
  public enum Match: Sendable {
    /// Do this.
    case action(Action)
    /// The beginning of a longer sequence.
    case prefix
    /// No binding.
    case none
  }

  /// Looks up what was typed among the lines of a place. Inlinable because it is asked with every key, and slow for types that
  /// the compiler does not know.
  @inlinable
  public static func match(_ typed: [Key], among bindings: [Binding]) -> Match {
    var isPrefix = false
    for binding in bindings {
      for sequence in binding.sequences {
        if sequence.keys == typed { return .action(binding.action) }
        if sequence.keys.count > typed.count, sequence.keys.starts(with: typed) { isPrefix = true }
      }
    }
    return isPrefix ? .prefix : .none
  }

  /// The lines that hold in a place, with the sequences that can be typed there.
  public func bindings(in context: Context) -> [Binding] {
    bindings.filter { $0.contexts.contains(context) }.map { binding in
      var binding = binding
      binding.sequences.removeAll { !isUsable($0, in: context) }
      return binding
    }
  }

  /// True where the sequence can be a command: anywhere but where its first key types text.
  public func isUsable(_ sequence: KeySequence, in context: Context) -> Bool {
    !(sequence.typesText && textContexts.contains(context))
  }

  /// The first way to type an action in a place, for hints and messages.
  public func sequence(for action: Action, in context: Context) -> KeySequence? {
    bindings.first { $0.action == action && $0.contexts.contains(context) }?.sequences
      .first { isUsable($0, in: context) }
  }

  /// Gives an action other keys everywhere, as a person's configuration does; none takes its keys away.
  public mutating func rebind(_ action: Action, to sequences: [KeySequence]) {
    for index in bindings.indices where bindings[index].action == action { bindings[index].sequences = sequences }
  }

  /// The lines that can never be reached, or that hide the beginning of a longer one.
  public var conflicts: [Conflict] {
    var found: [Conflict] = []
    for (index, later) in bindings.enumerated() {
      for earlier in bindings[..<index] where earlier.action != later.action {
        for context in earlier.contexts.intersection(later.contexts) {
          for mine in later.sequences
          where isUsable(mine, in: context) && earlier.sequences.contains(where: mine.clashes(with:)) {
            found.append(Conflict(sequence: mine, context: context, first: earlier.action, second: later.action))
          }
        }
      }
    }
    return found
  }
}
