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

/// The background color of an initial: one of twelve, the same for a contact on every machine and in every session.
struct InitialColor: Hashable {
  /// The 24-bit color; white text on it has a contrast of at least 4.5 (WCAG 2.1, 1.4.3).
  let rgb: (UInt8, UInt8, UInt8)
  /// A similar color of the palette, also with a contrast of at least 4.5.
  let palette256: UInt8
  /// The entry among the 16 colors.
  let palette16: UInt8

  static let all: [InitialColor] = [
    InitialColor(rgb: (0xC6, 0x28, 0x28), palette256: 124, palette16: 1),
    InitialColor(rgb: (0xAD, 0x14, 0x57), palette256: 125, palette16: 5),
    InitialColor(rgb: (0x6A, 0x1B, 0x9A), palette256: 91, palette16: 5),
    InitialColor(rgb: (0x39, 0x49, 0xAB), palette256: 61, palette16: 4),
    InitialColor(rgb: (0x15, 0x65, 0xC0), palette256: 25, palette16: 4),
    InitialColor(rgb: (0x01, 0x57, 0x9B), palette256: 24, palette16: 6),
    InitialColor(rgb: (0x00, 0x60, 0x64), palette256: 23, palette16: 6),
    InitialColor(rgb: (0x00, 0x69, 0x5C), palette256: 29, palette16: 2),
    InitialColor(rgb: (0x2E, 0x7D, 0x32), palette256: 28, palette16: 2),
    InitialColor(rgb: (0xBF, 0x36, 0x0C), palette256: 130, palette16: 3),
    InitialColor(rgb: (0x6D, 0x4C, 0x41), palette256: 94, palette16: 3),
    InitialColor(rgb: (0x45, 0x5A, 0x64), palette256: 59, palette16: 1),
  ]

  /// Returns the color of a contact by its UID (64-bit FNV-1a with the last step of MurmurHash3; without it the hashes
  /// of similar UIDs differ in few bits).
  static func of(uid: String) -> InitialColor {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in uid.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return all[Int((hash >> 32) % UInt64(all.count))]
  }

  func background(_ colors: CellColors) -> CellColor {
    switch colors {
    case .trueColor: .rgb(rgb.0, rgb.1, rgb.2)
    case .palette256: .palette(palette256)
    case .palette16: .palette(palette16)
    case .monochrome: .standard
    }
  }

  func text(_ colors: CellColors) -> CellColor {
    switch colors {
    case .trueColor: .rgb(255, 255, 255)
    case .palette256: .palette(231)
    // Yellow, green and cyan are bright in most terminals: black is readable on them.
    case .palette16: .palette([2, 3, 6].contains(palette16) ? 0 : 15)
    case .monochrome: .standard
    }
  }

  static func == (one: InitialColor, other: InitialColor) -> Bool { one.palette256 == other.palette256 }
  func hash(into hasher: inout Hasher) { hasher.combine(palette256) }
}

/// A drawing of an image with only the terminal's two colors: gray becomes black and white by error diffusion (Floyd
/// and Steinberg 1976) at the resolution of the symbols. chafa dithers at a finer resolution than its symbols and loses
/// the pattern.
enum MonochromeDrawing {
  /// Returns the cells of an image; nil for symbols that are not a grid of dots.
  static func draw(
    _ image: RasterImage, columns: Int, rows: Int, symbols: CellSymbols, isLightBackground: Bool
  ) -> CellPicture? {
    let dots: (across: Int, down: Int)
    switch symbols {
    case .halves: dots = (1, 2)
    case .quadrants: dots = (2, 2)
    case .sextants: dots = (2, 3)
    case .ascii: return nil
    }
    let width = columns * dots.across
    let height = rows * dots.down
    let lit = diffuse(
      luminance(image.scaled(toWidth: width, height: height), isLightBackground: isLightBackground), width: width)
    var picture = CellPicture(rows: rows, columns: columns)
    for row in 0..<rows {
      for column in 0..<columns {
        var bits = 0
        for dot in 0..<dots.across * dots.down {
          let index = (row * dots.down + dot / dots.across) * width + column * dots.across + dot % dots.across
          // On a light terminal the characters are the dark part.
          if lit[index] != isLightBackground { bits |= 1 << dot }
        }
        picture[row, column].text = symbol(bits, symbols)
      }
    }
    return picture
  }

  /// Returns the brightness 0…255 on the terminal's background, stretched to the full range if the image has some
  /// contrast.
  private static func luminance(_ image: RasterImage, isLightBackground: Bool) -> [Int] {
    var gray: [Int] = []
    gray.reserveCapacity(image.width * image.height)
    for offset in stride(from: 0, to: image.rgba.count, by: 4) {
      // Rec. 601, in thousandths.
      let light =
        (299 * Int(image.rgba[offset]) + 587 * Int(image.rgba[offset + 1]) + 114 * Int(image.rgba[offset + 2])) / 1000
      let alpha = Int(image.rgba[offset + 3])
      gray.append((light * alpha + (isLightBackground ? 255 : 0) * (255 - alpha)) / 255)
    }
    guard let low = gray.min(), let high = gray.max(), high - low >= 32 else { return gray }
    return gray.map { ($0 - low) * 255 / (high - low) }
  }

  private static func diffuse(_ gray: [Int], width: Int) -> [Bool] {
    var gray = gray
    var lit = [Bool](repeating: false, count: gray.count)
    for index in gray.indices {
      lit[index] = gray[index] >= 128
      let error = gray[index] - (lit[index] ? 255 : 0)
      let column = index % width
      func spread(_ offset: Int, _ part: Int) {
        if index + offset < gray.count { gray[index + offset] += error * part / 16 }
      }
      if column < width - 1 { spread(1, 7) }
      if column > 0 { spread(width - 1, 3) }
      spread(width, 5)
      if column < width - 1 { spread(width + 1, 1) }
    }
    return lit
  }

  private static func symbol(_ bits: Int, _ symbols: CellSymbols) -> String {
    switch symbols {
    case .halves: BlockSymbols.quarters[(bits & 1) * 3 + (bits >> 1) * 12]
    case .quadrants: BlockSymbols.quarters[bits]
    case .sextants, .ascii: BlockSymbols.sixths(bits)
    }
  }
}

/// Block characters by the parts of the cell that they fill: bit 0 is the upper left, then to the right and down.
enum BlockSymbols {
  static let quarters = [" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"]

  /// Returns the character for these sixths. U+1FB00…1FB3B omit the combinations that already had characters: empty,
  /// the left and right half, full.
  static func sixths(_ bits: Int) -> String {
    switch bits {
    case 0: return " "
    case 0b010101: return "▌"
    case 0b101010: return "▐"
    case 0b111111: return "█"
    default:
      let index = bits - 1 - (bits > 0b010101 ? 1 : 0) - (bits > 0b101010 ? 1 : 0)
      guard let scalar = Unicode.Scalar(UInt32(0x1FB00 + index)) else { return " " }
      return String(Character(scalar))
    }
  }
}
