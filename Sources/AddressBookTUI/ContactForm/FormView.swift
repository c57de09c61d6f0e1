import AddressBookModel
import Contacts
import TerminalKit

/// Draws the rows of the form.
struct FormView {
  private let theme: Theme
  private let strings: Strings
  private let layout = FormLayout()

  init(theme: Theme, strings: Strings) {
    self.theme = theme
    self.strings = strings
  }

  /// Draws the rows starting at line `top`.
  func draw(_ model: FormModel, top: Int, on canvas: inout Canvas, in rect: Rect) {
    canvas.fill(rect, style: theme.text)
    for (index, rowRect) in layout.rows(of: model, top: top, in: rect) {
      let row = model.rows[index]
      let isFocused = index == model.focus
      let completion = isFocused ? model.completion : nil
      draw(
        row, meaning: completion == nil ? meaning(of: row, model) : nil, isFocused: isFocused, on: &canvas, in: rowRect)
      if let completion { drawCompletion(completion, of: row, on: &canvas, in: layout.value(of: row, in: rowRect)) }
    }
    ScrollBar.draw(
      on: &canvas, in: rect.inset(left: rect.columns - 1), first: top, visible: rect.rows,
      total: layout.lineCount(of: model, columns: rect.columns), track: theme.quiet, thumb: theme.accent)
  }

  /// Draws the rest of a known name after the cursor at the end of the text.
  private func drawCompletion(
    _ completion: GroupNames.Completion, of row: FormRow, on canvas: inout Canvas, in value: Rect
  ) {
    guard case .field(let field) = row.editor, field.isAtEnd else { return }
    let start = value.column + TextWidth.columns(of: DisplayText.clean(field.text))
    guard start < value.endColumn else { return }
    canvas.put(
      completion.rest, at: Point(row: value.row, column: start), limit: value.endColumn - start, style: quietField)
  }

  /// The style of text in the focused field that was not typed.
  private var quietField: Style {
    theme.focusedField.with(foreground: theme.quiet.foreground).adding(theme.quiet.attributes)
  }

  private func draw(_ row: FormRow, meaning: String?, isFocused: Bool, on canvas: inout Canvas, in rect: Rect) {
    let labels = layout.labelColumns(in: rect.columns)
    let value = layout.value(of: row, in: rect)
    drawLabel(of: row, isFocused: isFocused, on: &canvas, in: rect, columns: labels)
    switch row.editor {
    case .field(let field):
      canvas.fill(value, style: isFocused ? theme.focusedField : theme.field)
      field.draw(on: &canvas, in: value, style: isFocused ? theme.focusedField : theme.field, focused: isFocused)
      drawMeaning(
        meaning, of: field, isFocused: isFocused, mayBeCut: row.identity == .single(.groups), on: &canvas, in: value)
      drawHint(of: row, isFocused: isFocused, isEmpty: field.text.isEmpty, on: &canvas, in: value)
    case .area(let area):
      canvas.fill(value, style: isFocused ? theme.focusedField : theme.field)
      area.draw(on: &canvas, in: value, style: isFocused ? theme.focusedField : theme.field, focused: isFocused)
    case .choice(let chosen, _):
      drawKind(chosen, isFocused: isFocused, on: &canvas, in: value)
    case .button where row.identity == .photo:
      drawPhoto(meaning, isFocused: isFocused, on: &canvas, in: value)
    case .button:
      let field = row.multiField
      let text = strings("form.add." + (field?.name ?? "names"), else: field.map { strings.name(of: $0.field) } ?? "")
      let style = isFocused ? theme.selection : theme.quiet
      canvas.put(
        "+ " + text, at: Point(row: value.row, column: value.column),
        limit: value.columns, style: style)
      if isFocused { canvas.cursor = Point(row: value.row, column: value.column) }
    }
    if let remark = row.remark, rect.rows > value.rows {
      canvas.put(
        remark, at: Point(row: value.row + value.rows, column: value.column), limit: rect.endColumn - value.column,
        style: row.error == nil ? theme.accent : theme.error)
    }
  }

  private func drawLabel(of row: FormRow, isFocused: Bool, on canvas: inout Canvas, in rect: Rect, columns: Int) {
    var text: String
    switch row.identity {
    case .kind: text = strings("field.kind")
    case .photo: text = strings("field.photo")
    case .single(let field): text = strings.name(of: field.field)
    case .value(let field, _):
      text = strings.label(row.label, else: strings.name(of: field.field))
    case .address(let part, _):
      text = strings("field." + part.rawValue)
      // The label of the whole address follows the name of its first row.
      if row.showsLabel, !row.label.isEmpty {
        text += strings("list.separator") + strings.localization.label(row.label)
      }
    case .adder, .moreNames: text = ""
    }
    if row.showsLabel, isFocused { text += " ▾" }
    let width = min(columns, TextWidth.columns(of: text))
    canvas.put(
      text, at: Point(row: rect.row, column: rect.column + 1 + columns - width), limit: width,
      style: isFocused ? theme.accent : theme.quiet)
  }

  /// Draws the interpretation of the input to its right.
  /// - Parameter mayBeCut: whether to draw its beginning if there is no room for all of it.
  private func drawMeaning(
    _ meaning: String?, of field: TextField, isFocused: Bool, mayBeCut: Bool, on canvas: inout Canvas, in value: Rect
  ) {
    guard let meaning, meaning != field.text else { return }
    let style = isFocused ? theme.focusedField : theme.field
    let start = value.column + TextWidth.columns(of: DisplayText.clean(field.text)) + 2
    let columns = TextWidth.columns(of: meaning)
    guard start + (mayBeCut ? min(columns, 10) : columns) <= value.endColumn else { return }
    canvas.put(
      meaning, at: Point(row: value.row, column: start), limit: value.endColumn - start,
      style: style.with(foreground: theme.quiet.foreground).adding(theme.quiet.attributes))
  }

  /// The interpretation of a row's value: the date that was typed, the size and format of the photo, the groups that
  /// will be created. Nil if there is nothing to add.
  private func meaning(of row: FormRow, _ model: FormModel) -> String? {
    switch row.identity {
    case .photo: return photo(of: model)
    case .single(.groups):
      let names = model.newGroups
      return names.isEmpty ? nil : strings("form.groups.made", names.joined(separator: strings("list.separator")))
    default: return model.day(in: row).map(DateText(strings: strings).text(of:))
    }
  }

  private func drawHint(of row: FormRow, isFocused: Bool, isEmpty: Bool, on canvas: inout Canvas, in value: Rect) {
    guard isFocused, isEmpty else { return }
    let key: String
    switch row.identity {
    case .single(.birthday): key = "form.birthday.hint"
    case .value(let field, _) where field.isDate: key = "form.birthday.hint"
    case .single(.groups): key = "form.groups.hint"
    default: return
    }
    canvas.put(strings(key), at: Point(row: value.row, column: value.column), limit: value.columns, style: quietField)
  }

  /// A description of the photo; nil if there is none.
  private func photo(of model: FormModel) -> String? {
    let photo: (mediaType: String, bytes: Int)
    switch model.photo {
    case .keep:
      guard let stored = model.original.photo else { return nil }
      photo = (stored.mediaType, stored.bytes)
    case .remove: return nil
    case .set(let chosen): photo = (chosen.mediaType, chosen.data.count)
    }
    // `image/png` is shown as `PNG`; the photo of a vCard may have had no type.
    let format = photo.mediaType.split(separator: "/").last.map { $0.uppercased() } ?? ""
    let size = strings.number((photo.bytes + 1023) / 1024)
    return format.isEmpty ? strings("form.photo.bytes", size) : strings("form.photo.size", size, format)
  }

  private func drawPhoto(_ photo: String?, isFocused: Bool, on canvas: inout Canvas, in value: Rect) {
    let hint = strings(photo == nil ? "form.photo.choose" : "form.photo.change")
    let style = isFocused ? theme.selection : photo == nil ? theme.quiet : theme.text
    let used = canvas.put(
      photo ?? strings("form.photo.none"), at: Point(row: value.row, column: value.column), limit: value.columns,
      style: style)
    guard isFocused else { return }
    canvas.cursor = Point(row: value.row, column: value.column)
    canvas.put(
      hint, at: Point(row: value.row, column: value.column + used + 2), limit: max(0, value.columns - used - 2),
      style: theme.quiet)
  }

  private func text(of kind: Contact.Kind) -> String {
    strings(kind == .person ? "form.kind.person" : "form.kind.organization")
  }

  /// The kind of contact that is drawn at a cell of the row's value; nil if there is none.
  func kind(at position: Point, in value: Rect) -> Contact.Kind? {
    var column = value.column
    for kind in Contact.Kind.allCases {
      let width = 2 + TextWidth.columns(of: text(of: kind))
      if position.row == value.row, (column..<column + width).contains(position.column) { return kind }
      column += width + 2
    }
    return nil
  }

  private func drawKind(_ chosen: Int, isFocused: Bool, on canvas: inout Canvas, in value: Rect) {
    var column = value.column
    for kind in Contact.Kind.allCases {
      let isChosen = kind.rawValue == chosen
      let text = (isChosen ? "◉ " : "○ ") + self.text(of: kind)
      let style = isChosen ? (isFocused ? theme.accent : theme.text) : theme.quiet
      if isChosen, isFocused { canvas.cursor = Point(row: value.row, column: column) }
      column += canvas.put(
        text, at: Point(row: value.row, column: column), limit: value.endColumn - column, style: style)
      column += 2
    }
  }
}

/// The positions and heights of the form's rows.
struct FormLayout {
  private static let gap = 2
  private static let widestValue = 64

  func labelColumns(in columns: Int) -> Int { min(20, max(9, columns / 3 - 1)) }

  func valueColumns(in columns: Int) -> Int {
    min(Self.widestValue, max(1, columns - labelColumns(in: columns) - Self.gap - 2))
  }

  /// The number of lines of a row, including its error or warning.
  func height(of row: FormRow, columns: Int) -> Int {
    var height = 1
    if case .area(let area) = row.editor {
      let isNote = row.isProse
      height = max(isNote ? 3 : 1, area.lineCount(columns: valueColumns(in: columns), atMost: isNote ? 8 : 4))
    }
    return height + (row.remark == nil ? 0 : 1)
  }

  /// The number of lines of all rows.
  func lineCount(of model: FormModel, columns: Int) -> Int {
    model.rows.reduce(0) { $0 + height(of: $1, columns: columns) }
  }

  /// Scrolls by a number of lines (up if negative).
  /// - Returns: the first line, and the row to focus, which changes only as far as necessary to be visible.
  func scrolled(_ model: FormModel, from top: Int, by lines: Int, in rect: Rect) -> (top: Int, focus: Int) {
    let last = max(0, lineCount(of: model, columns: rect.columns) - rect.rows)
    let top = min(max(0, top + lines), last)
    let visible = rows(of: model, top: top, in: rect)
    let whole = visible.filter { $0.rect.rows == height(of: model.rows[$0.index], columns: rect.columns) }
    let indexes = (whole.isEmpty ? visible : whole).map(\.index)
    return (top, min(max(model.focus, indexes.first ?? 0), indexes.last ?? 0))
  }

  /// The first line to show so that the focused row is visible, as close to `top` as possible.
  func top(for model: FormModel, from top: Int, in rect: Rect) -> Int {
    var line = 0
    for (index, row) in model.rows.enumerated() {
      let height = height(of: row, columns: rect.columns)
      if index == model.focus {
        if line < top { return line }
        return max(top, min(line, line + height - rect.rows))
      }
      line += height
    }
    return top
  }

  /// The visible rows and their rectangles when line `top` is the first. Partly visible rows at the top are left out.
  func rows(of model: FormModel, top: Int, in rect: Rect) -> [(index: Int, rect: Rect)] {
    var visible: [(index: Int, rect: Rect)] = []
    var line = rect.row - top
    for (index, row) in model.rows.enumerated() {
      guard line < rect.endRow else { break }
      let height = height(of: row, columns: rect.columns)
      if line >= rect.row {
        let rows = min(height, rect.endRow - line)
        visible.append((index, Rect(row: line, column: rect.column, rows: rows, columns: rect.columns)))
      }
      line += height
    }
    return visible
  }

  /// The part of a row's rectangle for its value.
  func value(of row: FormRow, in rect: Rect) -> Rect {
    Rect(
      row: rect.row, column: rect.column + 1 + labelColumns(in: rect.columns) + Self.gap,
      rows: max(0, rect.rows - (row.remark == nil ? 0 : 1)), columns: valueColumns(in: rect.columns))
  }
}
