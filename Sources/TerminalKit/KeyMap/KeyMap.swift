/// A line of the key table: all that a program says about a command. Texts are shown as they are, or are keys of the
/// program's strings.
public struct KeyBinding<Action: Hashable & Sendable, Context: Hashable & Sendable>: Sendable {
  /// The ways to type the action; hints show the first one that can be typed.
  public var sequences: [KeySequence]
  /// The action.
  public var action: Action
  /// What it means to the dispatcher, the shared screens and the widgets; nil if only the program's screens know it.
  public var role: CommandRole?
  /// The contexts where the line applies.
  public var contexts: Set<Context>
  /// The description in the help screen and the manual.
  public var help: String
  /// The word in hints.
  public var hint: String
  /// The heading in the help screen and the manual.
  public var group: String
  /// True if the action changes what the program edits: left out of hints and of lists of commands while that cannot be
  /// changed.
  public var isWriting: Bool

  /// Creates a line of the table; the hint is the description, unless another is given.
  public init(
    _ sequences: [KeySequence], _ action: Action, _ role: CommandRole? = nil, in contexts: Set<Context>, help: String,
    hint: String? = nil, group: String = "", isWriting: Bool = false
  ) {
    self.sequences = sequences
    self.action = action
    self.role = role
    self.contexts = contexts
    self.help = help
    self.hint = hint ?? help
    self.group = group
    self.isWriting = isWriting
  }
}

/// The key table, used to interpret keys and to generate the help screen, the hints and the manual.
public struct KeyMap<Action: Hashable & Sendable, Context: Hashable & Sendable>: Sendable {
  /// A line of the table.
  public typealias Binding = KeyBinding<Action, Context>

  /// Two actions in one context whose keys are the same, or where the keys of one begin with the keys of the other. It
  /// is a mistake in the table or the user's configuration.
  public struct Conflict: Hashable, Sendable {
    /// The keys of the later line.
    public let sequence: KeySequence
    /// A context where both apply.
    public let context: Context
    /// The action of the earlier line, which wins unless the later line has fewer keys.
    public let first: Action
    /// The action of the later line.
    public let second: Action
  }

  /// All lines, in the order of the help screen.
  public private(set) var bindings: [Binding]

  /// The lines of each action, by their indices: hints are looked up for every frame.
  @usableFromInline let indices: [Action: [Int]]

  /// Contexts where text is typed: sequences that begin with a key that types text are not usable there.
  public let textContexts: Set<Context>

  /// Which keys the characters of other keyboards are on, where no text is typed.
  public var layouts = KeyLayouts.standard

  /// Creates a table. If several lines have the same keys, the earliest wins. `textContexts` are contexts where text is
  /// typed.
  public init(_ bindings: [Binding], textContexts: Set<Context> = []) {
    self.bindings = bindings
    self.textContexts = textContexts
    indices = Dictionary(grouping: bindings.indices) { bindings[$0].action }
  }

  /// Returns the role of an action: that of its first line with one.
  @inlinable
  public func role(of action: Action) -> CommandRole? {
    for index in indices[action] ?? [] {
      if let role = bindings[index].role { return role }
    }
    return nil
  }

  /// Returns true if the action changes what the program edits.
  public func isWriting(_ action: Action) -> Bool {
    (indices[action] ?? []).contains { bindings[$0].isWriting }
  }

  /// The meaning of the keys typed so far in a context.
  public enum Match: Sendable {
    /// Perform this action.
    case action(Action)
    /// The keys begin a longer sequence.
    case prefix
    /// The keys are not bound.
    case none
  }

  /// Looks up typed keys among the lines of a context. Inlinable because it runs for every key, and unspecialized
  /// generic code is slow.
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

  /// Returns the key of a Latin keyboard that a character of another keyboard is on; nil where text is typed.
  @usableFromInline
  func latin(_ key: Key, in context: Context) -> Key? { textContexts.contains(context) ? nil : layouts.latin(key) }

  /// Returns the lines of a context, with the sequences that can be typed there.
  public func bindings(in context: Context) -> [Binding] {
    bindings.filter { $0.contexts.contains(context) }.map { binding in
      var binding = binding
      binding.sequences.removeAll { !isUsable($0, in: context) }
      return binding
    }
  }

  /// Returns true if the sequence can be a command: always, unless its first key types text there.
  @inlinable
  public func isUsable(_ sequence: KeySequence, in context: Context) -> Bool {
    !(sequence.typesText && textContexts.contains(context))
  }

  /// Returns the first way to type an action in a context, for hints and messages; nil if there is none. Inlinable like
  /// ``match(_:among:)``.
  @inlinable
  public func sequence(for action: Action, in context: Context) -> KeySequence? {
    for index in indices[action] ?? [] where bindings[index].contexts.contains(context) {
      let binding = bindings[index]
      if let sequence = binding.sequences.first(where: { isUsable($0, in: context) }) { return sequence }
    }
    return nil
  }

  /// Returns hints for the bottom line: the keys that actions have in a context, with their words.
  /// - Parameters:
  ///   - actions: the actions, in the order of the hints.
  ///   - context: the context of their keys.
  ///   - text: looks up ``KeyBinding/hint`` in the program's strings.
  public func hints(_ actions: [Action], in context: Context, text: (String) -> String = { $0 }) -> [Hint] {
    actions.compactMap { action in
      let lines = (indices[action] ?? []).map { bindings[$0] }
      guard let line = lines.first(where: { $0.contexts.contains(context) }) ?? lines.first else { return nil }
      return Hint(key: sequence(for: action, in: context)?.label ?? "", word: text(line.hint))
    }
  }

  /// Binds an action to other keys everywhere, as in the user's configuration; an empty list removes its keys.
  public mutating func rebind(_ action: Action, to sequences: [KeySequence]) {
    for index in indices[action] ?? [] { bindings[index].sequences = sequences }
  }

  /// The sequences that can never be typed because of an earlier line, or that make a longer one of an earlier line
  /// impossible to type.
  public var conflicts: [Conflict] {
    var found: [Conflict] = []
    for (index, later) in bindings.enumerated() {
      for earlier in bindings[..<index] where earlier.action != later.action {
        for context in earlier.contexts.intersection(later.contexts) {
          for mine in later.sequences
          where isUsable(mine, in: context) && earlier.sequences.contains(where: mine.conflicts(with:)) {
            found.append(Conflict(sequence: mine, context: context, first: earlier.action, second: later.action))
          }
        }
      }
    }
    return found
  }
}

/// The meaning of a program's command for the dispatcher and the widgets.
public enum CommandRole: Hashable, Sendable {
  /// The dispatcher opens or closes the list of keys.
  case help
  /// The dispatcher opens the list of commands, to choose one, or closes it.
  case commands
  /// The dispatcher redraws the whole screen.
  case redraw
  /// The dispatcher releases the terminal and stops the process, as Ctrl-Z does.
  case suspend
  /// The dispatcher quits the program.
  case quit
  /// Moves in a list, a dialog or a long text.
  case move(Movement)
  /// Accepts the selection or the text of a dialog, chooser or prompt, or the typed filter of a help screen.
  case accept
  /// Clears a typed filter; otherwise gives the safe answer of a dialog, or closes a chooser, prompt, pager or help
  /// screen.
  case cancel
  /// Completes the text of a prompt.
  case complete
  /// Starts typing the filter of a help screen.
  case filter
  /// Clears the typed filter of a help screen.
  case clear
}

/// A step in a list or a long text.
public enum Movement: Hashable, Sendable {
  /// One line, or one answer of a dialog.
  case down, up
  /// A page, or half a page.
  case pageDown, pageUp, halfDown, halfUp
  /// To the first or last line.
  case first, last

  /// True for half a page.
  public var isHalf: Bool { self == .halfDown || self == .halfUp }

  /// True for a page or half a page.
  public var isPage: Bool { isHalf || self == .pageDown || self == .pageUp }

  /// Returns the target line of the step, which may be outside the list.
  /// - Parameters:
  ///   - line: where the step begins.
  ///   - page: the lines of a page.
  ///   - last: the last line.
  public func line(from line: Int, page: Int, last: Int) -> Int {
    switch self {
    case .down: line + 1
    case .up: line - 1
    case .pageDown: line + page
    case .pageUp: line - page
    case .halfDown: line + max(1, page / 2)
    case .halfUp: line - max(1, page / 2)
    case .first: 0
    case .last: last
    }
  }
}
