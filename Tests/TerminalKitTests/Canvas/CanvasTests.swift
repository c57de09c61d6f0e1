import SeededRandom
import Testing

@testable import TerminalKit

@Suite struct CanvasTests {
  private func drawn(_ text: String, limit: Int, truncation: Truncation = .ellipsis) -> (Canvas, Int) {
    var canvas = Canvas(size: Size(rows: 1, columns: 20))
    let used = canvas.put(
      text, at: Point(row: 0, column: 0), limit: limit, style: .plain, truncation: truncation)
    return (canvas, used)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef", 6), ("abcdef", 5, "abcd…", 5), ("李小龙", 6, "李小龙", 6), ("李小龙", 5, "李小…", 5),
    ("李小龙", 4, "李…", 3),
    ("李小龙", 2, "…", 1), ("abc", 1, "…", 1), ("abc", 0, "", 0), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…", 2),
    ("ab🇨🇳", 3, "ab…", 3),
    ("क्षि", 2, "…", 1),
  ])
  func ellipsis(text: String, limit: Int, expected: String, columns: Int) {
    let (canvas, used) = drawn(text, limit: limit)
    #expect(canvas.plainText() == expected)
    #expect(used == columns)
  }

  @Test func cutWithoutEllipsis() {
    #expect(drawn("李小龙", limit: 5, truncation: .cut).0.plainText() == "李小")
  }

  @Test func highlightsCodePoints() {
    var canvas = Canvas(size: Size(rows: 1, columns: 20))
    let light = Style(attributes: .bold)
    canvas.put(
      "e\u{301}李x", at: Point(row: 0, column: 0), limit: 20, style: .plain, highlights: [2..<3, 1..<2],
      highlightStyle: light)
    #expect((0..<4).map { canvas[0, $0].style == light } == [true, true, true, false])
  }

  @Test func overwritingHalfOfAWideClusterBlanksTheOther() {
    var canvas = Canvas(size: Size(rows: 1, columns: 4))
    canvas.put("李小", at: Point(row: 0, column: 0), limit: 4, style: .plain)
    canvas.put("x", at: Point(row: 0, column: 1), limit: 1, style: .plain)
    #expect(canvas.plainText() == " x小")
    canvas.fill(Rect(row: 0, column: 3, rows: 1, columns: 1), style: .plain, character: "|")
    #expect(canvas.plainText() == " x |")
  }

  @Test func aWideClusterNeverCrossesTheEdge() {
    var canvas = Canvas(size: Size(rows: 1, columns: 3))
    canvas.put("李小", at: Point(row: 0, column: 0), limit: 4, style: .plain)
    #expect(canvas.plainText() == "李…")
    canvas.put("龙", at: Point(row: 0, column: 2), limit: 4, style: .plain)
    #expect(canvas[0, 2].text == "…")
  }

  @Test func drawingOutsideDoesNothing() {
    var canvas = Canvas(size: Size(rows: 2, columns: 4))
    let empty = canvas
    canvas.put("x", at: Point(row: 2, column: 0), limit: 4, style: .plain)
    canvas.put("x", at: Point(row: -1, column: 0), limit: 4, style: .plain)
    canvas.put("x", at: Point(row: 0, column: 4), limit: 4, style: .plain)
    canvas.fill(Rect(row: 5, column: 5, rows: 3, columns: 3), style: .plain, character: "x")
    canvas.fill(Rect(row: -3, column: -3, rows: 2, columns: 2), style: .plain, character: "x")
    canvas.restyle(Rect(row: 9, column: -9, rows: 3, columns: 3)) { $0.adding(.bold) }
    #expect(canvas == empty)
    canvas.put("abc", at: Point(row: 0, column: -1), limit: 4, style: .plain)
    #expect(canvas.plainText() == "bc\n")
    #expect(Canvas(size: Size(rows: 0, columns: 0)).plainText() == "")
    #expect(Canvas(size: Size(rows: -1, columns: 5)).size.rows == 0)
  }

  /// A terminal that reorders text must not mix a Hebrew name with what comes after it.
  @Test func rightToLeftTextIsClosed() {
    var canvas = Canvas(size: Size(rows: 1, columns: 20))
    canvas.put("דוד 12", at: Point(row: 0, column: 0), limit: 20, style: .plain)
    #expect(canvas[0, 5].text == "2\u{200E}")
    #expect(canvas.plainText() == "דוד 12")
    canvas.put("דוד David", at: Point(row: 0, column: 0), limit: 20, style: .plain)
    #expect(canvas[0, 8].text == "d")
    canvas.put("דוד Ｄ", at: Point(row: 0, column: 0), limit: 20, style: .plain)
    #expect(canvas[0, 4].text == "Ｄ")
    canvas.put("דוד ×", at: Point(row: 0, column: 0), limit: 20, style: .plain)
    #expect(canvas[0, 4].text == "×\u{200E}")
  }

  @Test(arguments: HostileText.samples)
  func hostileTextKeepsTheColumns(text: String) {
    for limit in 0...12 {
      var canvas = Canvas(size: Size(rows: 1, columns: 14))
      canvas.put("|", at: Point(row: 0, column: 12), limit: 1, style: .plain)
      let used = canvas.put(text, at: Point(row: 0, column: 0), limit: limit, style: .plain)
      #expect(used <= limit)
      #expect(canvas[0, 12].text == "|")
      expectWhole(canvas)
    }
  }

  @Test func randomDrawingKeepsClustersWhole() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var canvas = Canvas(size: Size(rows: 5, columns: 17))
    for _ in 0..<3000 {
      let point = Point(row: Int.random(in: -1...5, using: &random), column: Int.random(in: -3...18, using: &random))
      if Bool.random(using: &random) {
        canvas.put(
          HostileText.samples.randomElement(using: &random)!, at: point, limit: Int.random(in: -1...20, using: &random),
          style: .plain, truncation: Bool.random(using: &random) ? .cut : .ellipsis)
      } else {
        canvas.fill(
          Rect(row: point.row, column: point.column, rows: 2, columns: Int.random(in: 0...6, using: &random)),
          style: .plain)
      }
      expectWhole(canvas)
    }
  }

  private func expectWhole(_ canvas: Canvas) {
    for row in 0..<canvas.size.rows {
      var column = 0
      var isWhole = true
      while column < canvas.size.columns {
        let cell = canvas[row, column]
        if cell.width == 0 { isWhole = false }
        if cell.width == 2, column + 1 >= canvas.size.columns || canvas[row, column + 1].width != 0 { isWhole = false }
        column += max(1, cell.width)
      }
      #expect(isWhole)
    }
  }

  @Test func changedColumnsAreWholeClusters() {
    let before = canvas("a中文b", columns: 8)
    let after = canvas("a中国b", columns: 8)
    #expect(after.changedLines(since: before) == [0])
    #expect(after.changedColumns(ofLine: 0, since: before, limit: 8) == 3..<5)
    #expect(after.changedColumns(ofLine: 0, since: before, limit: 3).isEmpty)
    #expect(before.changedLines(since: before) == [])
    #expect(canvas("a中国b", columns: 8).changedLines(since: after) == [], "other arrays with the same cells")
  }

  private func canvas(_ text: String, columns: Int) -> Canvas {
    var canvas = Canvas(size: Size(rows: 2, columns: columns))
    canvas.put(text, at: Point(row: 0, column: 0), limit: columns, style: .plain)
    return canvas
  }

  @Test func theLaidOutPiecesOfALineAreDrawnInTheirColumns() {
    var canvas = Canvas(size: Size(rows: 2, columns: 20))
    let bold = Style(attributes: .bold)
    canvas.put(
      [
        TextPiece(column: 1, columns: 5, text: "label: \u{1B}", style: .plain),
        TextPiece(column: 7, columns: 9, text: "value 1", style: bold),
        TextPiece(column: 0, columns: 1, text: "▸", style: .plain),
      ], row: 1)
    #expect(canvas.plainText() == "\n▸labe… value 1")
    #expect(canvas[1, 7].style == bold && canvas[1, 1].style == .plain && canvas[1, 6].style == .plain)
  }

  /// Some terminals would add the marks of the last cell of the screen to the previous cell.
  @Test func theLastCellTakesNoMarks() {
    var canvas = Canvas(size: Size(rows: 2, columns: 4))
    for row in 0..<2 { canvas.put("abce\u{301}", at: Point(row: row, column: 0), limit: 4, style: .plain) }
    #expect(canvas[0, 3].text == "e\u{301}")
    #expect(canvas[1, 3].text == "e")
    canvas.put("ab\u{5D0}\u{5D1}", at: Point(row: 1, column: 0), limit: 4, style: .plain)
    #expect(canvas[1, 3].text == "\u{5D1}")
    canvas.put("नि\u{951}", at: Point(row: 1, column: 2), limit: 2, style: .plain)
    #expect(canvas[1, 2].text == "न" && canvas[1, 3].text == "\u{93F}")
    canvas.put("नि\u{951}", at: Point(row: 1, column: 1), limit: 2, style: .plain)
    #expect(canvas[1, 2].text == "\u{93F}\u{951}")
  }
}
