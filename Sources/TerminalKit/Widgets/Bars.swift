/// Keys and their meaning, for the bottom line.
public struct Hint: Hashable, Sendable {
  /// The keys for display (``KeySequence/label``); a hint without any is left out.
  public var keys: [String]
  /// Their meaning, in a word or two.
  public var word: String

  /// Creates a hint for one key; an empty key is left out.
  public init(key: String, word: String) { self.init(keys: [key], word: word) }

  /// Creates a hint for several keys that do similar things, such as moving up and down; empty ones are left out.
  public init(keys: [String], word: String) {
    self.keys = keys.filter { !$0.isEmpty }
    self.word = word
  }

  fileprivate var columns: Int { TextWidth.columns(of: keys.joined(separator: " ") + " " + word) }
}

/// The title and bottom lines that the screens of a program share.
public struct Bars {
  private let style: WidgetStyle

  /// Creates bars in this style.
  public init(style: WidgetStyle) { self.style = style }

  /// Draws the title line: the title and its detail on the left, other text on the right.
  /// - Parameters:
  ///   - left: the title.
  ///   - detail: text after the title, in a quieter style.
  ///   - dot: the color of a dot before the detail; nil for none.
  ///   - right: text on the right, left out if there is no room, unless it is required.
  ///   - isRightNeeded: whether the left side makes room for the right one; otherwise the left side takes precedence.
  ///   - canvas: the canvas to draw on.
  ///   - line: the rectangle of the line.
  public func drawTitle(
    _ left: String, detail: String = "", dot: Color? = nil, right: String = "", isRightNeeded: Bool = false,
    on canvas: inout Canvas,
    in line: Rect
  ) {
    canvas.fill(line, style: style.title)
    let width = TextWidth.columns(of: right)
    let end = isRightNeeded && width > 0 ? max(line.column + 1, line.endColumn - width - 2) : line.endColumn
    var column = line.column + 1
    column += canvas.put(
      left, at: Point(row: line.row, column: column), limit: end - column - 1, style: style.title)
    if !detail.isEmpty, column + 3 < end {
      column += 3
      if let dot {
        column += canvas.put(
          "● ", at: Point(row: line.row, column: column), limit: 2, style: style.title.with(foreground: dot))
      }
      column += canvas.put(
        detail, at: Point(row: line.row, column: column), limit: end - column - 1,
        style: style.title.adding(style.quiet.attributes))
    }
    if width > 0, isRightNeeded || column + 2 + width < line.endColumn {
      let start = max(line.column + 1, line.endColumn - width - 1)
      canvas.put(
        right, at: Point(row: line.row, column: start), limit: line.endColumn - start,
        style: isRightNeeded ? style.title : style.title.adding(style.quiet.attributes))
    }
  }

  /// Draws as many hints as fit completely, from the first on, with keys in the accent color. A click on a key types
  /// it, and a click on the meaning types the first key; see ``Dispatcher``.
  /// - Parameters:
  ///   - hints: the hints.
  ///   - canvas: the canvas to draw on.
  ///   - line: the rectangle of the line.
  public func drawHints(_ hints: [Hint], on canvas: inout Canvas, in line: Rect) {
    canvas.fill(line, style: style.text)
    draw(hints, on: &canvas, in: line, key: style.accent, word: style.quiet)
  }

  /// Draws hints without a background.
  func draw(_ hints: [Hint], on canvas: inout Canvas, in line: Rect, key keyStyle: Style, word wordStyle: Style) {
    canvas.removeKeyTargets(in: line)
    var start = line.column + 1
    // There is nothing to show for a command without a key in the user's configuration.
    for hint in hints where !hint.keys.isEmpty {
      let end = start + hint.columns
      guard end < line.endColumn else { break }
      var column = start
      for key in hint.keys {
        let width = canvas.put(
          key, at: Point(row: line.row, column: column), limit: end - column, style: keyStyle)
        canvas.keyTargets.append(
          KeyTarget(rect: Rect(row: line.row, column: column, rows: 1, columns: width), label: key))
        column += width + 1
      }
      canvas.put(hint.word, at: Point(row: line.row, column: column), limit: end - column, style: wordStyle)
      canvas.keyTargets.append(
        KeyTarget(rect: Rect(row: line.row, column: start, rows: 1, columns: end - start), label: hint.keys[0]))
      start = end + 2
    }
  }

  /// Draws a message instead of the hints.
  /// - Returns: the number of columns used.
  @discardableResult
  public func drawMessage(_ message: String, isError: Bool, on canvas: inout Canvas, in line: Rect) -> Int {
    canvas.fill(line, style: style.text)
    canvas.removeKeyTargets(in: line)
    return canvas.put(
      (isError ? "✗ " : "") + message, in: line.inset(left: 1, right: 1), style: isError ? style.error : style.text)
  }
}

/// What the last line of the window shows: a message, and the keys that work now.
public struct BottomLine: Hashable, Sendable {
  /// A message; nil for none.
  public var message: String?
  /// True if the message is about an error.
  public var isError: Bool
  /// The keys of the screen. Over a screen with a message, they follow the message.
  public var hints: [Hint]

  /// Creates a line.
  public init(_ message: String? = nil, isError: Bool = false, hints: [Hint] = []) {
    self.message = message
    self.isError = isError
    self.hints = hints
  }

  /// Draws the message, and as many hints as fit after it.
  func draw(on canvas: inout Canvas, in line: Rect, style: WidgetStyle) {
    let bars = Bars(style: style)
    guard let message else { return bars.drawHints(hints, on: &canvas, in: line) }
    let columns = bars.drawMessage(message, isError: isError, on: &canvas, in: line)
    bars.draw(hints, on: &canvas, in: line.inset(left: columns + 2), key: style.accent, word: style.quiet)
  }
}

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
