/// A popup list to choose one item from. Typing filters it; optionally the typed text can be chosen too.
public struct ChooserState: Sendable {
  /// A possible choice.
  public enum Choice: Hashable, Sendable {
    /// One of the items, by its index.
    case item(Int)
    /// The typed text.
    case own(String)
  }

  /// The texts of a chooser besides its items, in the user's language.
  public struct Texts: Sendable {
    /// The placeholder in the empty field.
    public var placeholder: String
    /// The line that offers the typed text.
    public var own: @Sendable (String) -> String
    /// The text shown instead of the list if no item matches.
    public var noMatch: @Sendable (String) -> String

    /// The texts of a chooser.
    public init(
      placeholder: String, own: @escaping @Sendable (String) -> String = { $0 },
      noMatch: @escaping @Sendable (String) -> String
    ) {
      self.placeholder = placeholder
      self.own = own
      self.noMatch = noMatch
    }
  }

  private let title: String
  private let items: [String]
  private let hint: String
  private let texts: Texts
  private let takesOwnText: Bool
  /// The present choices.
  public private(set) var choices: [Choice]
  /// The selected choice.
  public private(set) var selection: ListSelection
  /// The typed text.
  public private(set) var field = TextField("")
  private var frame = Rect(row: 0, column: 0, rows: 0, columns: 0)

  /// A chooser of these items.
  /// - Parameters:
  ///   - title: the title in the frame.
  ///   - items: the items, one line each.
  ///   - selected: the index of the initially selected item.
  ///   - takesOwnText: whether other text can be typed and chosen.
  ///   - hint: a line below the list; empty for none.
  ///   - texts: its other texts.
  public init(
    title: String, items: [String], selected: Int = 0, takesOwnText: Bool = false, hint: String = "", texts: Texts
  ) {
    self.title = title
    self.items = items
    self.hint = hint
    self.texts = texts
    self.takesOwnText = takesOwnText
    choices = items.indices.map(Choice.item)
    selection = ListSelection(count: items.count, selected: selected)
  }

  /// The selected choice; nil if nothing matches the typed text.
  public var selectedChoice: Choice? {
    choices.indices.contains(selection.selected) ? choices[selection.selected] : nil
  }

  // MARK: Events

  /// Moves the selection.
  public mutating func move(_ movement: Movement) { selection.move(movement) }

  /// Edits the typed text with a key.
  public mutating func type(_ key: Key) { edit { _ = $0.handle(key) } }

  /// Inserts text, for example a paste.
  public mutating func insert(_ text: String) { edit { $0.insert(text) } }

  /// Clears the typed text.
  public mutating func clear() { edit { $0 = TextField("") } }

  /// Moves the cursor or the selection.
  /// - Returns: true if a line was double-clicked and is chosen.
  public mutating func handle(_ mouse: Mouse) -> Bool {
    guard mouse.action == .press, fieldRect.contains(mouse.position) else { return selection.handle(mouse) }
    field.moveCursor(toColumn: mouse.position.column - fieldRect.column, columns: fieldRect.columns)
    return false
  }

  private mutating func edit(_ change: (inout TextField) -> Void) {
    let before = field.text
    change(&field)
    if field.text != before { applyFilter() }
  }

  private mutating func applyFilter() {
    let filter = ChoiceFilter(field.text)
    choices = items.indices.filter { filter.matches(items[$0]) }.map(Choice.item)
    if takesOwnText, !field.isEmpty, !items.contains(field.text) { choices.append(.own(field.text)) }
    selection.rewind()
    selection.count = choices.count
    selection.select(filter.best(of: choices.map(text(of:))))
  }

  private func text(of choice: Choice) -> String {
    switch choice {
    case .item(let index): items[index]
    case .own(let text): texts.own(text)
    }
  }

  // MARK: Drawing

  /// The first line inside the frame.
  private var fieldRect: Rect { Popup.room(in: frame).line(0) }

  /// Lays out the popup in the window.
  public mutating func layOut(in window: Rect) {
    let widest = (items + [hint, texts.placeholder, title])
      .map { TextWidth.columns(of: DisplayText.clean($0)) + 2 }.max()
    let columns = min(max(24, widest ?? 0), window.columns - 6)
    let below = hint.isEmpty ? 0 : 2
    // The height of the frame does not change during typing.
    let most = max(1, items.count + (takesOwnText ? 1 : 0))
    let visible = max(1, min(most, window.rows - 6 - below))
    frame = Popup.frame(rows: visible + 2 + below, columns: columns, in: window)
    selection.layOut(in: Popup.room(in: frame).inset(top: 2, bottom: below))
  }

  /// Draws it at its layout position.
  public func draw(on canvas: inout Canvas, style: WidgetStyle) {
    let room = Popup(style: style).draw(title: title, on: &canvas, in: frame)
    let quiet = style.popup.adding(.dim)
    field.draw(on: &canvas, in: fieldRect, style: style.field, focused: true)
    if field.isEmpty {
      canvas.put(
        texts.placeholder, at: Point(row: room.row, column: room.column), limit: room.columns,
        style: style.field.adding(.dim))
    }
    for (offset, index) in selection.visible.enumerated() {
      let line = selection.rect.line(offset)
      let isSelected = index == selection.selected
      let lineStyle = isSelected ? style.selection : style.popup
      canvas.fill(line, style: lineStyle)
      canvas.put(
        (isSelected ? "▸ " : "  ") + text(of: choices[index]), at: Point(row: line.row, column: line.column),
        limit: line.columns, style: lineStyle)
    }
    if choices.isEmpty {
      canvas.put(
        texts.noMatch(field.text), at: Point(row: selection.rect.row, column: room.column), limit: room.columns,
        style: quiet)
    }
    if !hint.isEmpty {
      canvas.put(hint, at: Point(row: room.endRow - 1, column: room.column), limit: room.columns, style: quiet)
    }
  }
}

/// Filters lines that contain the typed text, ignoring case.
public struct ChoiceFilter: Hashable, Sendable {
  private let lowercased: String

  /// A filter for that text; an empty one matches every line.
  public init(_ text: String) { lowercased = text.lowercased() }

  /// True if the line contains the text.
  public func matches(_ line: String) -> Bool { lowercased.isEmpty || line.lowercased().contains(lowercased) }

  /// The index of the best match: an exact match, or else the first line with that prefix, or else the first.
  public func best(of lines: [String]) -> Int {
    let lines = lines.map { $0.lowercased() }
    return lines.firstIndex(of: lowercased) ?? lines.firstIndex { $0.hasPrefix(lowercased) } ?? 0
  }
}
