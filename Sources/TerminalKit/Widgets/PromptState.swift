/// A popup with one line of text, and the reason why the last input was rejected.
public struct PromptState: Hashable, Sendable {
  private let title: String
  private let detail: String
  private let hint: String
  private var field: TextField
  /// Why the text was rejected, in the user's language; nil for none. Changing the text clears it.
  public var error: String?
  private var frame = Rect(row: 0, column: 0, rows: 0, columns: 0)
  private var errorLines: [String] = []
  private var hintLines: [String] = []

  /// Creates a prompt.
  /// - Parameters:
  ///   - title: the title in the frame.
  ///   - detail: a line above the hint; empty for none.
  ///   - hint: the last lines.
  ///   - text: the initial text.
  ///   - error: why that text was rejected.
  public init(title: String, detail: String = "", hint: String, text: String = "", error: String? = nil) {
    self.title = title
    self.detail = detail
    self.hint = hint
    self.error = error
    field = TextField(text)
  }

  /// The typed text. Setting it moves the cursor to the end.
  public var text: String {
    get { field.text }
    set { edit { $0 = TextField(newValue) } }
  }

  // MARK: Events

  /// Edits the text with a key.
  public mutating func type(_ key: Key) { edit { _ = $0.handle(key) } }

  /// Inserts text, for example a paste.
  public mutating func insert(_ text: String) { edit { $0.insert(text) } }

  /// Moves the cursor.
  public mutating func handle(_ mouse: Mouse) {
    guard mouse.action == .press, fieldRect.contains(mouse.position) else { return }
    field.moveCursor(toColumn: mouse.position.column - fieldRect.column, columns: fieldRect.columns)
  }

  private mutating func edit(_ change: (inout TextField) -> Void) {
    let before = field.text
    change(&field)
    if field.text != before { error = nil }
  }

  // MARK: Drawing

  private var fieldRect: Rect { Popup.room(in: frame).line(0) }

  /// Lays out the popup in the window.
  public mutating func layOut(in window: Rect) {
    let columns = min(70, window.columns - 6)
    errorLines = error.map { TextWidth.wrap(DisplayText.clean("✗ " + $0), columns: max(1, columns)) } ?? []
    hintLines = TextWidth.wrap(hint, columns: max(1, columns))
    let rows = 2 + errorLines.count + (detail.isEmpty ? 0 : 1) + hintLines.count
    frame = Popup.frame(rows: rows, columns: columns, in: window)
  }

  /// Draws the prompt at the position from ``layOut(in:)``.
  public func draw(on canvas: inout Canvas, style: WidgetStyle) {
    let room = Popup(style: style).draw(title: title, on: &canvas, in: frame)
    field.draw(on: &canvas, in: fieldRect, style: style.field, focused: true)
    for (index, line) in errorLines.prefix(max(0, room.rows - 1)).enumerated() {
      canvas.put(
        line, at: Point(row: room.row + 1 + index, column: room.column), limit: room.columns, style: style.error)
    }
    let hints = hintLines.prefix(max(1, room.rows - 1))
    let hintRow = room.endRow - hints.count
    if !detail.isEmpty, hintRow > room.row + 1 {
      canvas.put(detail, at: Point(row: hintRow - 1, column: room.column), limit: room.columns, style: style.popup)
    }
    for (index, line) in hints.enumerated() {
      canvas.put(
        line, at: Point(row: hintRow + index, column: room.column), limit: room.columns,
        style: style.popup.adding(.dim))
    }
  }
}
