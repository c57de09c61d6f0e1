import Foundation
import ReferenceTerminals
import SeededRandom
import Testing

@testable import TerminalKit

/// Images by sixel and iTerm2's protocol on the real terminal, as the emulator understands them.
@MainActor @Suite(.serialized, .enabled(if: getenv("STY") == nil && getenv("TMUX") == nil, "inside tmux or screen"))
struct OverlaidImageTests {
  private let size = Size(rows: 10, columns: 44)
  private let cell = PixelSize(width: 10, height: 20)

  private func terminal(
    _ pseudo: PseudoTerminal, _ imageProtocol: ImageProtocol, type: String = "xterm-256color", color: Bool = true
  ) throws -> NcursesTerminal {
    try NcursesTerminal(
      device: try TerminalDevice(input: pseudo.slave, output: pseudo.slave), type: type, signalDescriptor: -1,
      options: NcursesTerminal.Options(color: color, images: .always(imageProtocol), links: .always))
  }

  private func image(_ imageProtocol: ImageProtocol, columns: Int, rows: Int, number: Int) throws -> TerminalImage {
    let sixels = "\u{1B}P0;1;0q\"1;1;\(10 * columns);\(20 * rows / 6 * 6)#\(number)~\u{1B}\\"
    return try #require(
      imageProtocol == .sixel
        ? TerminalImage(sixel: Array(sixels.utf8), columns: columns, rows: rows)
        : TerminalImage(png: [UInt8(number & 255), UInt8(number >> 8)], columns: columns, rows: rows))
  }

  /// Returns the cells that do not show their part of an image in the rectangle, and those outside that show any.
  private func wrongImages(_ emulator: ScreenEmulator, _ rect: Rect?) -> [String] {
    var wrong: [String] = []
    var seen: Set<String> = []
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let part = emulator.image(row, column)
        if let part { seen.insert(part.data) }
        let isInside = rect?.contains(Point(row: row, column: column)) ?? false
        let origin = part.map { Point(row: row - $0.row, column: column - $0.column) }
        if origin != (isInside ? rect.map { Point(row: $0.row, column: $0.column) } : nil) {
          wrong.append("\(row):\(column) shows \(part as ImagePart?)")
        }
      }
    }
    if seen.count > 1 { wrong.append("parts of \(seen.count) images") }
    return wrong
  }

  @Test(arguments: [ImageProtocol.sixel, .iterm], [("xterm-256color", 256), ("xterm", 8)])
  func randomFramesNeverLeaveWrongPixels(imageProtocol: ImageProtocol, type: (name: String, colors: Int)) throws {
    var random = SeededGenerator(seed: UInt64(type.colors + (imageProtocol == .sixel ? 1 : 0)))
    let pseudo = try PseudoTerminal(size, cell: cell)
    let terminal = try terminal(pseudo, imageProtocol, type: type.name)
    #expect(terminal.imageCell == cell && terminal.imageProtocol == imageProtocol)
    var emulator = ScreenEmulator(size: size, cell: cell)
    var shown: (image: TerminalImage, rect: Rect)?
    var list = 0
    for frame in 0..<3000 {
      // A list that scrolls, an image beside it, text right of the image, and sometimes something over it.
      if Int.random(in: 0..<3, using: &random) == 0 { list += Int.random(in: -2...2, using: &random) }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: shown = nil
      case 1...3:
        let rows = Int.random(in: 1...6, using: &random)
        let columns = Int.random(in: 1...20, using: &random)
        let row = Int.random(in: 0...size.rows - rows, using: &random)
        let column = Int.random(in: 0...size.columns - columns, using: &random)
        let image = try image(imageProtocol, columns: columns, rows: rows, number: frame)
        shown = (image, Rect(row: row, column: column, rows: rows, columns: columns))
      default: break
      }
      let background = Bool.random(using: &random) ? Color.palette(235) : .standard
      var canvas = Canvas(size: size, style: Style(background: background))
      let words = ["one", "two", "three", "", "", "five is longer", "six"]
      for row in 0..<size.rows {
        let word = words[((list + row) % words.count + words.count) % words.count]
        canvas.put(word, at: Point(row: row, column: 0), limit: 12, style: Style(background: background))
      }
      if Bool.random(using: &random) {
        canvas.put(
          "right", at: Point(row: Int.random(in: 0..<size.rows, using: &random), column: 37), limit: 7, style: .plain)
      }
      if let shown { canvas.put(shown.image, in: shown.rect, background: background) }
      var visible = shown?.rect
      if Int.random(in: 0..<4, using: &random) == 0 {
        let cover = Rect(
          row: Int.random(in: 0..<8, using: &random), column: Int.random(in: 0..<40, using: &random), rows: 2,
          columns: 4)
        canvas.fill(cover, style: .plain, character: Bool.random(using: &random) ? "#" : " ")
        if let rect = shown?.rect, rect.row < cover.endRow, cover.row < rect.endRow, rect.column < cover.endColumn,
          cover.column < rect.endColumn
        {
          visible = nil
        }
      }
      if Bool.random(using: &random) {
        canvas.cursor = Point(
          row: Int.random(in: 0..<size.rows, using: &random), column: Int.random(in: 0..<size.columns, using: &random))
      }
      if Int.random(in: 0..<60, using: &random) == 0 { terminal.invalidate() }
      terminal.present(canvas)
      let bytes = pseudo.output()
      emulator.feed(bytes)
      let wrong = wrongImages(emulator, visible)
      #expect(wrong == [], "frame \(frame): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
      #expect(emulator.unknown == [], "frame \(frame): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
      if let cursor = canvas.cursor { #expect(emulator.cursor == cursor, "frame \(frame)") }
      for row in 0..<size.rows {
        for column in 0..<size.columns where visible?.contains(Point(row: row, column: column)) != true {
          let isHidden = canvas[row, column].text.unicodeScalars.first == "\u{10EEEE}"
          let cellText = isHidden ? " " : canvas[row, column].text
          if emulator.rows[row][column] != cellText { Issue.record("frame \(frame): text at \(row):\(column)") }
        }
      }
      guard wrong.isEmpty, emulator.unknown.isEmpty else { return }
    }
    #expect((500..<2500).contains(emulator.images))
    terminal.leave()
    emulator.feed(pseudo.output())
    #expect(wrongImages(emulator, nil) == [])
  }

  @Test func keysBesideAnImageDoNotSendItAgain() throws {
    let pseudo = try PseudoTerminal(size, cell: cell)
    let terminal = try terminal(pseudo, .sixel)
    let image = try image(.sixel, columns: 8, rows: 4, number: 1)
    func frame(selected: Int) -> Canvas {
      var canvas = Canvas(size: size)
      for row in 0..<size.rows {
        let style = row == selected ? Style(attributes: .reverse) : .plain
        canvas.put("contact \(row)", at: Point(row: row, column: 0), limit: 12, style: style)
      }
      canvas.put(image, in: Rect(row: 0, column: 20, rows: 4, columns: 8))
      return canvas
    }
    terminal.present(frame(selected: 0))
    let first = String(decoding: pseudo.output(), as: UTF8.self)
    #expect(first.ranges(of: "\u{1B}Pq").isEmpty && first.ranges(of: "\u{1B}P0;1;0q").count == 1)
    #expect(first.ranges(of: "\u{1B}[?2026h").count == 1 && first.hasSuffix("\u{1B}[?2026l"))
    for selected in 1..<4 {
      terminal.present(frame(selected: selected))
      let bytes = String(decoding: pseudo.output(), as: UTF8.self)
      #expect(!bytes.contains("\u{1B}P") && bytes.utf8.count < 120, "\(bytes.debugDescription)")
    }
    pseudo.resize(Size(rows: 9, columns: 40), cell: cell)
    _ = terminal.updateSize()
    terminal.present(frame(selected: 4))
    #expect(String(decoding: pseudo.output(), as: UTF8.self).contains("\u{1B}P0;1;0q"))
    terminal.leave()
    _ = pseudo.output()
    terminal.enter()
    terminal.present(frame(selected: 4))
    #expect(String(decoding: pseudo.output(), as: UTF8.self).contains("\u{1B}P0;1;0q"))
  }

  @Test func smallerCellsHideAnImageThatWasMadeForLargerOnes() throws {
    let pseudo = try PseudoTerminal(size, cell: cell)
    let terminal = try terminal(pseudo, .sixel)
    var canvas = Canvas(size: size)
    canvas.put(
      try image(.sixel, columns: 8, rows: 4, number: 1), in: Rect(row: 0, column: 20, rows: 4, columns: 8))
    pseudo.resize(size, cell: PixelSize(width: 8, height: 16))
    _ = terminal.updateSize()
    #expect(terminal.imageCell == PixelSize(width: 8, height: 16))
    terminal.present(canvas)
    #expect(!String(decoding: pseudo.output(), as: UTF8.self).contains("\u{1B}P"))
  }

  @Test func sixelsNeedColorsAndASizeInPixels() throws {
    let unknown = try PseudoTerminal(size)
    #expect(try terminal(unknown, .sixel).imageCell == nil)
    #expect(try terminal(unknown, .iterm).imageCell == PixelSize(width: 10, height: 20))
    let known = try PseudoTerminal(size, cell: cell)
    #expect(try terminal(known, .sixel, color: false).imageCell == nil)
    #expect(try terminal(known, .iterm, color: false).imageCell == nil)
  }
}
