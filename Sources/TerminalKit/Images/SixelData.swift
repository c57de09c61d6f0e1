/// A sixel image that was checked byte by byte: it contains nothing but a well-formed image, and its size is known.
///
/// The format is that of DEC STD 070 and the VT330/VT340 manual (chapter 14): `Esc P`, parameters, `q`, the shape of a
/// pixel and the size, then colors, repetitions and sixels (a sixel is six pixels in a column), and `Esc \`.
struct SixelData: Sendable {
  /// The bytes to send, without new lines (`-`) and returns (`$`) at the end: a new line could scroll the screen.
  let bytes: [UInt8]
  /// The width in pixels, 1 or more.
  let width: Int
  /// The height in pixels: that of its bands of 6 pixels, or the one that the image declares, whichever is larger.
  let height: Int

  /// The largest number that is accepted. No image or palette needs a larger one, which could overflow here or in a
  /// terminal.
  private static let largestNumber = 65_535

  private static let start = Array("\u{1B}P".utf8)
  private static let end = Array("\u{1B}\\".utf8)
  private static let sixels = UInt8(ascii: "?")...UInt8(ascii: "~")

  /// Checks the bytes; nil for anything but one sixel image with square pixels.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.start), bytes.suffix(Self.end.count).elementsEqual(Self.end) else { return nil }
    var rest = bytes[Self.start.count..<max(Self.start.count, bytes.count - Self.end.count)]
    while let last = rest.last, last == UInt8(ascii: "-") || last == UInt8(ascii: "$") { rest.removeLast() }
    let content = rest
    guard let parameters = Self.numbers(&rest), parameters.count <= 3, rest.popFirst() == UInt8(ascii: "q"),
      rest.popFirst() == UInt8(ascii: "\""), let shape = Self.numbers(&rest), shape.count == 4,
      shape[0] == 1, shape[1] == 1
    else { return nil }
    var (column, widest, bands) = (0, 0, 1)
    while let byte = rest.popFirst() {
      switch byte {
      case Self.sixels: column += 1
      case UInt8(ascii: "!"):
        guard let count = Self.numbers(&rest), count.count == 1, let sixel = rest.popFirst(),
          Self.sixels.contains(sixel)
        else { return nil }
        column += count[0]
      case UInt8(ascii: "#"):
        guard let color = Self.numbers(&rest), color.count == 1 || color.count == 5 else { return nil }
      case UInt8(ascii: "$"): column = 0
      case UInt8(ascii: "-"):
        column = 0
        bands += 1
      default: return nil
      }
      widest = max(widest, column)
      guard widest <= Self.largestNumber else { return nil }
    }
    guard widest > 0 else { return nil }
    self.bytes = Self.start + content + Self.end
    width = max(widest, shape[2])
    height = max(6 * bands, shape[3])
  }

  /// Takes numbers separated by semicolons; a missing one is 0. Nil if one is too large, or if there are more than
  /// five.
  private static func numbers(_ rest: inout ArraySlice<UInt8>) -> [Int]? {
    var numbers = [0]
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let number = numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
        guard number <= largestNumber else { return nil }
        numbers[numbers.count - 1] = number
      case UInt8(ascii: ";"):
        guard numbers.count < 5 else { return nil }
        numbers.append(0)
      default: return numbers
      }
      rest.removeFirst()
    }
    return numbers
  }
}
