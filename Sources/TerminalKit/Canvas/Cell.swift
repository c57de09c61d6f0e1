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
