/// A popup list to choose one item from; see ``ChooserState``.
@MainActor
public final class ChooserScreen<Command: Hashable & Sendable, Context: Hashable & Sendable>: Screen {
  /// What a program adds to a chooser: commands for the selected line.
  public struct Commands {
    /// Returns the hints for the selected choice; they replace those of the chooser.
    public var hints: @MainActor (ChooserState.Choice?) -> [Hint]
    /// Called for each command before the chooser performs it. Returns what to do instead, after the chooser is closed;
    /// nil to leave it open.
    public var perform: @MainActor (Command, ChooserState) -> (@MainActor () -> Void)?

    /// Creates commands.
    public init(
      hints: @escaping @MainActor (ChooserState.Choice?) -> [Hint],
      perform: @escaping @MainActor (Command, ChooserState) -> (@MainActor () -> Void)?
    ) {
      self.hints = hints
      self.perform = perform
    }
  }

  /// The context of its keys; text is typed in it.
  public let keyContext: Context
  /// Its items, the typed text and the selection.
  public var state: ChooserState
  private let style: WidgetStyle
  private let choose: @MainActor (ChooserState.Choice) -> Void
  private let cancel: @MainActor () -> Void
  private let word: String?
  private let commands: Commands?

  /// Creates a chooser.
  /// - Parameters:
  ///   - state: its items.
  ///   - context: the context of its keys.
  ///   - style: its style.
  ///   - word: what choosing does, for the hint; nil for the word of the key table.
  ///   - commands: commands besides those that move, choose and cancel.
  ///   - cancel: called if nothing was chosen.
  ///   - choose: handles the choice. The chooser is closed before.
  public init(
    _ state: ChooserState, context: Context, style: WidgetStyle, word: String? = nil, commands: Commands? = nil,
    cancel: @escaping @MainActor () -> Void = {},
    choose: @escaping @MainActor (ChooserState.Choice) -> Void
  ) {
    self.state = state
    keyContext = context
    self.style = style
    self.word = word
    self.commands = commands
    self.cancel = cancel
    self.choose = choose
  }

  /// True: the screen below remains visible around it.
  public var isOverlay: Bool { true }

  /// Performs a command of the program, or moves, chooses or cancels.
  public func perform(_ command: Command, in context: ScreenContext<Command, Context>) {
    if let action = commands?.perform(command, state) {
      context.pop(self)
      action()
    } else {
      finish(state.perform(context.keys.role(of: command)), in: context)
    }
  }

  /// Filters the list.
  public func type(_ key: Key, in context: ScreenContext<Command, Context>) { state.type(key) }

  /// Handles pasted text and the mouse.
  public func handle(_ event: Event, in context: ScreenContext<Command, Context>) {
    finish(state.handle(event), in: context)
  }

  private func finish(_ step: ChooserState.Step?, in context: ScreenContext<Command, Context>) {
    switch step {
    case .accepted:
      guard let choice = state.selectedChoice else { return }
      context.pop(self)
      choose(choice)
    case .canceled:
      context.pop(self)
      cancel()
    case nil: break
    }
  }

  /// Lays out the popup.
  public func prepare(in rect: Rect) { state.layOut(in: rect) }

  /// Draws the chooser.
  public func draw(on canvas: inout Canvas, in rect: Rect) { state.draw(on: &canvas, style: style) }

  /// The keys that choose and cancel; with typed text, canceling clears it.
  public func bottomLine(in context: ScreenContext<Command, Context>) -> BottomLine? {
    if let commands { return BottomLine(hints: commands.hints(state.selectedChoice)) }
    var words: [CommandRole: String] = [:]
    words[.accept] = word
    if !state.field.isEmpty {
      words[.cancel] = context.keys.bindings.first { $0.role == .clear }.map { context.text($0.hint) }
    }
    return BottomLine(hints: context.hints([.accept, .cancel], in: keyContext, words: words))
  }
}

/// Filters lines by typed text, ignoring case.
public struct ChoiceFilter: Hashable, Sendable {
  private let lowercased: String
  /// True if every line matches.
  var isEmpty: Bool { lowercased.isEmpty }

  /// Creates a filter for that text; an empty text matches every line.
  public init(_ text: String) { lowercased = text.lowercased() }

  /// Returns true if the line contains the text.
  public func matches(_ line: String) -> Bool { lowercased.isEmpty || line.lowercased().contains(lowercased) }

  /// Returns the rank of a line: the smaller, the better it matches; nil if it does not match. Equal lines come first,
  /// then lines that begin with the text, then those with a word that begins with it; of both, those in which the text
  /// is a whole word come first. Then come lines that contain the text, then those that contain its characters, except
  /// blanks, in the same order with others between them.
  public func rank(of line: String) -> Int? {
    let line = line.lowercased()
    if lowercased.isEmpty || line == lowercased { return 0 }
    let words = " " + line + " "
    if words.hasPrefix(" " + lowercased + " ") { return 1 }
    if words.contains(" " + lowercased + " ") { return 2 }
    if line.hasPrefix(lowercased) { return Self.prefix }
    guard line.contains(lowercased) else { return hasSubsequence(in: line) ? Self.scattered : nil }
    return words.contains(" " + lowercased) ? 4 : 5
  }

  /// The rank of a line that only has the characters of the text, with others between them.
  static let scattered = 6

  /// The rank of a line that begins with the text.
  static let prefix = 3

  /// Returns true if the line begins with the text.
  func begins(_ line: String) -> Bool { line.lowercased().hasPrefix(lowercased) }

  private func hasSubsequence(in line: String) -> Bool {
    var rest = lowercased.filter { !$0.isWhitespace }[...]
    for character in line where character == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  /// Returns the index of the best match: an exact match, or else the first line with that prefix, or else 0.
  public func best(of lines: [String]) -> Int {
    let lines = lines.map { $0.lowercased() }
    return lines.firstIndex(of: lowercased) ?? lines.firstIndex { $0.hasPrefix(lowercased) } ?? 0
  }
}
