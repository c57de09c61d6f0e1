/// The frame and title of a popup, such as a dialog, in the center of the window.
public struct Popup {
  private let style: WidgetStyle

  /// Creates a popup in this style.
  public init(style: WidgetStyle) { self.style = style }

  /// Returns the centered rectangle for content of that size, including its frame. It leaves the last line free.
  public static func frame(rows: Int, columns: Int, in window: Rect) -> Rect {
    let height = min(rows + 2, max(0, window.rows - 1))
    let width = min(columns + 4, window.columns)
    return Rect(
      row: window.row + (window.rows - height) / 2, column: window.column + (window.columns - width) / 2, rows: height,
      columns: width)
  }

  /// Returns the area inside a frame; all of it if the frame is too small to be drawn.
  public static func room(in frame: Rect) -> Rect {
    frame.rows >= 2 && frame.columns >= 4 ? frame.inset(top: 1, left: 2, bottom: 1, right: 2) : frame
  }

  /// Draws the frame and returns the area inside it.
  @discardableResult
  public func draw(title: String, on canvas: inout Canvas, in frame: Rect) -> Rect {
    canvas.fill(frame, style: style.popup)
    guard frame.rows >= 2, frame.columns >= 4 else { return frame }
    let horizontal = String(repeating: "─", count: frame.columns - 2)
    let edge = style.popup.adding(style.faint)
    canvas.put(
      "╭" + horizontal + "╮", at: Point(row: frame.row, column: frame.column), limit: frame.columns, style: edge)
    for row in frame.row + 1..<frame.endRow - 1 {
      canvas.put("│", at: Point(row: row, column: frame.column), limit: 1, style: edge)
      canvas.put("│", at: Point(row: row, column: frame.endColumn - 1), limit: 1, style: edge)
    }
    canvas.put(
      "╰" + horizontal + "╯", at: Point(row: frame.endRow - 1, column: frame.column), limit: frame.columns, style: edge)
    if !title.isEmpty {
      canvas.put(
        " " + title + " ", at: Point(row: frame.row, column: frame.column + 2), limit: max(0, frame.columns - 4),
        style: style.popup.adding(.bold))
    }
    return Self.room(in: frame)
  }
}

/// The styles of the widgets, by role, as given by a program's theme.
///
/// The widgets never show a state by color alone: the selection also has a symbol or the cursor, and an error has a
/// symbol.
public struct WidgetStyle: Hashable, Sendable {
  /// Normal text.
  public var text: Style
  /// Less important text: counts, hints.
  public var quiet: Style
  /// The title line.
  public var title: Style
  /// Keys in hints and help, and the thumb of the scroll bar of a list or pager.
  public var accent: Style
  /// A heading inside text.
  public var header: Style
  /// The selected line.
  public var selection: Style
  /// An error, in addition to its symbol.
  public var error: Style
  /// The focused field.
  public var field: Style
  /// A popup, such as a dialog or a chooser.
  public var popup: Style
  /// Added to the style of a popup or a field where it is less prominent: in its frame, its hints, its placeholder.
  public var faint: Style.Attributes

  /// Creates styles that work on light and dark terminals, unless others are given.
  public init(
    text: Style = .plain, quiet: Style = Style(attributes: .dim), title: Style = Style(attributes: .bold),
    accent: Style = Style(foreground: .palette(6), attributes: .bold), header: Style = Style(foreground: .palette(6)),
    selection: Style = Style(attributes: .reverse),
    error: Style = Style(foreground: .palette(1), attributes: .bold),
    field: Style = Style(attributes: [.underline, .bold]), popup: Style = .plain,
    faint: Style.Attributes = .dim
  ) {
    self.text = text
    self.quiet = quiet
    self.title = title
    self.accent = accent
    self.header = header
    self.selection = selection
    self.error = error
    self.field = field
    self.popup = popup
    self.faint = faint
  }
}
