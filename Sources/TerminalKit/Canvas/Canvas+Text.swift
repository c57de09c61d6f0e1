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
