/// A placeholder for a missing photo: the name's initial on a colored disc. Needs no library.
public struct InitialPicture: Sendable, Hashable {
  /// The character; nil shows only the disc.
  public var initial: Character?
  /// Columns that the character takes, 1 or 2: a Han character takes 2.
  public var initialWidth: Int
  /// The contact's UID, from which the color is derived.
  public var uid: String

  /// Creates a placeholder; the caller knows how wide its terminal draws the character.
  public init(initial: Character?, initialWidth: Int, uid: String) {
    self.initial = initial
    self.initialWidth = min(max(1, initialWidth), 2)
    self.uid = uid
  }

  /// Returns the first letter or number of a name, in upper case, with its marks; nil if there is none.
  public static func initial(of name: String) -> Character? {
    guard let first = name.first(where: { $0.isLetter || $0.isNumber }) else { return nil }
    return first.uppercased().first
  }

  /// Draws the placeholder in that many cells, at most 1000 in each direction. In ASCII, the disc consists of `#`.
  public func render(columns: Int, rows: Int, colors: CellColors, symbols: CellSymbols = .quadrants) -> CellPicture {
    var picture = CellPicture(rows: min(rows, 1000), columns: min(columns, 1000))
    guard picture.rows > 0, picture.columns > 0 else { return picture }
    let color = InitialColor.of(uid: uid)
    for row in 0..<picture.rows {
      for column in 0..<picture.columns {
        picture[row, column] = circleCell(row, column, of: picture, symbols, color.background(colors))
      }
    }
    if let initial { place(initial, on: &picture, color, colors) }
    return picture
  }

  /// Returns one cell of the disc: the quarters whose center is inside the ellipse that fills the image.
  private func circleCell(
    _ row: Int, _ column: Int, of picture: CellPicture, _ symbols: CellSymbols, _ color: CellColor
  ) -> CellPicture.Cell {
    // Twice the distances from the center in quarter cells, each multiplied by the other side: all numbers are
    // integers.
    let width = 4 * picture.columns
    let height = 4 * picture.rows
    func isInside(_ horizontal: Int, _ vertical: Int) -> Bool {
      let x = (2 * (4 * column + horizontal) - width) * height
      let y = (2 * (4 * row + vertical) - height) * width
      return x * x + y * y <= width * width * height * height
    }
    // Quadrants have their centers at 1 and 3 quarters; halves and ASCII are tested in the middle of the cell's width.
    var quarters = 0
    if symbols == .quadrants || symbols == .sextants {
      quarters =
        (isInside(1, 1) ? 1 : 0) | (isInside(3, 1) ? 2 : 0) | (isInside(1, 3) ? 4 : 0) | (isInside(3, 3) ? 8 : 0)
    } else {
      quarters = (isInside(2, 1) ? 3 : 0) | (isInside(2, 3) ? 12 : 0)
    }
    if symbols == .ascii {
      return quarters == 15 ? CellPicture.Cell("#", foreground: color, background: color) : CellPicture.Cell()
    }
    // A full cell also gets a background, which shows if the font's block leaves a gap.
    if quarters == 15 { return CellPicture.Cell("█", foreground: color, background: color) }
    return CellPicture.Cell(BlockSymbols.quarters[quarters], foreground: quarters == 0 ? .standard : color)
  }

  private func place(
    _ initial: Character, on picture: inout CellPicture, _ color: InitialColor, _ colors: CellColors
  ) {
    guard initialWidth <= picture.columns else { return }
    let row = (picture.rows - 1) / 2
    let column = (picture.columns - initialWidth) / 2
    let background = color.background(colors)
    if colors == .monochrome {
      // Without colors the character is in a hole of the disc.
      let margin = picture.columns >= initialWidth + 4 ? 1 : 0
      for position in column - margin..<column + initialWidth + margin { picture[row, position] = CellPicture.Cell() }
    }
    picture[row, column] = CellPicture.Cell(
      String(initial), foreground: color.text(colors), background: background)
    if initialWidth == 2 {
      picture[row, column + 1] = CellPicture.Cell("", foreground: color.text(colors), background: background)
    }
  }
}
