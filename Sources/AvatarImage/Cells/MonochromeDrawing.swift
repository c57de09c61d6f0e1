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
