/// How to truncate text that is too long.
public enum Truncation: Hashable, Sendable {
  /// Cut after the last cluster that fits.
  case cut
  /// Cut after the last cluster that leaves a column for `…`, which follows it.
  case ellipsis
}

extension Canvas {
  /// Draws text in the first line of a rectangle, sanitized with ``DisplayText/clean(_:)``.
  ///
  /// - Returns: the number of columns used.
  @discardableResult
  public mutating func put(_ text: String, in rect: Rect, style: Style, truncation: Truncation = .ellipsis) -> Int {
    guard rect.rows > 0 else { return 0 }
    return put(
      text, at: Point(row: rect.row, column: rect.column), limit: rect.columns, style: style, truncation: truncation)
  }

  /// Draws text on one line, sanitized with ``DisplayText/clean(_:)``, in at most `limit` columns.
  ///
  /// - Returns: the number of columns used.
  @discardableResult
  public mutating func put(
    _ text: String, at point: Point, limit: Int, style: Style, truncation: Truncation = .ellipsis
  ) -> Int {
    put(text, at: point, limit: limit, style: style, highlights: [], highlightStyle: style, truncation: truncation)
  }

  /// Draws text on one line, with parts of it in another style.
  ///
  /// - Parameters:
  ///   - text: the text, sanitized with ``DisplayText/clean(_:)``.
  ///   - point: where it begins.
  ///   - limit: the maximum number of columns.
  ///   - style: the style of the text.
  ///   - highlights: half-open ranges of the text's code points. A cluster that a range overlaps is highlighted as a
  ///     whole.
  ///   - highlightStyle: the style of those ranges.
  ///   - truncation: how to truncate text that is too long.
  /// - Returns: the number of columns used.
  @discardableResult
  public mutating func put(
    _ text: String, at point: Point, limit: Int, style: Style, highlights: [Range<Int>], highlightStyle: Style,
    truncation: Truncation = .ellipsis
  ) -> Int {
    let limit = min(limit, size.columns - point.column)
    guard limit > 0, point.row >= 0, point.row < size.rows else { return 0 }
    var marks = Highlights(highlights)
    var used = 0
    // The last position where "…" would still fit.
    var ellipsisAt = 0
    var offset = 0
    var endsRightToLeft = false
    var isCut = false

    if highlights.isEmpty, let count = TextWidth.printableASCIICount(text), count <= limit, point.column >= 0 {
      setASCII(text.utf8, at: point, count: count, style: style)
      return count
    }
    for cluster in DisplayClusters(text) {
      let range = offset..<offset + cluster.scalars
      offset = range.upperBound
      if cluster.columns == 0 { continue }
      guard used + cluster.columns <= limit else {
        isCut = true
        break
      }
      draw(
        cluster, row: point.row, column: point.column + used, style: marks.overlaps(range) ? highlightStyle : style)
      used += cluster.columns
      if used < limit { ellipsisAt = used }
      if cluster.isStrong { endsRightToLeft = cluster.isRightToLeft }
    }
    if isCut, truncation == .ellipsis {
      if used > ellipsisAt {
        fill(
          Rect(row: point.row, column: point.column + ellipsisAt, rows: 1, columns: used - ellipsisAt), style: style)
      }
      set(point.row, point.column + ellipsisAt, Cell(text: TextWidth.ellipsis, style: style))
      used = ellipsisAt + 1
    }
    if endsRightToLeft, used > 0 {
      addMark(Canvas.leftToRightMark, row: point.row, column: point.column + used - 1)
    }
    return used
  }

  private mutating func draw(_ cluster: DisplayCluster, row: Int, column: Int, style: Style) {
    if cluster.pieces == 1 {
      setPiece(cluster.text, row: row, column: column, width: cluster.columns, style: style)
      return
    }
    // A base with spacing marks, or a flag, takes one cell per part, because terminals advance the cursor for each
    // part.
    var column = column
    var piece = ""
    var width = 0
    for scalar in cluster.text.unicodeScalars {
      if TextWidth.isSpacing(scalar), !piece.isEmpty {
        setPiece(piece, row: row, column: column, width: width, style: style)
        column += width
        piece = ""
      }
      if piece.isEmpty { width = TextWidth.width(of: scalar) }
      piece.unicodeScalars.append(scalar)
    }
    setPiece(piece, row: row, column: column, width: width, style: style)
  }

  /// Sets a cell to a base with its marks, or to the base alone where a cell takes no marks.
  private mutating func setPiece(_ text: String, row: Int, column: Int, width: Int, style: Style) {
    let shown = isCorner(row, column + width - 1) ? String(text.unicodeScalars.prefix(1)) : text
    set(row, column, Cell(text: shown, width: width, style: style))
  }
}

/// The highlighted ranges, walked along with the text.
private struct Highlights {
  private let ranges: [Range<Int>]
  private var next = 0

  init(_ ranges: [Range<Int>]) {
    self.ranges = ranges.count < 2 ? ranges : ranges.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Returns whether a cluster's code points overlap a range. Must be called with ascending clusters.
  mutating func overlaps(_ cluster: Range<Int>) -> Bool {
    while next < ranges.count, ranges[next].upperBound <= cluster.lowerBound { next += 1 }
    return next < ranges.count && ranges[next].overlaps(cluster)
  }
}

/// Text that is safe to send to a terminal.
public enum DisplayText {
  /// Returns the text as shown on one line.
  ///
  /// Control characters become visible symbols (`␛`); C1 controls, noncharacters, and private-use and unassigned code
  /// points become `�`; tabs and line ends become spaces; bidi controls, zero-width and other invisible characters are
  /// dropped; clusters are reduced to what every terminal shows the same way (see ``TextWidth``). Nothing below U+0020
  /// and nothing in U+007F–U+009F remains. The result is empty if all characters are dropped; a placeholder is up to
  /// the caller.
  public static func clean(_ text: String) -> String {
    if TextWidth.printableASCIICount(text) != nil { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for character in text { result += TextWidth.cluster(character).text }
    return result
  }
}

/// The grapheme clusters of a text as displayed.
///
/// Most texts consist of code points that are clusters of their own, and need no search for boundaries.
struct DisplayClusters: Sequence, IteratorProtocol {
  private var plain: String.UnicodeScalarView.Iterator?
  private var rest: String.Iterator

  init(_ text: String) {
    let isPlain = text.unicodeScalars.allSatisfy { TextWidth.plainColumns(of: $0) != nil }
    plain = isPlain ? text.unicodeScalars.makeIterator() : nil
    rest = text.makeIterator()
  }

  mutating func next() -> DisplayCluster? {
    if plain == nil {
      guard let character = rest.next() else { return nil }
      return TextWidth.plainScalar(of: character).map(Self.cluster) ?? TextWidth.cluster(character)
    }
    guard let scalar = plain?.next(), let columns = TextWidth.plainColumns(of: scalar) else { return nil }
    return Self.cluster(scalar, columns: columns)
  }

  /// Returns the cluster of a code point that needs no reduction.
  private static func cluster(_ scalar: Unicode.Scalar, columns: Int) -> DisplayCluster {
    DisplayCluster(text: String(scalar), columns: columns, scalars: 1, isStrong: TextWidth.isLetter(scalar))
  }
}

/// A part of a line that is laid out before it is drawn: text at a column, in a style.
///
/// A line is an array of pieces. A screen whose lines have several columns or styles lays out its lines once for the
/// size of its window, and draws the visible ones with ``Canvas/put(_:row:)``.
public struct TextPiece: Hashable, Sendable {
  /// The column of the canvas at which the text begins, from 0.
  public var column: Int
  /// The maximum number of columns; longer text ends in an ellipsis.
  public var columns: Int
  /// The text, sanitized with ``DisplayText/clean(_:)`` when it is drawn.
  public var text: String
  /// The style of the text.
  public var style: Style

  /// Creates a piece of a line.
  public init(column: Int, columns: Int, text: String, style: Style) {
    self.column = column
    self.columns = columns
    self.text = text
    self.style = style
  }
}

extension Canvas {
  /// Draws the pieces of a line; where they overlap, the later one is seen.
  public mutating func put(_ pieces: [TextPiece], row: Int) {
    for piece in pieces {
      put(piece.text, at: Point(row: row, column: piece.column), limit: piece.columns, style: piece.style)
    }
  }
}
