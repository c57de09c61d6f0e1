import TerminalKit
import TerminalKitTesting
import Testing

/// The terminal for tests does what the real one does.
@MainActor
struct RecordingTerminalTests {
  private let terminal = RecordingTerminal(size: Size(rows: 2, columns: 10))

  private func canvas(_ text: String, _ image: TerminalImage? = nil) -> Canvas {
    var canvas = Canvas(size: terminal.size)
    canvas.put(text, at: Point(row: 0, column: 0), limit: 10, style: .plain)
    if let image { canvas.put(image, in: Rect(row: 0, column: 4, rows: 1, columns: 1)) }
    return canvas
  }

  @Test func nothingIsDrawnWhileTheTerminalIsReleased() throws {
    terminal.imageCell = PixelSize(width: 10, height: 20)
    terminal.present(canvas("one"))
    terminal.leave()
    let image = try #require(TerminalImage(png: [1], columns: 1, rows: 1))
    terminal.present(canvas("two", image))
    terminal.bell()
    terminal.copyToClipboard("two")
    #expect(terminal.text.hasPrefix("one") && terminal.imageBytes.isEmpty)
    #expect(terminal.presentCount == 2 && terminal.changedCells == 0 && terminal.changedLines.isEmpty)
    #expect(terminal.bells == 0 && terminal.copiedTexts.isEmpty)
    terminal.enter()
    terminal.present(canvas("two"))
    terminal.bell()
    terminal.copyToClipboard("two")
    #expect(terminal.text.hasPrefix("two") && terminal.changedCells == 20)
    #expect(terminal.bells == 1 && terminal.copiedTexts == ["two"])
  }

  @Test func aTerminalWithoutImagesIsSentNone() throws {
    let image = try #require(TerminalImage(png: [1], columns: 1, rows: 1))
    terminal.present(canvas("one", image))
    terminal.leave()
    #expect(terminal.imageBytes.isEmpty)
    terminal.enter()
    terminal.imageCell = PixelSize(width: 10, height: 20)
    terminal.present(canvas("one", image))
    #expect(!terminal.imageBytes.isEmpty)
  }
}
