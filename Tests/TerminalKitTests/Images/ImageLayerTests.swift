import Testing

@testable import TerminalKit

/// When images are laid over the cells, and what is sent for them.
struct ImageLayerTests {
  private let size = Size(rows: 8, columns: 30)
  private let cell = PixelSize(width: 10, height: 20)

  private func png(columns: Int = 4, rows: Int = 3) throws -> TerminalImage {
    try #require(TerminalImage(png: [1, 2, 3], columns: columns, rows: rows))
  }

  private func sixel(width: Int, height: Int, columns: Int = 4, rows: Int = 3) throws -> TerminalImage {
    let text = "\u{1B}P0;1;0q\"1;1;\(width);\(height)#0~\u{1B}\\"
    return try #require(TerminalImage(sixel: Array(text.utf8), columns: columns, rows: rows))
  }

  private func frame(_ image: TerminalImage?, row: Int = 1, column: Int = 5) -> Canvas {
    var canvas = Canvas(size: size)
    canvas.put("list", at: Point(row: 1, column: 0), limit: 4, style: .plain)
    if let image {
      canvas.put(image, in: Rect(row: row, column: column, rows: 9, columns: 99), background: .palette(235))
    }
    return canvas
  }

  /// Shows frames one after another, and returns what was sent for each.
  private func sent(_ frames: [Canvas], by imageProtocol: ImageProtocol = .iterm) -> [String] {
    var layer = ImageLayer(imageProtocol)
    var before: Canvas?
    return frames.map { frame in
      let canvas = layer.begin(frame, limit: size, cell: cell)
      defer { before = canvas }
      return String(decoding: layer.bytes(on: canvas, before: before, rewritesColors: false), as: UTF8.self)
    }
  }

  @Test func anInlineImageNamesItsSizeInCells() throws {
    let arguments = "inline=1;size=3;width=4;height=3;preserveAspectRatio=1;doNotMoveCursor=1"
    #expect(sent([frame(try png())]) == ["\u{1B}[2;6H\u{1B}]1337;File=\(arguments):AQID\u{7}"])
  }

  @Test func sixelsAreSentAsTheyAre() throws {
    let image = try sixel(width: 40, height: 60)
    #expect(sent([frame(image)], by: .sixel) == ["\u{1B}[2;6H\u{1B}P0;1;0q\"1;1;40;60#0~\u{1B}\\"])
  }

  @Test(arguments: [(41, 60, 0), (40, 61, 0), (40, 60, 1), (1, 6, 1)])
  func sixelsNeverReachBeyondTheirCells(width: Int, height: Int, count: Int) throws {
    let sent = sent([frame(try sixel(width: width, height: height))], by: .sixel)
    #expect(sent[0].isEmpty == (count == 0))
  }

  @Test func aTerminalGetsOnlyImagesOfItsProtocol() throws {
    #expect(sent([frame(try png())], by: .sixel) == [""])
    #expect(sent([frame(try sixel(width: 40, height: 60))], by: .iterm) == [""])
    #expect(KittySequence().transmission(of: try sixel(width: 40, height: 60)).isEmpty)
  }

  @Test func anImageIsSentAgainOnlyIfItsCellsWereWritten() throws {
    let image = try png()
    let first = frame(image)
    var left = first
    left.put("changed", at: Point(row: 1, column: 0), limit: 5, style: .plain)
    var right = left
    right.put("name", at: Point(row: 2, column: 9), limit: 9, style: .plain)
    var below = right
    below.put("below", at: Point(row: 4, column: 5), limit: 9, style: .plain)
    var both = below
    both.put("A", at: Point(row: 2, column: 4), limit: 1, style: .plain)
    both.put("B", at: Point(row: 2, column: 9), limit: 1, style: .plain)
    let sent = sent([first, first, left, right, below, both, both])
    #expect(sent.map(\.isEmpty) == [false, true, true, true, true, false, true])
  }

  @Test func erasingALineUpToTheImageSendsTheImageAgain() throws {
    let first = frame(try png())
    var cleared = first
    cleared.fill(Rect(row: 1, column: 0, rows: 1, columns: 5), style: .plain)
    var partly = first
    partly.fill(Rect(row: 1, column: 1, rows: 1, columns: 4), style: .plain)
    #expect(sent([first, cleared]).map(\.isEmpty) == [false, false])
    #expect(sent([first, partly]).map(\.isEmpty) == [false, true])
  }

  @Test func anImageThatMovesIsReplacedOrReturnsIsSent() throws {
    let (one, other) = (try png(), try png())
    let lower = frame(one, row: 2)
    let sent = sent([frame(one), frame(other), frame(one), lower, frame(nil), frame(nil), lower])
    #expect(sent.map(\.isEmpty) == [false, false, false, false, true, true, false])
    #expect(sent[3].hasPrefix("\u{1B}[3;6H"))
  }

  @Test func theCellsOfConsecutiveImagesDiffer() throws {
    var layer = ImageLayer(.iterm)
    let cells = try (0..<9).map { _ in layer.begin(frame(try png()), limit: size, cell: cell)[1, 5] }
    #expect(Set(cells.prefix(8)).count == 8)
    #expect(Set(cells.prefix(8).map(\.style.attributes)).count == 8, "without colors, too")
    #expect(cells.allSatisfy { $0.text == "\u{A0}" && $0.style.background == .palette(235) })
  }

  @Test func aCoveredOrClippedImageIsBlankUntilAllOfItIsVisible() throws {
    let image = try png()
    var covered = frame(image)
    covered.put("x", at: Point(row: 3, column: 8), limit: 1, style: .plain)
    var scrolled = Canvas(size: size)
    scrolled.put(image, from: 1, in: Rect(row: 0, column: 5, rows: 2, columns: 4))
    var restyled = frame(image)
    restyled.restyle(Rect(row: 2, column: 5, rows: 1, columns: 1)) { $0.with(foreground: .palette(7)) }
    let outside = frame(image, row: 6)
    for hidden in [covered, scrolled, restyled, outside] {
      let sent = sent([hidden, frame(image), hidden, frame(image)])
      #expect(sent.map(\.isEmpty) == [true, false, true, false])
      var layer = ImageLayer(.iterm)
      let canvas = layer.begin(hidden, limit: size, cell: cell)
      for row in 0..<size.rows {
        #expect(canvas.cells(ofLine: row).allSatisfy { !"\u{A0}\u{10EEEE}".contains($0.text.first ?? " ") })
      }
    }
  }

  @Test func anImageInTwoPlacesIsShownInBoth() throws {
    let image = try png()
    var canvas = frame(image)
    canvas.put(image, in: Rect(row: 5, column: 20, rows: 3, columns: 4))
    #expect(sent([canvas])[0].ranges(of: "1337").count == 2)
  }

  @Test func afterAClearedScreenEverythingIsSentAgain() throws {
    let image = try png()
    var layer = ImageLayer(.iterm)
    func show(before: Canvas?) -> (bytes: [UInt8], canvas: Canvas) {
      let canvas = layer.begin(frame(image), limit: size, cell: cell)
      return (layer.bytes(on: canvas, before: before, rewritesColors: false), canvas)
    }
    let first = show(before: nil)
    #expect(show(before: nil).bytes == first.bytes)
    #expect(show(before: first.canvas).bytes.isEmpty)
    layer.reset()
    #expect(!layer.isInUse)
    #expect(show(before: first.canvas).bytes == first.bytes)
    #expect(layer.isInUse)
    #expect(
      String(decoding: layer.removeAll(), as: UTF8.self)
        == "\u{1B}[2;6H\u{1B}[4X\u{1B}[3;6H\u{1B}[4X\u{1B}[4;6H\u{1B}[4X")
    #expect(layer.removeAll().isEmpty)
  }

  @Test func writingExactColorsAgainSendsTheImageAgain() throws {
    var first = Canvas(size: size)
    first.put(try png(), in: Rect(row: 1, column: 5, rows: 3, columns: 4), background: .rgb(1, 2, 3))
    var second = first
    second.put("x", at: Point(row: 7, column: 0), limit: 1, style: .plain)
    for rewritesColors in [true, false] {
      var layer = ImageLayer(.iterm)
      let one = layer.begin(first, limit: size, cell: cell)
      _ = layer.bytes(on: one, before: nil, rewritesColors: rewritesColors)
      let two = layer.begin(second, limit: size, cell: cell)
      #expect(layer.bytes(on: two, before: one, rewritesColors: rewritesColors).isEmpty == !rewritesColors)
    }
  }

  @Test func eachPlaceholderCanBeReadBack() {
    for (row, column, highByte) in [(0, 0, 1), (296, 0, 255), (7, 296, 128)] {
      let cell = Cell(text: ImagePlaceholder.text(row: row, column: column, highByte: highByte))
      let part = ImagePlaceholder.part(in: cell)
      #expect(part?.row == row && part?.column == column && part?.highByte == highByte)
    }
    for text in ["a", "\u{10EEEE}", "\u{10EEEE}\u{305}\u{305}", "\u{10EEEE}\u{300}\u{305}\u{305}"] {
      #expect(ImagePlaceholder.part(in: Cell(text: text)) == nil)
    }
  }
}
