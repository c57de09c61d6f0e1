import SystemCalls

/// The bytes of kitty's graphics protocol (https://sw.kovidgoyal.net/kitty/graphics-protocol/). All commands suppress
/// replies (`q=2`), which the program could not easily tell from keys.
public struct KittySequence: Hashable, Sendable {
  /// The multiplexer between the program and the terminal.
  public enum Wrapping: Hashable, Sendable {
    /// No multiplexer.
    case none
    /// tmux, which passes the bytes on if `allow-passthrough` is on.
    case tmux
  }

  private let wrapping: Wrapping

  /// Creates sequences for a terminal behind that multiplexer.
  public init(wrapping: Wrapping = .none) { self.wrapping = wrapping }

  /// The maximum number of base64 bytes in one sequence, set by the protocol.
  static let chunkSize = 4096

  /// Returns the bytes that send an image, which is only shown at its placeholders (`U=1`); empty for an image in
  /// sixels.
  public func transmission(of image: TerminalImage) -> [UInt8] {
    guard !image.payload.isEmpty else { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(image.payload.count + image.payload.count / Self.chunkSize * 16 + 64)
    var start = 0
    repeat {
      let end = min(start + Self.chunkSize, image.payload.count)
      let isLast = end == image.payload.count
      let control =
        start == 0
        ? "a=T,U=1,C=1,q=2,f=100,i=\(image.identifier),c=\(image.columns),r=\(image.rows),m=\(isLast ? 0 : 1)"
        : "m=\(isLast ? 0 : 1),q=2"
      bytes += sequence(control, image.payload[start..<end])
      start = end
    } while start < image.payload.count
    return bytes
  }

  /// Returns the bytes that delete an image and its data. Deleting all (`d=A`) would not delete images shown by
  /// placeholders.
  public func deletion(of image: TerminalImage) -> [UInt8] { sequence("a=d,d=I,q=2,i=\(image.identifier)", []) }

  private func sequence(_ control: String, _ payload: ArraySlice<UInt8>) -> [UInt8] {
    let content = Array("_G\(control)".utf8) + (payload.isEmpty ? [] : [UInt8(ascii: ";")] + payload)
    switch wrapping {
    case .none: return [0x1B] + content + Array("\u{1B}\\".utf8)
    // tmux passes on the contents of such a sequence, with each Esc doubled, if `allow-passthrough` is on.
    case .tmux: return Array("\u{1B}Ptmux;\u{1B}\u{1B}".utf8) + content + Array("\u{1B}\u{1B}\\\u{1B}\\".utf8)
    }
  }
}

/// The installation of the running kitty. Its version is read from the Python sources, which distributions install, so
/// the terminal need not be queried.
enum KittyInstallation {
  /// Returns false if the sources in that folder (`KITTY_INSTALLATION_DIR`) are older than 0.28: such versions show
  /// placeholders as boxes. Returns true if there are no sources, because installations without them update themselves,
  /// or if they contain no version.
  static func showsPlaceholders(folder: String) -> Bool {
    guard let source = beginning(of: folder + "/kitty/constants.py"), let version = version(in: source) else {
      return true
    }
    return version >= (0, 28)
  }

  /// Returns the version assigned in the source (`version: Version = Version(0, 26, 5)`); nil if there is none.
  static func version(in source: String) -> (Int, Int)? {
    for rest in source.split(separator: "Version(").dropFirst() {
      let numbers = rest.prefix { $0 != ")" }.split(separator: ",").prefix(2).map { Int($0.filter { $0 != " " }) }
      if numbers.count == 2, let major = numbers[0], let minor = numbers[1] { return (major, minor) }
    }
    return nil
  }

  private static func beginning(of path: String) -> String? {
    ReadableFile(path).map { String(decoding: $0.bytes(upTo: 16_384), as: UTF8.self) }
  }
}

/// The text of a cell that shows part of an image: kitty's Unicode placeholders
/// (https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders).
///
/// A private-use character with a mark for the row, one for the column and one for the highest byte of the image's
/// number; the lowest byte is the color of the text, from the 256-color palette. Only
/// ``Canvas/put(_:from:in:background:)`` writes it: text is sanitized on its way to a canvas and can never contain the
/// character.
enum ImagePlaceholder {
  static let base: Unicode.Scalar = "\u{10EEEE}"

  /// The number of values that a mark can encode: the limit of rows, columns and highest bytes.
  static let limit = marks.count

  /// Returns the text of one cell. Numbers outside `0..<limit` give a space.
  static func text(row: Int, column: Int, highByte: Int) -> String {
    var text = String.UnicodeScalarView([base])
    for number in [row, column, highByte] {
      guard marks.indices.contains(number), let mark = Unicode.Scalar(marks[number]) else { return " " }
      text.append(mark)
    }
    return String(text)
  }

  /// Returns the numbers in the text of a cell: the inverse of ``text(row:column:highByte:)``; nil for other text.
  static func part(in cell: Cell) -> (row: Int, column: Int, highByte: Int)? {
    guard cell.base == base.value else { return nil }
    // No array: this is called for each cell of an image in each frame.
    var numbers = (-1, -1, -1)
    var index = 0
    cell.forEachScalar { scalar in
      let number = index == 0 ? nil : numbersOfMarks[scalar.value]
      switch index {
      case 1: numbers.0 = number ?? -1
      case 2: numbers.1 = number ?? -1
      case 3: numbers.2 = number ?? -1
      default: break
      }
      index += 1
    }
    return min(numbers.0, numbers.1, numbers.2) < 0 ? nil : (numbers.0, numbers.1, numbers.2)
  }

  private static let numbersOfMarks = Dictionary(
    uniqueKeysWithValues: marks.enumerated().map { ($0.element, $0.offset) })

  /// The marks for 0, 1, 2 …: the nonspacing marks of class 230 in Unicode 6.0, without those that can be part of a
  /// composed letter (kitty's `rowcolumn-diacritics.txt`).
  static let marks: [UInt32] = [
    0x0305, 0x030D, 0x030E, 0x0310, 0x0312, 0x033D, 0x033E, 0x033F, 0x0346, 0x034A, 0x034B, 0x034C, 0x0350,
    0x0351, 0x0352, 0x0357, 0x035B, 0x0363, 0x0364, 0x0365, 0x0366, 0x0367, 0x0368, 0x0369, 0x036A, 0x036B,
    0x036C, 0x036D, 0x036E, 0x036F, 0x0483, 0x0484, 0x0485, 0x0486, 0x0487, 0x0592, 0x0593, 0x0594, 0x0595,
    0x0597, 0x0598, 0x0599, 0x059C, 0x059D, 0x059E, 0x059F, 0x05A0, 0x05A1, 0x05A8, 0x05A9, 0x05AB, 0x05AC,
    0x05AF, 0x05C4, 0x0610, 0x0611, 0x0612, 0x0613, 0x0614, 0x0615, 0x0616, 0x0617, 0x0657, 0x0658, 0x0659,
    0x065A, 0x065B, 0x065D, 0x065E, 0x06D6, 0x06D7, 0x06D8, 0x06D9, 0x06DA, 0x06DB, 0x06DC, 0x06DF, 0x06E0,
    0x06E1, 0x06E2, 0x06E4, 0x06E7, 0x06E8, 0x06EB, 0x06EC, 0x0730, 0x0732, 0x0733, 0x0735, 0x0736, 0x073A,
    0x073D, 0x073F, 0x0740, 0x0741, 0x0743, 0x0745, 0x0747, 0x0749, 0x074A, 0x07EB, 0x07EC, 0x07ED, 0x07EE,
    0x07EF, 0x07F0, 0x07F1, 0x07F3, 0x0816, 0x0817, 0x0818, 0x0819, 0x081B, 0x081C, 0x081D, 0x081E, 0x081F,
    0x0820, 0x0821, 0x0822, 0x0823, 0x0825, 0x0826, 0x0827, 0x0829, 0x082A, 0x082B, 0x082C, 0x082D, 0x0951,
    0x0953, 0x0954, 0x0F82, 0x0F83, 0x0F86, 0x0F87, 0x135D, 0x135E, 0x135F, 0x17DD, 0x193A, 0x1A17, 0x1A75,
    0x1A76, 0x1A77, 0x1A78, 0x1A79, 0x1A7A, 0x1A7B, 0x1A7C, 0x1B6B, 0x1B6D, 0x1B6E, 0x1B6F, 0x1B70, 0x1B71,
    0x1B72, 0x1B73, 0x1CD0, 0x1CD1, 0x1CD2, 0x1CDA, 0x1CDB, 0x1CE0, 0x1DC0, 0x1DC1, 0x1DC3, 0x1DC4, 0x1DC5,
    0x1DC6, 0x1DC7, 0x1DC8, 0x1DC9, 0x1DCB, 0x1DCC, 0x1DD1, 0x1DD2, 0x1DD3, 0x1DD4, 0x1DD5, 0x1DD6, 0x1DD7,
    0x1DD8, 0x1DD9, 0x1DDA, 0x1DDB, 0x1DDC, 0x1DDD, 0x1DDE, 0x1DDF, 0x1DE0, 0x1DE1, 0x1DE2, 0x1DE3, 0x1DE4,
    0x1DE5, 0x1DE6, 0x1DFE, 0x20D0, 0x20D1, 0x20D4, 0x20D5, 0x20D6, 0x20D7, 0x20DB, 0x20DC, 0x20E1, 0x20E7,
    0x20E9, 0x20F0, 0x2CEF, 0x2CF0, 0x2CF1, 0x2DE0, 0x2DE1, 0x2DE2, 0x2DE3, 0x2DE4, 0x2DE5, 0x2DE6, 0x2DE7,
    0x2DE8, 0x2DE9, 0x2DEA, 0x2DEB, 0x2DEC, 0x2DED, 0x2DEE, 0x2DEF, 0x2DF0, 0x2DF1, 0x2DF2, 0x2DF3, 0x2DF4,
    0x2DF5, 0x2DF6, 0x2DF7, 0x2DF8, 0x2DF9, 0x2DFA, 0x2DFB, 0x2DFC, 0x2DFD, 0x2DFE, 0x2DFF, 0xA66F, 0xA67C,
    0xA67D, 0xA6F0, 0xA6F1, 0xA8E0, 0xA8E1, 0xA8E2, 0xA8E3, 0xA8E4, 0xA8E5, 0xA8E6, 0xA8E7, 0xA8E8, 0xA8E9,
    0xA8EA, 0xA8EB, 0xA8EC, 0xA8ED, 0xA8EE, 0xA8EF, 0xA8F0, 0xA8F1, 0xAAB0, 0xAAB2, 0xAAB3, 0xAAB7, 0xAAB8,
    0xAABE, 0xAABF, 0xAAC1, 0xFE20, 0xFE21, 0xFE22, 0xFE23, 0xFE24, 0xFE25, 0xFE26, 0x10A0F, 0x10A38, 0x1D185,
    0x1D186, 0x1D187, 0x1D188, 0x1D189, 0x1D1AA, 0x1D1AB, 0x1D1AC, 0x1D1AD, 0x1D242, 0x1D243, 0x1D244,
  ]
}

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
