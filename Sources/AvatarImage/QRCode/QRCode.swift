import CPictures

/// A QR code (ISO/IEC 18004) with the lowest error correction, which holds the most in a small window.
public struct QRCode: Sendable, Hashable {
  /// Why there is no code.
  public enum Failure: Error {
    /// libqrencode is not installed (Debian: `libqrencode4`).
    case missingLibrary
    /// There are no bytes, or more than a code can hold, or the library lacks memory.
    case unencodable
  }

  /// The light modules that a reader needs around a code (ISO/IEC 18004, 6.3.8).
  public static let quietZone = 4

  /// The side of the largest code that a phone reads with ease, with its quiet zone.
  public static let largestSide = side(ofVersion: 25)

  /// The bytes that versions 1 to 25 hold at level L (ISO/IEC 18004, table 7).
  private static let capacities = [
    17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858, 929, 1003, 1091,
    1171, 1273,
  ]

  /// The number of modules in a row, with the quiet zone.
  public let side: Int
  /// The modules row by row; true for a dark one.
  private let modules: [Bool]

  private static func side(ofVersion version: Int) -> Int { 17 + 4 * version + 2 * quietZone }

  /// Returns how many bytes a code of at most `side` modules, with its quiet zone, can hold; 0 if there is no such code.
  public static func capacity(side: Int) -> Int {
    capacities.indices.last { Self.side(ofVersion: $0 + 1) <= side }.map { capacities[$0] } ?? 0
  }

  /// Encodes bytes in the smallest version that can hold them.
  public init(_ bytes: [UInt8]) throws(Failure) {
    var dark = [UInt8](repeating: 0, count: CQRENCODE_MOST * CQRENCODE_MOST)
    var width: Int32 = 0
    switch cqrencode_encode(bytes, Int32(bytes.count), &dark, &width) {
    case CQRENCODE_DONE: break
    case CQRENCODE_NO_LIBRARY: throw .missingLibrary
    default: throw .unencodable
    }
    let (inner, side) = (Int(width), Int(width) + 2 * Self.quietZone)
    var modules = [Bool](repeating: false, count: side * side)
    for index in 0..<inner * inner where dark[index] == 1 {
      modules[(index / inner + Self.quietZone) * side + index % inner + Self.quietZone] = true
    }
    (self.side, self.modules) = (side, modules)
  }

  /// Returns the code as cells, black on white: two modules in each, or a module in two where half blocks cannot be used.
  /// - Parameter colors: the colors that may be used; in monochrome, only black modules are drawn.
  public func picture(_ colors: CellColors = .trueColor, inHalfBlocks: Bool = true) -> CellPicture {
    let (black, white): (CellColor, CellColor) =
      switch colors {
      case .trueColor: (.rgb(0, 0, 0), .rgb(255, 255, 255))
      // The user may have redefined the first 16.
      case .palette256: (.palette(16), .palette(231))
      case .palette16: (.palette(0), .palette(15))
      case .monochrome: (.standard, .standard)
      }
    var picture = CellPicture(rows: inHalfBlocks ? (side + 1) / 2 : side, columns: inHalfBlocks ? side : 2 * side)
    for row in 0..<picture.rows {
      for column in 0..<picture.columns {
        guard inHalfBlocks else {
          picture[row, column] = .init(foreground: black, background: isDark(row, column / 2) ? black : white)
          continue
        }
        let text =
          switch (isDark(2 * row, column), isDark(2 * row + 1, column)) {
          case (true, true): "█"
          case (true, false): "▀"
          case (false, true): "▄"
          case (false, false): " "
          }
        picture[row, column] = .init(text, foreground: black, background: white)
      }
    }
    return picture
  }

  private func isDark(_ row: Int, _ column: Int) -> Bool { row < side && modules[row * side + column] }
}
