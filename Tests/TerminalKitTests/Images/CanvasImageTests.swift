import Testing

@testable import TerminalKit

struct CanvasImageTests {
  private let size = Size(rows: 5, columns: 12)

  private func image(columns: Int = 4, rows: Int = 3) throws -> TerminalImage {
    try #require(TerminalImage(png: [1, 2, 3], columns: columns, rows: rows))
  }

  private func mark(_ number: Int) throws -> Unicode.Scalar {
    try #require(Unicode.Scalar(ImagePlaceholder.marks[number]))
  }

  @Test func eachCellNamesItsImageAndPart() throws {
    let image = try image()
    var canvas = Canvas(size: size)
    canvas.put(image, in: Rect(row: 1, column: 2, rows: 9, columns: 9), background: .palette(235))
    #expect(canvas.images == [image])
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let cell = canvas[row, column]
        guard (1..<4).contains(row), (2..<6).contains(column) else {
          #expect(cell == .blank)
          continue
        }
        let marks = [try mark(row - 1), try mark(column - 2), try mark(image.highByte)]
        #expect(Array(cell.text.unicodeScalars) == ["\u{10EEEE}"] + marks)
        #expect(cell.width == 1)
        #expect(cell.style == Style(foreground: .palette(image.color), background: .palette(235)))
      }
    }
  }

  @Test func aPartlyScrolledImageIsDrawnInPart() throws {
    let image = try image()
    var canvas = Canvas(size: size)
    canvas.put(image, from: 2, in: Rect(row: 0, column: 10, rows: 5, columns: 3))
    #expect(Array(canvas[0, 10].text.unicodeScalars)[1] == (try mark(2)))
    #expect(canvas[1, 10] == .blank)
    #expect(canvas[0, 11].text.unicodeScalars.count == 4)
    canvas.put(image, from: 2, in: Rect(row: 4, column: 0, rows: 1, columns: 4))
    #expect(canvas.images == [image])
  }

  @Test func anEmptyOrOutsideRectangleShowsNoImage() throws {
    let image = try image()
    var canvas = Canvas(size: size)
    for rect in [
      Rect(row: 9, column: 0, rows: 3, columns: 3), Rect(row: 0, column: 12, rows: 3, columns: 3),
      Rect(row: 0, column: 0, rows: 0, columns: 3), Rect(row: 0, column: 0, rows: 3, columns: -1),
    ] {
      canvas.put(image, in: rect)
    }
    canvas.put(image, from: 3, in: Rect(row: 0, column: 0, rows: 3, columns: 3))
    canvas.put(image, from: -9, in: Rect(row: -9, column: -9, rows: 3, columns: 3))
    #expect(canvas == Canvas(size: size))
  }

  @Test func textDrawnOverAnImageHidesThatPart() throws {
    var canvas = Canvas(size: size)
    canvas.put(try image(), in: Rect(row: 0, column: 0, rows: 3, columns: 4))
    canvas.put("名", at: Point(row: 1, column: 1), limit: 4, style: .plain)
    #expect(canvas[1, 1].text == "名" && canvas[1, 2].width == 0)
    #expect(canvas[1, 0].text.unicodeScalars.first == "\u{10EEEE}")
    #expect(canvas[1, 3].text.unicodeScalars.first == "\u{10EEEE}")
  }

  @Test(arguments: [
    "\u{10EEEE}", "\u{10EEEE}\u{305}\u{305}", "\u{10EEEE}\u{305}\u{30D}\u{1B6B}", "a\u{10EEEE}\u{305}b",
    "\u{200D}\u{10EEEE}", "👩\u{200D}\u{10EEEE}", "\u{1B}_Ga=T,U=1,i=42;AAAA\u{1B}\\", "\u{9F}Ga=d\u{9C}",
    "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=d\u{1B}\u{1B}\\\u{1B}\\",
  ])
  func textNeverShowsOrControlsAnImage(text: String) {
    var canvas = Canvas(size: Size(rows: 3, columns: 80))
    canvas.put(text, at: Point(row: 0, column: 0), limit: 80, style: Style(foreground: .palette(42)))
    canvas.fill(Rect(row: 1, column: 0, rows: 1, columns: 3), style: .plain, character: text.first ?? " ")
    for row in 0..<2 {
      for cell in canvas.cells(ofLine: row) {
        #expect(
          cell.text.unicodeScalars.allSatisfy { $0.value < 0x100000 && $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) })
      }
    }
    #expect(!DisplayText.clean(text).unicodeScalars.contains("\u{10EEEE}"))
    #expect(canvas.images.isEmpty)
  }
}
