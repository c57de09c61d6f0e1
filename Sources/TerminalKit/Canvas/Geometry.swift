/// The size of a screen or of a part of it, in character cells.
public struct Size: Hashable, Sendable {
  /// Number of lines, 0 or more.
  public var rows: Int
  /// Number of columns, 0 or more.
  public var columns: Int

  /// Creates a size in lines and columns.
  public init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
  }
}

/// The position of a cell: line and column, both from 0 at the top left.
public struct Point: Hashable, Sendable {
  /// Line from the top, from 0.
  public var row: Int
  /// Column from the left, from 0.
  public var column: Int

  /// Creates the position of the cell at this line and column.
  public init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

/// A rectangle of cells. An empty one has no rows or no columns.
public struct Rect: Hashable, Sendable {
  /// Top line, from 0.
  public var row: Int
  /// Left column, from 0.
  public var column: Int
  /// Number of lines, 0 or more.
  public var rows: Int
  /// Number of columns, 0 or more.
  public var columns: Int

  /// Creates a rectangle with this top left corner and size; negative sizes become 0.
  public init(row: Int, column: Int, rows: Int, columns: Int) {
    self.row = row
    self.column = column
    self.rows = max(0, rows)
    self.columns = max(0, columns)
  }

  /// Creates a rectangle that covers the whole screen.
  public init(_ size: Size) {
    self.init(row: 0, column: 0, rows: size.rows, columns: size.columns)
  }

  /// The first line below the rectangle.
  public var endRow: Int { row + rows }
  /// The first column to the right of the rectangle.
  public var endColumn: Int { column + columns }
  /// True if it contains no cells.
  public var isEmpty: Bool { rows == 0 || columns == 0 }

  /// Returns true if the cell is inside.
  public func contains(_ point: Point) -> Bool {
    point.row >= row && point.row < endRow && point.column >= column && point.column < endColumn
  }

  /// Returns the rectangle without that many lines and columns at each edge, possibly empty.
  public func inset(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) -> Rect {
    Rect(row: row + top, column: column + left, rows: rows - top - bottom, columns: columns - left - right)
  }

  /// Returns one line of the rectangle, counted from its top; empty if it is outside.
  public func line(_ index: Int) -> Rect {
    Rect(row: row + index, column: column, rows: index >= 0 && index < rows ? 1 : 0, columns: columns)
  }

  /// Returns the lines at the top and at the bottom, and what is left between them.
  public func split(top: Int = 0, bottom: Int = 0) -> (top: Rect, middle: Rect, bottom: Rect) {
    let (top, bottom) = (min(max(0, top), rows), min(max(0, bottom), max(0, rows - top)))
    return (
      inset(bottom: rows - top), inset(top: top, bottom: bottom), inset(top: rows - bottom)
    )
  }

  /// Returns the columns at the left and at the right, and what is left between them.
  public func split(left: Int = 0, right: Int = 0) -> (left: Rect, middle: Rect, right: Rect) {
    let (left, right) = (min(max(0, left), columns), min(max(0, right), max(0, columns - left)))
    return (
      inset(right: columns - left), inset(left: left, right: right), inset(left: columns - right)
    )
  }
}

/// A width and height in pixels.
public struct PixelSize: Hashable, Sendable {
  /// The width.
  public var width: Int
  /// The height.
  public var height: Int

  /// Creates a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
