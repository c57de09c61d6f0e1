import Glibc

@testable import TerminalKit

/// How a cell of a terminal looks, as far as anybody can see it.
struct CellLook: Hashable, CustomStringConvertible {
  /// A colour, or one of the terminal's own two.
  enum Color: Hashable { case ownForeground, ownBackground, palette(Int), rgb(Int, Int, Int) }

  private(set) var foreground: Color
  private(set) var background: Color
  private(set) var attributes: Style.Attributes

  /// Of a blank nobody sees the foreground, or whether it is bold.
  init(foreground: Color, background: Color, attributes: Style.Attributes, isBlank: Bool) {
    let isReversed = attributes.contains(.reverse)
    self.foreground = isReversed ? background : foreground
    self.background = isReversed ? foreground : background
    self.attributes = attributes.subtracting(.reverse)
    if isBlank, !attributes.contains(.underline) {
      self.foreground = .ownForeground
      self.attributes = []
    }
  }

  var description: String { "\(foreground) on \(background), \(attributes.rawValue)" }
}

/// Enough of an xterm to say what is on its screen after the bytes that ncurses sends. How wide a character is, it asks the C
/// library, and not the code that is tested.
struct ScreenEmulator {
  private struct Pen: Equatable {
    var foreground = CellLook.Color.ownForeground
    var background = CellLook.Color.ownBackground
    var attributes: Style.Attributes = []
  }

  /// The C library's, which the Swift module of it lacks.
  private static let wcwidth: @convention(c) (Int32) -> Int32 = unsafeBitCast(
    dlsym(nil, "wcwidth"), to: (@convention(c) (Int32) -> Int32).self)

  private(set) var rows: [[String]]
  private var pens: [[Pen]]
  private var pen = Pen()
  /// In the last column both before and after a character was put there.
  private(set) var cursor = Point(row: 0, column: 0)
  /// DEC modes that are on.
  private(set) var modes: Set<Int> = []
  /// Sequences that it does not know: a test must see none.
  private(set) var unknown: [String] = []
  private let size: Size
  private var top = 0
  private var bottom: Int
  private var last = " "
  private var isWrapPending = false

  init(size: Size) {
    self.size = size
    bottom = size.rows - 1
    rows = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
    pens = Array(repeating: Array(repeating: Pen(), count: size.columns), count: size.rows)
    // What is wide is a matter of the locale.
    setlocale(LC_CTYPE, "C.UTF-8")
  }

  /// How a cell looks.
  func look(_ row: Int, _ column: Int) -> CellLook {
    let pen = pens[row][column]
    return CellLook(
      foreground: pen.foreground, background: pen.background, attributes: pen.attributes,
      isBlank: rows[row][column] == " ")
  }

  /// The lines without blanks at their ends; the second half of a wide cluster is empty.
  var text: String {
    rows.map { row in
      var line = row.joined()
      line.unicodeScalars.removeAll { $0 == "\u{200E}" }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }

  mutating func feed(_ bytes: [UInt8]) {
    let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      let isControl = scalar.value < 0x20
      // A change of colour keeps the pending wrap; nothing here depends on it after any other control.
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
      while index < scalars.count, scalars[index] != "\u{7}" { index += 1 }
      return index + 1
    case "(": return index + 2
    case "M":
      if cursor.row == top { scroll(-1) } else { cursor.row = max(0, cursor.row - 1) }
    case "=", ">": break
    default: unknown.append("ESC \(scalars[index])")
    }
    return index + 1
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
    case "h", "l", "t": break
    case "H": cursor = Point(row: row(count), column: column(numbers.count > 1 ? numbers[1] : 1))
    case "G": cursor.column = column(count)
    case "d": cursor.row = row(count)
    case "A": cursor.row = max(0, cursor.row - count)
    case "B": cursor.row = min(size.rows - 1, cursor.row + count)
    case "C": cursor.column = min(size.columns - 1, cursor.column + count)
    case "D": cursor.column = max(0, cursor.column - count)
    case "I": for _ in 0..<count { cursor.column = min(size.columns - 1, (cursor.column / 8 + 1) * 8) }
    case "Z": for _ in 0..<count { cursor.column = max(0, (cursor.column - 1) / 8 * 8) }
    case "r":
      top = row(count)
      bottom = numbers.count > 1 ? row(numbers[1]) : size.rows - 1
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
      }
    case "X": blank(cursor.row, cursor.column..<min(size.columns, cursor.column + count))
    case "L", "M":
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

  /// What is erased takes the background of the pen.
  private var blankPen: Pen { Pen(background: pen.background) }

  private mutating func draw(with numbers: [Int]) {
    var rest = numbers.isEmpty ? [0][...] : numbers[...]
    func color() -> CellLook.Color? {
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
      case 0: pen = Pen()
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

  private mutating func unknownColor(_ numbers: [Int]) -> CellLook.Color {
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
    let width = max(1, Int(Self.wcwidth(Int32(bitPattern: scalar.value))))
    if isWrapPending || cursor.column + width > size.columns {
      isWrapPending = false
      cursor.column = 0
      lineFeed()
    }
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

  private mutating func lineFeed() {
    if cursor.row == bottom { scroll(1) } else { cursor.row = min(size.rows - 1, cursor.row + 1) }
  }

  private mutating func scroll(_ count: Int) {
    let empty = Array(repeating: " ", count: size.columns)
    let emptyPens = Array(repeating: blankPen, count: size.columns)
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
    for column in columns where column < size.columns {
      rows[row][column] = " "
      pens[row][column] = blankPen
    }
  }
}

extension ScreenEmulator {
  /// The cells that do not look as they were drawn, on a terminal of 256 colours.
  func wrongLooks(_ canvas: Canvas) -> [String] {
    func color(_ color: Color, own: CellLook.Color) -> CellLook.Color {
      let number = Int(ColorReduction.number(color, colors: 256))
      return number < 0 ? own : .palette(number)
    }
    var wrong: [String] = []
    for row in 0..<canvas.size.rows {
      for column in 0..<canvas.size.columns {
        let style = canvas[row, column].style
        let wanted = CellLook(
          foreground: color(style.foreground, own: .ownForeground),
          background: color(style.background, own: .ownBackground), attributes: style.attributes,
          isBlank: rows[row][column] == " ")
        let found = look(row, column)
        if found != wanted { wrong.append("\(row):\(column) is \(found) instead of \(wanted)") }
      }
    }
    return wrong
  }
}
