import Glibc
import Synchronization

/// A picture of pixels for terminals that can show one (``Terminal/imageCell``), and in how many cells.
///
/// Making one encodes it for its way, so it may be made on any thread. Two are equal when one is a copy of the other.
public struct TerminalImage: Hashable, Sendable {
  /// Lines that it takes.
  public let rows: Int
  /// Columns that it takes.
  public let columns: Int
  /// The PNG in base64.
  let payload: [UInt8]
  private let serial: Int

  /// The most lines or columns of one.
  public static let largestSide = ImagePlaceholder.limit

  /// An image of so many cells; the terminal fits it in and keeps its shape. Nil for no bytes or a side outside
  /// 1…``largestSide``.
  public init?(png: [UInt8], columns: Int, rows: Int) {
    let sides = 1...Self.largestSide
    guard !png.isEmpty, sides.contains(columns), sides.contains(rows) else { return nil }
    self.rows = rows
    self.columns = columns
    payload = Base64.encoded(png)
    serial = Self.count.add(1, ordering: .relaxed).newValue
  }

  /// The same picture, which is compared by its number and not by its bytes.
  public static func == (one: TerminalImage, other: TerminalImage) -> Bool { one.serial == other.serial }

  /// By its number.
  public func hash(into hasher: inout Hasher) { hasher.combine(serial) }

  // MARK: Its number in the terminal

  private static let count = Atomic<Int>(0)
  /// Several programs may draw in one terminal, as in the panes of tmux, and numbers are the terminal's.
  private static let firstHighByte = Int(getpid()) % 255
  /// Colors of the palette that have the same number in every terminal and are never the person's own.
  private static let colors = 16...255

  /// The lowest byte of its number: the color of its placeholders.
  var color: UInt8 { UInt8(Self.colors.lowerBound + serial % Self.colors.count) }
  /// The highest byte of its number. It and the color come again after 61 200 other pictures.
  var highByte: Int { 1 + (Self.firstHighByte + serial / Self.colors.count) % 255 }
  /// Its number in the terminal.
  var identifier: Int { highByte << 24 | Int(color) }
}

extension Canvas {
  /// Draws an image's lines, from its line `first` on, at the rectangle's top left corner and no further than the rectangle.
  ///
  /// Its cells are cells like others: what is drawn over them later hides that part of the image, and lines that move take
  /// it with them. Where the image is clear, the background shows.
  public mutating func put(_ image: TerminalImage, from first: Int = 0, in rect: Rect, background: Color = .standard) {
    let style = Style(foreground: .palette(image.color), background: background)
    var isDrawn = false
    for row in max(0, first)..<max(0, first, min(image.rows, first + rect.rows)) {
      for column in 0..<max(0, min(image.columns, rect.columns)) {
        let place = Point(row: rect.row + row - first, column: rect.column + column)
        guard isInside(place.row, place.column) else { continue }
        let text = ImagePlaceholder.text(row: row, column: column, highByte: image.highByte)
        set(place.row, place.column, Cell(text: text, style: style))
        isDrawn = true
      }
    }
    if isDrawn, !images.contains(image) { images.append(image) }
  }

  /// Forgets which images were drawn, for a canvas that began as a copy of another, before their area is redrawn.
  public mutating func forgetImages() { images = [] }
}
