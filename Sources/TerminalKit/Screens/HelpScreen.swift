/// A scrollable list of all keys of a program, generated from its table. A filter can be typed.
@MainActor
public final class HelpScreen<Command: Hashable & Sendable, Context: Hashable & Sendable>: Screen {
  /// The filter of a help screen: the context in which it is typed, and its texts in the user's language.
  public struct Filter {
    fileprivate let context: Context
    fileprivate let prompt: String
    fileprivate let found: (Int) -> String
    fileprivate let noMatch: (String) -> String

    /// Creates a filter.
    /// - Parameters:
    ///   - context: the context of the keys while it is typed. ``CommandRole/accept`` keeps it, ``CommandRole/cancel``
    ///     ends it, ``CommandRole/clear`` clears it.
    ///   - prompt: the text before the typed filter.
    ///   - found: says how many keys match.
    ///   - noMatch: shown instead of keys if none matches the text.
    public init(
      context: Context, prompt: String, found: @escaping (Int) -> String,
      noMatch: @escaping (String) -> String
    ) {
      self.context = context
      self.prompt = prompt
      self.found = found
      self.noMatch = noMatch
    }
  }

  /// The context of its keys, or of its filter's keys while the filter is typed.
  public var keyContext: Context { isTyping ? filter?.context ?? context : context }
  private let context: Context
  private let title: String
  private let allLines: [HelpLines<Command, Context>.Line]
  /// The lines without a filter: those of the most important keys come first.
  private let unfiltered: [HelpLines<Command, Context>.Line]
  private let style: WidgetStyle
  private let filter: Filter?
  private var isTyping = false
  private var field = TextField("")
  /// The lines that match the filter, and how many of them have keys; without a filter all lines, and 0.
  private var found: (lines: [HelpLines<Command, Context>.Line], count: Int)
  /// The lines laid out for the window.
  private var rows: [Row] = []
  private var keyColumns = 0
  private var pager = Pager()
  /// The line to show first, and its row.
  private let firstLine: Int
  private var firstRow: Int?

  private enum Row {
    case heading(String)
    /// A key with its meaning, or the continuation of the row above.
    case key(String, String)
  }

  /// Creates a help screen.
  /// - Parameters:
  ///   - title: the title.
  ///   - help: the lines.
  ///   - summary: lines above them, such as the most important keys on one page. A filter does not find them.
  ///   - requestContext: the context in which help was requested; the list opens at its keys.
  ///   - context: the context of its own keys.
  ///   - filter: its filter, which ``CommandRole/filter`` starts; nil for none.
  ///   - style: its style.
  public init(
    title: String, help: HelpLines<Command, Context>, summary: [HelpLines<Command, Context>.Line] = [],
    requestedIn requestContext: Context, context: Context,
    filter: Filter? = nil, style: WidgetStyle
  ) {
    self.title = title
    allLines = help.lines
    unfiltered = summary + (summary.isEmpty ? [] : [.init(keys: "", text: "")]) + allLines
    found = (unfiltered, 0)
    let first = help.firstLine(of: requestContext)
    firstLine = first == 0 ? 0 : first + unfiltered.count - allLines.count
    self.context = context
    self.filter = filter
    self.style = style
  }

  private var isFiltered: Bool { isTyping || !field.isEmpty }

  // MARK: Events

  /// Scrolls, filters, or closes the screen.
  public func perform(_ command: Command, in context: ScreenContext<Command, Context>) {
    switch context.keys.role(of: command) {
    case .filter: isTyping = filter != nil
    case .accept: isTyping = false
    case .clear: edit { $0 = TextField("") }
    case .cancel where isFiltered:
      isTyping = false
      edit { $0 = TextField("") }
    case .cancel: context.pop(self)
    case .move(let movement): pager.move(movement)
    default: break
    }
  }

  /// Edits the filter while it is typed; otherwise scrolls a page if the key is Space.
  public func type(_ key: Key, in context: ScreenContext<Command, Context>) {
    guard isTyping else { return pager.type(key) }
    if key.code == .backspace, field.isEmpty { isTyping = false } else { edit { _ = $0.handle(key) } }
  }

  /// Handles the wheel and pasted text.
  public func handle(_ event: Event, in context: ScreenContext<Command, Context>) {
    if case .paste(let text) = event, isTyping { edit { $0.insert(text) } }
    pager.handle(event)
  }

  private func edit(_ change: (inout TextField) -> Void) {
    let before = field.text
    change(&field)
    guard field.text != before else { return }
    found = field.isEmpty ? (unfiltered, 0) : HelpLines<Command, Context>.filter(allLines, by: field.text)
    pager.show(0)
  }

  // MARK: Drawing

  /// Wraps the lines for the window.
  public func prepare(in rect: Rect) {
    // Leave a blank column beside the scroll bar.
    let body = rect.inset(top: 1, left: 2, bottom: 1)
    let columns = body.columns - 2
    keyColumns = allLines.map { TextWidth.columns(of: $0.keys) }.max() ?? 0
    rows = []
    let isFirst = firstRow == nil
    for (index, line) in found.lines.enumerated() {
      if index == firstLine, field.isEmpty { firstRow = rows.count }
      if line.keys.isEmpty {
        rows.append(.heading(line.text))
      } else {
        let texts = TextWidth.wrap(line.text, columns: max(1, columns - keyColumns - 2))
        rows += texts.enumerated().map { Row.key($0.offset == 0 ? line.keys : "", $0.element) }
      }
    }
    pager.layOut(in: body, lines: rows.count, first: field.isEmpty ? firstRow ?? 0 : 0)
    if isFirst { pager.show(firstRow ?? 0) }
  }

  /// Draws the visible lines.
  public func draw(on canvas: inout Canvas, in rect: Rect) {
    canvas.fill(rect, style: style.text)
    drawTitle(on: &canvas, in: rect.line(0))
    if rows.isEmpty, let filter {
      let line = pager.rect.line(0).inset(right: 2)
      canvas.put(
        filter.noMatch(field.text), at: Point(row: line.row, column: line.column), limit: line.columns,
        style: style.quiet)
    }
    pager.draw(on: &canvas, style: style) { index, line, canvas in
      draw(rows[index], on: &canvas, in: line.inset(right: 1))
    }
  }

  private func draw(_ row: Row, on canvas: inout Canvas, in line: Rect) {
    switch row {
    case .heading(let text):
      canvas.put(text, at: Point(row: line.row, column: line.column), limit: line.columns, style: style.header)
    case .key(let keys, let text):
      canvas.put(keys, at: Point(row: line.row, column: line.column), limit: keyColumns, style: style.accent)
      let start = line.column + keyColumns + 2
      canvas.put(
        text, at: Point(row: line.row, column: start), limit: max(0, line.endColumn - start), style: style.text)
    }
  }

  private func drawTitle(on canvas: inout Canvas, in line: Rect) {
    let summary = field.isEmpty ? "" : filter?.found(found.count) ?? ""
    Bars(style: style).drawTitle(
      title, detail: "", right: summary, isRightNeeded: !summary.isEmpty, on: &canvas, in: line)
    guard isFiltered, let filter else { return }
    let start = line.column + TextWidth.columns(of: title) + 4
    let prompt = canvas.put(
      filter.prompt + " ", at: Point(row: line.row, column: start), limit: max(0, line.endColumn - start),
      style: style.title)
    let end = line.endColumn - (summary.isEmpty ? 1 : TextWidth.columns(of: summary) + 3)
    let room = Rect(row: line.row, column: start + prompt, rows: 1, columns: max(0, end - start - prompt))
    field.draw(on: &canvas, in: room, style: style.title, focused: isTyping)
  }

  /// The keys that scroll, filter and close, or those of the filter while it is typed.
  public func bottomLine(in context: ScreenContext<Command, Context>) -> BottomLine? {
    BottomLine(hints: context.hints(isTyping ? [.accept, .cancel] : [.move(.down), .filter, .cancel], in: keyContext))
  }
}

/// The lines of a help screen or a manual, generated from a key table.
public struct HelpLines<Command: Hashable & Sendable, Context: Hashable & Sendable> {
  /// Keys with their meaning, or a heading without keys; both texts are empty for the gap between groups.
  public struct Line: Hashable, Sendable {
    /// The keys for display (``KeySequence/label``).
    public var keys: String
    /// The description, or the heading.
    public var text: String

    /// Creates a line.
    public init(keys: String, text: String) {
      self.keys = keys
      self.text = text
    }
  }

  private let keys: KeyMap<Command, Context>
  private let notes: [String: [Line]]
  private let text: (String) -> String

  /// Creates the lines of a table.
  /// - Parameters:
  ///   - keys: the table.
  ///   - notes: lines after those of a ``KeyBinding/group``, such as words with a meaning in a field.
  ///   - text: looks up a ``KeyBinding/help`` or ``KeyBinding/group`` in the program's strings.
  public init(keys: KeyMap<Command, Context>, notes: [String: [Line]] = [:], text: @escaping (String) -> String) {
    self.keys = keys
    self.notes = notes
    self.text = text
  }

  /// All lines of the table, under their headings.
  public var lines: [Line] { titled.map(\.line) }

  /// Finds the lines that contain all words of a filter in their keys, text or heading, ignoring case, and puts them
  /// under their headings.
  /// - Returns: the lines, and how many of them have keys.
  public static func filter(_ lines: [Line], by text: String) -> (lines: [Line], count: Int) {
    let words = text.lowercased().split(separator: " ")
    var found: [Line] = []
    var count = 0
    var heading: Line?
    var headingText = ""
    for line in lines where !(line.keys.isEmpty && line.text.isEmpty) {
      if line.keys.isEmpty {
        (heading, headingText) = (line, line.text)
        continue
      }
      let searched = "\(line.keys)\n\(line.text)\n\(headingText)".lowercased()
      guard words.allSatisfy({ searched.contains($0) }) else { continue }
      if let title = heading {
        if !found.isEmpty { found.append(Line(keys: "", text: "")) }
        found.append(title)
        heading = nil
      }
      found.append(line)
      count += 1
    }
    return (found, count)
  }

  /// Returns the index of the first heading with a key specific to the context; 0 if there is none.
  public func firstLine(of context: Context) -> Int {
    // A key that works nearly everywhere is not specific to a context.
    let contextCount = keys.bindings.reduce(into: Set<Context>()) { $0.formUnion($1.contexts) }.count
    let titled = titled
    func first(sharedByFewerThan count: Int) -> Int? {
      titled.firstIndex { $0.binding.map { $0.contexts.contains(context) && $0.contexts.count < count } ?? false }
    }
    // Prefer keys of one or two contexts: they are more typical of a context than keys that it shares with many others.
    let most = max(2, contextCount - 1)
    guard let first = first(sharedByFewerThan: min(3, most)) ?? first(sharedByFewerThan: most) else { return 0 }
    return titled[..<first].lastIndex { $0.line.keys.isEmpty && !$0.line.text.isEmpty } ?? 0
  }

  /// Returns the lines of some commands, without a heading, in their order; those without a key are left out.
  public func lines(of commands: [Command]) -> [Line] {
    let all = Dictionary(titled.compactMap { line in line.binding.map { ($0.action, line.line) } }) { one, _ in one }
    return commands.compactMap { all[$0] }.filter { $0.keys != Self.noKeys }
  }

  /// Shown for a command that has no key.
  private static var noKeys: String { "–" }

  private var titled: [(line: Line, binding: KeyBinding<Command, Context>?)] {
    var lines: [(line: Line, binding: KeyBinding<Command, Context>?)] = []
    var heading = ""
    for binding in keys.bindings {
      if binding.group != heading {
        lines += (notes[heading] ?? []).map { ($0, nil) }
        if !lines.isEmpty { lines.append((Line(keys: "", text: ""), nil)) }
        heading = binding.group
        lines.append((Line(keys: "", text: text(heading)), nil))
      }
      let keys = binding.sequences.map(\.label).joined(separator: "  ")
      lines.append((Line(keys: keys.isEmpty ? Self.noKeys : keys, text: text(binding.help)), binding))
    }
    lines += (notes[heading] ?? []).map { ($0, nil) }
    return lines
  }
}
