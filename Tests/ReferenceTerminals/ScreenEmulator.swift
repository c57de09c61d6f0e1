import Glibc
import TerminalKit

/// Emulates enough of an xterm to know its screen after the bytes that ncurses sends. It measures characters with the C
/// library, not with the code under test.
public struct ScreenEmulator {
  private struct Pen: Equatable {
    var foreground = CellStyle.Color.ownForeground
    var background = CellStyle.Color.ownBackground
    var attributes: Style.Attributes = []
    /// The link of the last OSC 8. Unlike attributes, it is not ended by SGR 0.
    var link: Link?
    /// The image over the cell, until something is written there.
    var image: ImagePart?
  }

  /// A link that was sent to the terminal.
  public struct Link: Hashable {
    /// The address.
    public var address: String
    /// Identifies the parts of one link; empty if missing.
    public var id: String

    /// A link to an address.
    public init(address: String, id: String) {
      self.address = address
      self.id = id
    }
  }

  /// The C library's function, which Swift's Glibc module lacks.
  private static let wcwidth: @convention(c) (Int32) -> Int32 = unsafeBitCast(
    dlsym(nil, "wcwidth"), to: (@convention(c) (Int32) -> Int32).self)

  /// The clusters of each line; the second half of a wide one is empty.
  public private(set) var rows: [[String]]
  private var pens: [[Pen]]
  private var pen = Pen()
  /// The cursor; it stays in the last column after a character was written there.
  public private(set) var cursor = Point(row: 0, column: 0)
  /// The DEC modes that are on.
  public private(set) var modes: Set<Int> = []
  /// The number of the cursor's shape (DECSCUSR); 0 for the user's own.
  public private(set) var cursorShape = 0
  /// What the emulator cannot show as every terminal would, such as an unknown sequence or an image that does not fit.
  /// Tests expect none.
  public private(set) var unknown: [String] = []
  /// The number of images so far, repeated ones included.
  public private(set) var images = 0
  /// Returns true for characters that take two columns here, although the C library says one.
  public var isWidened: (Unicode.Scalar) -> Bool = { _ in false }
  private let size: Size
  /// The size of a cell in pixels.
  private let cell: PixelSize
  private var top = 0
  private var bottom: Int
  private var last = " "
  private var saved = (cursor: Point(row: 0, column: 0), pen: Pen())
  private var isWrapPending = false

  /// Makes an empty screen.
  public init(size: Size, cell: PixelSize = PixelSize(width: 10, height: 20)) {
    self.size = size
    self.cell = cell
    bottom = size.rows - 1
    rows = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
    pens = Array(repeating: Array(repeating: Pen(), count: size.columns), count: size.rows)
    // The width of characters depends on the locale.
    setlocale(LC_CTYPE, "C.UTF-8")
  }

  /// Returns the style of a cell.
  public func style(_ row: Int, _ column: Int) -> CellStyle {
    let pen = pens[row][column]
    return CellStyle(
      foreground: pen.foreground, background: pen.background, attributes: pen.attributes,
      isBlank: rows[row][column] == " ")
  }

  /// Returns the link that a cell is part of.
  public func link(_ row: Int, _ column: Int) -> Link? { pens[row][column].link }

  /// Returns the part of an image that a cell shows.
  public func image(_ row: Int, _ column: Int) -> ImagePart? { pens[row][column].image }

  /// Shows an image (sixels, OSC 1337) at the cursor. Where the cursor is afterwards depends on the terminal.
  mutating func show(_ image: SentImage) {
    images += 1
    if cursor.row + image.rows > size.rows || cursor.column + image.columns > size.columns {
      unknown.append("an image of \(image.rows) × \(image.columns) cells at \(cursor)")
    }
    for row in 0..<image.rows where cursor.row + row < size.rows {
      for column in 0..<image.columns where cursor.column + column < size.columns {
        pens[cursor.row + row][cursor.column + column].image = ImagePart(
          data: image.data, row: row, column: column)
      }
    }
    cursor = Point(row: min(size.rows - 1, cursor.row + image.rows), column: 0)
  }

  /// The number of columns before the end of what was last written in this line.
  var columnsBeforeCursor: Int { cursor.column + (isWrapPending ? 1 : 0) }

  /// The lines without trailing blanks and left-to-right marks.
  public var text: String {
    rows.map { row in
      var line = row.joined()
      line.unicodeScalars.removeAll { $0 == "\u{200E}" }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }

  /// Processes a program's output.
  public mutating func feed(_ bytes: [UInt8]) {
    let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      let isControl = scalar.value < 0x20
      // Escape sequences are treated where they are parsed: SGR, for example, keeps a pending wrap.
      if isControl, scalar != "\u{1B}" { isWrapPending = false }
      switch scalar {
      case "\u{1B}": index = escape(scalars, index)
      case "\r": cursor.column = 0
      case "\n": lineFeed()
      case "\u{8}": cursor.column = max(0, cursor.column - 1)
      case "\t": cursor.column = min(size.columns - 1, (cursor.column / 8 + 1) * 8)
      case "\u{7}": break
      default: put(scalar)
      }
    }
  }

  private mutating func escape(_ scalars: [Unicode.Scalar], _ start: Int) -> Int {
    var index = start
    guard index < scalars.count else { return index }
    switch scalars[index] {
    case "[":
      index += 1
      var parameters = ""
      while index < scalars.count, scalars[index].value < 0x40 {
        parameters.unicodeScalars.append(scalars[index])
        index += 1
      }
      guard index < scalars.count else { return index }
      control(parameters, scalars[index])
      return index + 1
    case "]":
      var command = String.UnicodeScalarView()
      index += 1
      while index < scalars.count, scalars[index] != "\u{7}", scalars[index] != "\u{1B}" {
        command.append(scalars[index])
        index += 1
      }
      if index < scalars.count, scalars[index] == "\u{1B}" { index += 1 }
      guard index < scalars.count, "\u{7}\\".unicodeScalars.contains(scalars[index]) else {
        unknown.append("OSC \(String(command)) without its end")
        return index
      }
      operate(String(command))
      return index + 1
    case "P":
      let end = scalars[index...].firstIndex(of: "\u{1B}") ?? scalars.count
      var data = String.UnicodeScalarView()
      data.append(contentsOf: scalars[(index + 1)..<end])
      if let image = SentImage(sixels: String(data), cell: cell) { show(image) } else { unknown.append("DCS") }
      if !scalars[end...].starts(with: "\u{1B}\\".unicodeScalars) { unknown.append("DCS without its end") }
      return min(scalars.count, end + 2)
    case "(": return index + 2
    case "M":
      if cursor.row == top { scroll(-1) } else { cursor.row = max(0, cursor.row - 1) }
    case "7": saved = (cursor, pen)
    case "8": (cursor, pen) = saved
    case "=", ">": break
    default: unknown.append("ESC \(scalars[index])")
    }
    return index + 1
  }

  private mutating func operate(_ command: String) {
    if command.hasPrefix("1337;") {
      if let image = SentImage(inline: command) { show(image) } else { unknown.append("OSC 1337") }
      return
    }
    let parts = command.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "8" else { return }
    let id = parts[1].split(separator: ":").first { $0.hasPrefix("id=") }?.dropFirst(3) ?? ""
    pen.link = parts[2].isEmpty ? nil : Link(address: String(parts[2]), id: String(id))
  }

  private mutating func control(_ parameters: String, _ final: Unicode.Scalar) {
    if parameters.hasPrefix("?") {
      for mode in parameters.dropFirst().split(separator: ";").compactMap({ Int($0) }) {
        if final == "h" { modes.insert(mode) } else { modes.remove(mode) }
      }
      return
    }
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let count = max(1, numbers.first ?? 1)
    func column(_ number: Int) -> Int { min(max(0, number - 1), size.columns - 1) }
    func row(_ number: Int) -> Int { min(max(0, number - 1), size.rows - 1) }
    if final != "m" { isWrapPending = false }
    switch final {
    case "m": draw(with: numbers)
    case "q" where parameters.hasSuffix(" "): cursorShape = Int(parameters.dropLast()) ?? 0
    case "h", "l", "t": break
    case "H": cursor = Point(row: row(count), column: column(numbers.count > 1 ? numbers[1] : 1))
    case "G": cursor.column = column(count)
    case "d": cursor.row = row(count)
    // Not past a margin, unless it starts outside.
    case "A": cursor.row = max(cursor.row >= top ? top : 0, cursor.row - count)
    case "B": cursor.row = min(cursor.row <= bottom ? bottom : size.rows - 1, cursor.row + count)
    case "C": cursor.column = min(size.columns - 1, cursor.column + count)
    case "D": cursor.column = max(0, cursor.column - count)
    case "I": for _ in 0..<count { cursor.column = min(size.columns - 1, (cursor.column / 8 + 1) * 8) }
    case "Z": for _ in 0..<count { cursor.column = max(0, (cursor.column - 1) / 8 * 8) }
    case "r":
      let last = numbers.count > 1 && numbers[1] > 0 ? row(numbers[1]) : size.rows - 1
      guard row(count) < last else { return }
      (top, bottom) = (row(count), last)
      cursor = Point(row: 0, column: 0)
    case "J":
      if numbers.first == 2 {
        for row in rows.indices { blank(row, 0..<size.columns) }
      } else if (numbers.first ?? 0) == 0 {
        blank(cursor.row, cursor.column..<size.columns)
        for row in cursor.row + 1..<max(size.rows, cursor.row + 1) where row < size.rows {
          blank(row, 0..<size.columns)
        }
      } else {
        unknown.append("CSI \(parameters)J")
      }
    case "K":
      if (numbers.first ?? 0) == 0 {
        blank(cursor.row, cursor.column..<size.columns)
      } else if numbers.first == 1 {
        blank(cursor.row, 0..<cursor.column + 1)
      } else {
        unknown.append("CSI \(parameters)K")
      }
    case "X": blank(cursor.row, cursor.column..<min(size.columns, cursor.column + count))
    case "L", "M":
      guard (top...bottom).contains(cursor.row) else { return }
      let saved = top
      top = cursor.row
      scroll(final == "M" ? count : -count)
      top = saved
    case "S": scroll(count)
    case "T": scroll(-count)
    case "P":
      let gone = cursor.column..<min(size.columns, cursor.column + count)
      rows[cursor.row].removeSubrange(gone)
      pens[cursor.row].removeSubrange(gone)
      while rows[cursor.row].count < size.columns {
        rows[cursor.row].append(" ")
        pens[cursor.row].append(blankPen)
      }
    case "@":
      let count = min(count, size.columns - cursor.column)
      rows[cursor.row].insert(contentsOf: Array(repeating: " ", count: count), at: cursor.column)
      rows[cursor.row].removeLast(rows[cursor.row].count - size.columns)
      pens[cursor.row].insert(contentsOf: Array(repeating: blankPen, count: count), at: cursor.column)
      pens[cursor.row].removeLast(pens[cursor.row].count - size.columns)
    case "b":
      let repeated = last
      for _ in 0..<count { for scalar in repeated.unicodeScalars { put(scalar) } }
    default: unknown.append("CSI \(parameters)\(final)")
    }
  }

  /// Erased cells get the background of the pen.
  private var blankPen: Pen { Pen(background: pen.background) }

  private mutating func draw(with numbers: [Int]) {
    var rest = numbers.isEmpty ? [0][...] : numbers[...]
    func color() -> CellStyle.Color? {
      switch rest.popFirst() {
      case 5: return rest.popFirst().map { .palette($0) }
      case 2:
        guard let red = rest.popFirst(), let green = rest.popFirst(), let blue = rest.popFirst() else { return nil }
        return .rgb(red, green, blue)
      default: return nil
      }
    }
    while let number = rest.popFirst() {
      switch number {
      case 0: pen = Pen(link: pen.link)
      case 1: pen.attributes.insert(.bold)
      case 2: pen.attributes.insert(.dim)
      case 3: pen.attributes.insert(.italic)
      case 4: pen.attributes.insert(.underline)
      case 7: pen.attributes.insert(.reverse)
      case 22: pen.attributes.subtract([.bold, .dim])
      case 23: pen.attributes.remove(.italic)
      case 24: pen.attributes.remove(.underline)
      case 27: pen.attributes.remove(.reverse)
      case 30...37: pen.foreground = .palette(number - 30)
      case 40...47: pen.background = .palette(number - 40)
      case 90...97: pen.foreground = .palette(number - 90 + 8)
      case 100...107: pen.background = .palette(number - 100 + 8)
      case 39: pen.foreground = .ownForeground
      case 49: pen.background = .ownBackground
      case 38: pen.foreground = color() ?? unknownColor(numbers)
      case 48: pen.background = color() ?? unknownColor(numbers)
      default: unknown.append("SGR \(numbers)")
      }
    }
  }

  private mutating func unknownColor(_ numbers: [Int]) -> CellStyle.Color {
    unknown.append("SGR \(numbers)")
    return .ownForeground
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let gc = scalar.properties.generalCategory
    if gc == .nonspacingMark || gc == .format {
      var column = isWrapPending ? cursor.column : cursor.column - 1
      if column > 0, rows[cursor.row][column].isEmpty { column -= 1 }
      if column >= 0 { rows[cursor.row][column].unicodeScalars.append(scalar) }
      return
    }
    let width = isWidened(scalar) ? 2 : max(1, Int(Self.wcwidth(Int32(bitPattern: scalar.value))))
    if isWrapPending || cursor.column + width > size.columns {
      isWrapPending = false
      cursor.column = 0
      lineFeed()
    }
    blankOtherHalves(of: cursor.column..<cursor.column + width)
    rows[cursor.row][cursor.column] = String(Character(scalar))
    pens[cursor.row][cursor.column] = pen
    if width == 2 {
      rows[cursor.row][cursor.column + 1] = ""
      pens[cursor.row][cursor.column + 1] = pen
    }
    last = String(Character(scalar))
    isWrapPending = cursor.column + width >= size.columns
    cursor.column = min(size.columns - 1, cursor.column + width)
  }

  /// Blanks the other half of a wide character that is partly overwritten.
  private mutating func blankOtherHalves(of columns: Range<Int>) {
    let line = rows[cursor.row]
    if line[columns.lowerBound].isEmpty, columns.lowerBound > 0 { removeHalf(columns.lowerBound - 1) }
    if columns.upperBound < size.columns, line[columns.upperBound].isEmpty { removeHalf(columns.upperBound) }
  }

  private mutating func removeHalf(_ column: Int) {
    rows[cursor.row][column] = " "
    pens[cursor.row][column] = Pen()
  }

  private mutating func lineFeed() {
    if cursor.row == bottom { scroll(1) } else { cursor.row = min(size.rows - 1, cursor.row + 1) }
  }

  private mutating func scroll(_ count: Int) {
    let empty = Array(repeating: " ", count: size.columns)
    let emptyPens = Array(repeating: blankPen, count: size.columns)
    // Some terminals move images with the lines, others do not.
    if pens[top...bottom].contains(where: { $0.contains { $0.image != nil } }) { unknown.append("a scrolled image") }
    for _ in 0..<min(abs(count), bottom - top + 1) {
      if count > 0 {
        rows.remove(at: top)
        rows.insert(empty, at: bottom)
        pens.remove(at: top)
        pens.insert(emptyPens, at: bottom)
      } else {
        rows.remove(at: bottom)
        rows.insert(empty, at: top)
        pens.remove(at: bottom)
        pens.insert(emptyPens, at: top)
      }
    }
  }

  private mutating func blank(_ row: Int, _ columns: Range<Int>) {
    // If half of a wide character is erased, the other half must not count as a half of its new neighbor.
    for column in [columns.lowerBound - 1, columns.upperBound] where rows[row].indices.contains(column) {
      let isHalf = rows[row][max(columns.lowerBound, column)].isEmpty
      if isHalf { rows[row][column] = " " }
    }
    for column in columns where column < size.columns {
      rows[row][column] = " "
      pens[row][column] = blankPen
    }
  }
}
