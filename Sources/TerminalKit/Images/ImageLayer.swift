/// The images that are drawn over the cells in terminals that show sixels or use iTerm2's protocol. For implementations
/// of ``Terminal`` that show images; those with kitty's protocol need only an ``ImageStore``.
///
/// For each frame, call ``begin(_:limit:cell:)``, write the canvas that it returns, and then write
/// ``bytes(on:before:rewritesColors:)``.
///
/// The pixels of such an image belong to no cell, so the library that writes the cells (ncurses) neither knows of them
/// nor restores them. Therefore:
/// - The image's cells become no-break spaces in a style that differs from image to image. They look blank, but ncurses
///   neither erases them with other blanks nor writes them to move the cursor, as it does with spaces. When an image
///   goes away, moves or is replaced, the cells differ, so they are written again, and a terminal removes the pixels
///   below new text.
/// - After the frame has been written, an image is sent if it is new at its position, or if its cells may have been
///   written.
/// - An image is only shown if all its cells are. If it is partly covered or scrolled off, its cells are blank.
///
/// The terminal must not move lines while it has images; see ``isInUse``.
public struct ImageLayer: Sendable {
  /// An image and its position.
  struct Placement: Hashable, Sendable {
    let image: TerminalImage
    /// Its top left corner.
    let origin: Point

    var rows: Range<Int> { origin.row..<origin.row + image.rows }
    var columns: Range<Int> { origin.column..<origin.column + image.columns }
  }

  private let imageProtocol: ImageProtocol
  /// The images in the terminal.
  private var placed: [Placement] = []
  /// The images of the frame that is being shown.
  private var requested: [Placement] = []

  /// Creates a layer for a terminal without images yet.
  public init(_ imageProtocol: ImageProtocol) { self.imageProtocol = imageProtocol }

  /// True if the terminal has images or is about to get some.
  public var isInUse: Bool { !placed.isEmpty || !requested.isEmpty }

  /// Starts a frame.
  /// - Parameters:
  ///   - frame: what the program has drawn.
  ///   - limit: the size of the terminal.
  ///   - cell: the size of a cell. A sixel image that is larger than its cells is not shown: it could scroll the
  ///     screen.
  /// - Returns: the frame with blank cells for the images.
  public mutating func begin(_ frame: Canvas, limit: Size, cell: PixelSize) -> Canvas {
    requested = []
    guard !frame.images.isEmpty else { return frame }
    var parts: [(point: Point, placement: Placement?)] = []
    var counts: [Placement: Int] = [:]
    for row in 0..<frame.size.rows {
      for (column, drawn) in frame.cells(ofLine: row).enumerated() where drawn.base == ImagePlaceholder.base.value {
        let point = Point(row: row, column: column)
        let placement = Self.placement(of: drawn, at: point, among: frame.images)
        parts.append((point, placement))
        if let placement { counts[placement, default: 0] += 1 }
      }
    }
    let whole = Set(
      counts.keys.filter { placement in
        counts[placement] == placement.image.rows * placement.image.columns
          && placement.rows.upperBound <= limit.rows && placement.columns.upperBound <= limit.columns
          && canShow(placement.image, cell: cell)
      })
    var canvas = frame
    for (point, placement) in parts {
      let background = frame[point.row, point.column].style.background
      let image = placement.flatMap { whole.contains($0) ? $0.image : nil }
      let blank = image.map { Self.blank(of: $0, background) } ?? Cell(style: Style(background: background))
      canvas.set(point.row, point.column, blank)
    }
    requested = whole.sorted { ($0.origin.row, $0.origin.column) < ($1.origin.row, $1.origin.column) }
    return canvas
  }

  /// Returns the bytes that draw images over a frame after it has been written; empty if the terminal has them all.
  /// - Parameters:
  ///   - canvas: what ``begin(_:limit:cell:)`` returned.
  ///   - before: the canvas that had been written before; nil if this one is written as a whole.
  ///   - rewritesColors: true if cells with 24-bit colors may be written again in any line that changes or moves.
  public mutating func bytes(on canvas: Canvas, before: Canvas?, rewritesColors: Bool = false) -> [UInt8] {
    defer { placed = requested }
    var bytes: [UInt8] = []
    for placement in requested {
      guard
        !placed.contains(placement)
          || Self.isWritten(placement, canvas, before: before, rewritesColors: rewritesColors)
      else { continue }
      bytes += Array("\u{1B}[\(placement.origin.row + 1);\(placement.origin.column + 1)H".utf8)
      bytes += data(of: placement.image)
    }
    return bytes
  }

  /// Returns the bytes that remove all images, for use if leaving the screen does not. The layer has no images
  /// afterwards.
  public mutating func removeAll() -> [UInt8] {
    defer { reset() }
    return placed.flatMap { placement in
      placement.rows.flatMap { row in
        Array("\u{1B}[\(row + 1);\(placement.origin.column + 1)H\u{1B}[\(placement.image.columns)X".utf8)
      }
    }
  }

  /// Drops the record of images. Must be called before the terminal is cleared.
  public mutating func reset() {
    placed = []
    requested = []
  }

  // MARK: Cells

  /// Returns a cell of an image: distinct for each of eight consecutive images, even without colors.
  private static func blank(of image: TerminalImage, _ background: Color) -> Cell {
    var attributes: Style.Attributes = []
    if image.color & 1 != 0 { attributes.insert(.bold) }
    if image.color & 2 != 0 { attributes.insert(.dim) }
    if image.color & 4 != 0 { attributes.insert(.italic) }
    return Cell(
      "\u{A0}", style: Style(foreground: .palette(image.color), background: background, attributes: attributes))
  }

  private static func placement(of cell: Cell, at point: Point, among images: [TerminalImage]) -> Placement? {
    guard case .palette(let color) = cell.style.foreground, let part = ImagePlaceholder.part(in: cell),
      let image = images.first(where: { $0.color == color && $0.highByte == part.highByte }),
      part.row < image.rows, part.column < image.columns, part.row <= point.row, part.column <= point.column
    else { return nil }
    return Placement(image: image, origin: Point(row: point.row - part.row, column: point.column - part.column))
  }

  private static func isWritten(
    _ placement: Placement, _ canvas: Canvas, before: Canvas?, rewritesColors: Bool
  ) -> Bool {
    guard let before, before.size == canvas.size else { return true }
    let isRecolored =
      rewritesColors
      && placement.rows.contains { row in
        canvas.cells(ofLine: row)[placement.columns].contains {
          if case .rgb = $0.style.background { true } else { false }
        }
      }
    if isRecolored { return canvas != before }
    return placement.rows.contains { row in
      let changed = canvas.changedColumns(ofLine: row, since: before, limit: canvas.size.columns)
      // Where cells on both sides changed, ncurses may write those in between too.
      if changed.isEmpty || changed.overlaps(placement.columns) { return !changed.isEmpty }
      // If it erases the line up to the image (el1), it rewrites the image's first cell.
      return changed.upperBound <= placement.columns.lowerBound
        && NcursesScreen.areBlank(canvas.cells(ofLine: row)[..<placement.columns.lowerBound])
    }
  }

  // MARK: Data

  private func canShow(_ image: TerminalImage, cell: PixelSize) -> Bool {
    switch imageProtocol {
    case .kitty: return false
    case .iterm: return !image.payload.isEmpty
    case .sixel:
      guard let sixel = image.sixel else { return false }
      return sixel.width <= image.columns * cell.width && sixel.height <= image.rows * cell.height
    }
  }

  private func data(of image: TerminalImage) -> [UInt8] {
    switch imageProtocol {
    case .kitty: return []
    case .sixel: return image.sixel?.bytes ?? []
    case .iterm:
      // WezTerm leaves the cursor where it is if asked to; iTerm2 ignores that and moves it within the image's lines.
      let arguments = [
        "inline=1", "size=\(image.byteCount)", "width=\(image.columns)", "height=\(image.rows)",
        "preserveAspectRatio=1", "doNotMoveCursor=1",
      ]
      return Array("\u{1B}]1337;File=\(arguments.joined(separator: ";")):".utf8) + image.payload + [0x07]
    }
  }
}
