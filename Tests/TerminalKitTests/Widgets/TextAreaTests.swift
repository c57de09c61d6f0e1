import Testing

@testable import TerminalKit

@Suite struct TextAreaTests {
  private func drawn(_ area: TextArea, rows: Int, columns: Int) -> Canvas {
    var canvas = Canvas(size: Size(rows: rows, columns: columns))
    area.draw(on: &canvas, in: Rect(canvas.size), style: .plain, focused: true)
    return canvas
  }

  @Test func wrapsAndShowsTheCursor() {
    var area = TextArea("one two three\n李小龙")
    area.columns = 9
    #expect(drawn(area, rows: 4, columns: 9).plainText() == "one two\nthree\n李小龙\n")
    #expect(drawn(area, rows: 4, columns: 9).cursor == Point(row: 2, column: 6))
    area.moveCursor(to: 4)
    #expect(drawn(area, rows: 4, columns: 9).cursor == Point(row: 0, column: 4))
    #expect(area.lineCount(columns: 9, atMost: 8) == 3)
  }

  @Test func upAndDownKeepTheColumn() {
    var area = TextArea("abcdef\nx\n李小龙龙")
    area.columns = 20
    area.moveCursor(to: 5)
    var steps: [Bool] = []
    var cursors: [Int] = []
    for key in [Key(.down), Key(.down), Key(.down), Key(.up), Key(.up), Key(.up)] {
      steps.append(area.handle(key))
      cursors.append(area.cursor)
    }
    #expect(steps == [true, true, false, true, true, false])
    #expect(cursors == [8, 11, 11, 8, 4, 4])
  }

  @Test func homeAndEndMoveInTheWrappedLine() {
    var area = TextArea("one two three")
    area.columns = 9
    _ = area.handle(Key(.home))
    #expect(area.cursor == 8)
    _ = area.handle(Key(.up))
    _ = area.handle(Key(.end))
    #expect(area.cursor == 7)
    _ = area.handle(Key(.home, .control))
    #expect(area.cursor == 0)
  }

  @Test func enterAndKill() {
    var area = TextArea("ab")
    area.moveCursor(to: 1)
    _ = area.handle(Key(.enter))
    #expect(area.text == "a\nb")
    _ = area.handle(Key(.up))
    _ = area.handle(.control("e"))
    _ = area.handle(.control("k"))
    #expect(area.text == "ab")
    _ = area.handle(.control("y"))
    #expect(area.text == "a\nb")
    area.insert("\r\nx\ry\u{2028}z\u{1B}")
    #expect(area.text == "a\n\nx\ny\nzb")
  }

  @Test func scrollsToTheCursor() {
    var area = TextArea((0..<20).map { "line \($0)" }.joined(separator: "\n"))
    let bottom = drawn(area, rows: 4, columns: 20)
    let lines = bottom.plainText().split(separator: "\n").map { $0.prefix(7) }
    #expect(lines == ["line 16", "line 17", "line 18", "line 19"])
    area.moveCursor(to: 0)
    #expect(drawn(area, rows: 4, columns: 20).plainText().hasPrefix("line 0  "))
  }

  @Test func aClickPutsTheCursorUnderThePointer() {
    let size = Size(rows: 3, columns: 9)
    for (row, column, cursor) in [(0, 2, 2), (0, 99, 7), (1, 0, 8), (2, 2, 15), (2, 3, 15), (2, 99, 17), (9, 0, 14)] {
      var area = TextArea("one two three\n李小龙")
      area.moveCursor(to: 0)
      area.moveCursor(toRow: row, column: column, in: size)
      #expect(area.cursor == cursor, "\(row), \(column)")
    }
    var long = TextArea("a\nb\nc\nd\ne")
    // The end is shown: c, d, e.
    long.moveCursor(toRow: 0, column: 0, in: size)
    #expect(long.cursor == 4)
  }
}
