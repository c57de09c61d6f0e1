/// A cell of the screen.
///
/// A plain value without references, so a screenful is filled, copied and compared as fast as numbers.
public struct Cell: Hashable, Sendable {
  /// The style.
  public var style: Style
  // Code points of 21 bits each, three in the first word and two in the second, followed there by the number of a link
  // and, in the highest bits, the width.
  private var first: UInt64
  private var second: UInt64

  private static let scalarBits: UInt64 = 21
  private static let scalarMask: UInt64 = 0x1F_FFFF
  private static let linkShift: UInt64 = 42
  private static let linkMask: UInt64 = 0xFFFF << linkShift
  private static let widthShift: UInt64 = 62

  /// The maximum number of code points in a cell: a base with three marks, and a mark that ends a right-to-left run.
  static let scalarLimit = 5

  /// The number of columns: 1, 2, or 0 in the second half of a wide cell.
  public var width: Int { Int(second >> Self.widthShift) }

  /// A base with its marks; empty in the second half of a wide cell.
  public var text: String {
    var view = String.UnicodeScalarView()
    forEachScalar { view.append($0) }
    return String(view)
  }

  /// Creates a cell. The text must be one base with its marks and have the given width; ``Canvas`` ensures both. Code
  /// points after the fifth are left out.
  public init(text: String, width: Int = 1, style: Style = .plain) {
    self.init(width: width, style: style)
    for scalar in text.unicodeScalars { append(scalar) }
  }

  /// Creates a space.
  public init(style: Style = .plain) { self.init(" ", style: style) }

  init(_ scalar: Unicode.Scalar, width: Int = 1, style: Style) {
    self.init(width: width, style: style)
    first = UInt64(scalar.value)
  }

  private init(width: Int, style: Style) {
    self.style = style
    first = 0
    second = UInt64(min(max(0, width), 2)) << Self.widthShift
  }

  /// A space in the terminal's own colors.
  public static let blank = Cell()

  /// The text if it is one printable ASCII character, else 0.
  var ascii: UInt8 {
    let isOne = second & ~Self.linkMask == 1 << Self.widthShift && first >= 0x20 && first < 0x7F
    return isOne ? UInt8(truncatingIfNeeded: first) : 0
  }

  /// The number of the text's link; 0 for none.
  var linkNumber: UInt16 {
    get { UInt16(truncatingIfNeeded: second >> Self.linkShift) }
    set { second = second & ~Self.linkMask | UInt64(newValue) << Self.linkShift }
  }

  /// The first code point; 0 in the second half of a wide cell.
  var base: UInt32 { UInt32(first & Self.scalarMask) }

  var codePoints: [UInt32] {
    var points: [UInt32] = []
    points.reserveCapacity(Self.scalarLimit)
    forEachScalar { points.append($0.value) }
    return points
  }

  /// True for a full block in the color of its background, which looks like a space.
  var looksBlank: Bool {
    first == 0x2588 && style.foreground == style.background && style.background != .standard && style.attributes.isEmpty
  }

  /// Appends a code point, unless the cell is full.
  mutating func append(_ scalar: Unicode.Scalar) {
    let value = UInt64(scalar.value)
    for index in 0..<3 {
      let shift = Self.scalarBits * UInt64(index)
      guard first >> shift == 0 else { continue }
      first |= value << shift
      return
    }
    for index in 0..<2 {
      let shift = Self.scalarBits * UInt64(index)
      guard (second >> shift) & Self.scalarMask == 0 else { continue }
      second |= value << shift
      return
    }
  }

  func forEachScalar(_ body: (Unicode.Scalar) -> Void) {
    var rest = first
    for _ in 0..<3 {
      guard let scalar = Unicode.Scalar(UInt32(rest & Self.scalarMask)), scalar.value > 0 else { return }
      body(scalar)
      rest >>= Self.scalarBits
    }
    rest = second
    for _ in 0..<2 {
      guard let scalar = Unicode.Scalar(UInt32(rest & Self.scalarMask)), scalar.value > 0 else { return }
      body(scalar)
      rest >>= Self.scalarBits
    }
  }
}

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
