import TerminalKit

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
