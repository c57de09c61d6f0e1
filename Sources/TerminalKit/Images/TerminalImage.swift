import Glibc
import Synchronization

/// A pixel image for terminals that can show one (``Terminal/imageCell``), and its size in cells.
///
/// Creating one encodes it for transmission, and can be done on any thread. ``Terminal/imageProtocol`` says whether the
/// terminal wants a PNG or sixels. Two images are equal if one is a copy of the other.
public struct TerminalImage: Hashable, Sendable {
  /// The number of lines.
  public let rows: Int
  /// The number of columns.
  public let columns: Int
  /// The PNG in base64; empty for an image in sixels.
  let payload: [UInt8]
  /// The number of bytes of the PNG.
  let byteCount: Int
  /// The image in sixels; nil for a PNG.
  let sixel: SixelData?
  private let serial: Int

  /// The maximum number of lines or columns.
  public static let largestSide = ImagePlaceholder.limit

  /// Creates an image of that size in cells; the terminal scales it to fit and keeps its aspect ratio. Nil if there are
  /// no bytes or a side is outside 1…``largestSide``. It is blank on terminals that show sixels.
  public init?(png: [UInt8], columns: Int, rows: Int) {
    guard !png.isEmpty else { return nil }
    self.init(payload: Base64.encoded(png), byteCount: png.count, sixel: nil, columns: columns, rows: rows)
  }

  /// Creates an image for terminals with ``ImageProtocol/sixel``; it is blank on others.
  ///
  /// Nil if a side is outside 1…``largestSide``, or if the bytes are not one complete sixel image with square pixels
  /// (raster attributes `"1;1;width;height`) from its `Esc P` to its `Esc \`. It is only shown while it fits in that
  /// many cells of the current size (``Terminal/imageCell``).
  public init?(sixel: [UInt8], columns: Int, rows: Int) {
    guard let sixel = SixelData(sixel) else { return nil }
    self.init(payload: [], byteCount: 0, sixel: sixel, columns: columns, rows: rows)
  }

  private init?(payload: [UInt8], byteCount: Int, sixel: SixelData?, columns: Int, rows: Int) {
    let sides = 1...Self.largestSide
    guard sides.contains(columns), sides.contains(rows) else { return nil }
    self.rows = rows
    self.columns = columns
    self.payload = payload
    self.byteCount = byteCount
    self.sixel = sixel
    serial = Self.count.add(1, ordering: .relaxed).newValue
  }

  /// Compares serial numbers, not bytes.
  public static func == (one: TerminalImage, other: TerminalImage) -> Bool { one.serial == other.serial }

  /// Hashes the serial number.
  public func hash(into hasher: inout Hasher) { hasher.combine(serial) }

  // MARK: The number in the terminal

  private static let count = Atomic<Int>(0)
  /// Image numbers are shared by all programs in a terminal, such as those in the panes of tmux, so a process starts at
  /// a number that depends on its id.
  private static let firstHighByte = Int(getpid()) % 255
  /// The palette colors that are the same in every terminal and that users rarely redefine.
  private static let colors = 16...255

  /// The lowest byte of its number, which is the color of its placeholders.
  var color: UInt8 { UInt8(Self.colors.lowerBound + serial % Self.colors.count) }
  /// The highest byte of its number. The combination with the color repeats after 61,200 images.
  var highByte: Int { 1 + (Self.firstHighByte + serial / Self.colors.count) % 255 }
  var identifier: Int { highByte << 24 | Int(color) }
}

/// How images are sent to a terminal.
public enum ImageProtocol: Hashable, Sendable {
  /// kitty's graphics protocol with Unicode placeholders: images are part of the text and move with it.
  case kitty
  /// Sixel graphics (DEC STD 070), for images made with ``TerminalImage/init(sixel:columns:rows:)``.
  case sixel
  /// iTerm2's inline images (OSC 1337; https://iterm2.com/documentation-images.html).
  case iterm
}

extension Canvas {
  /// Draws an image's lines, starting with line `first`, at the rectangle's top left corner, clipped to the rectangle.
  ///
  /// Its cells behave like any others: drawing over them later hides that part of the image, and lines that move take
  /// it with them. Where the image is transparent, the background shows. Terminals with a protocol other than
  /// ``ImageProtocol/kitty`` only show an image while all its cells are visible.
  public mutating func put(_ image: TerminalImage, from first: Int = 0, in rect: Rect, background: Color = .standard) {
    let style = Style(foreground: .palette(image.color), background: background)
    var isDrawn = false
    for row in max(0, first)..<max(0, first, min(image.rows, first + rect.rows)) {
      for column in 0..<max(0, min(image.columns, rect.columns)) {
        let point = Point(row: rect.row + row - first, column: rect.column + column)
        guard isInside(point.row, point.column) else { continue }
        let text = ImagePlaceholder.text(row: row, column: column, highByte: image.highByte)
        set(point.row, point.column, Cell(text: text, style: style))
        isDrawn = true
      }
    }
    if isDrawn, !images.contains(image) { images.append(image) }
  }

  /// Clears the list of drawn images, for a canvas copied from another whose image area will be redrawn.
  public mutating func removeImages() { images = [] }
}
