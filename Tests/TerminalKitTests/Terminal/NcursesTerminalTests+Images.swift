import Foundation
import ReferenceTerminals
import Testing

@testable import TerminalKit

/// Images in the real terminal.
extension NcursesTerminalTests {
  // Inside tmux and screen, the bytes are different.
  private nonisolated static var isBare: Bool { getenv("TMUX") == nil && getenv("STY") == nil }

  @Test(.enabled(if: Self.isBare, "they run inside tmux or screen"))
  func imagesAreSentBeforeTheirCellsAndDeletedBeforeTheTerminalIsReleased() throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo, images: .always(.kitty))
    #expect(terminal.imageCell == PixelSize(width: 10, height: 20))
    let image = try #require(TerminalImage(png: [1, 2, 3], columns: 3, rows: 2))
    var canvas = Canvas(size: size)
    canvas.put(image, in: Rect(row: 1, column: 2, rows: 2, columns: 3), background: .palette(235))
    terminal.present(canvas)
    let first = String(decoding: pseudo.output(), as: UTF8.self)
    let transmission = try #require(
      first.firstRange(of: "\u{1B}_Ga=T,U=1,C=1,q=2,f=100,i=\(image.identifier),c=3,r=2,m=0;AQID"))
    let cells = first[transmission.upperBound...]
    #expect(cells.contains("38;5;\(image.color)"))
    for row in 0..<2 {
      let line = (0..<3).map { ImagePlaceholder.text(row: row, column: $0, highByte: image.highByte) }.joined()
      #expect(cells.contains(line), "ncurses sends every mark")
    }

    canvas.put("over", at: Point(row: 1, column: 3), limit: 4, style: .plain)
    terminal.present(canvas)
    #expect(!pseudo.output().contains("\u{1B}_G"), "neither sent again nor deleted")
    terminal.invalidate()
    terminal.present(canvas)
    #expect(pseudo.output().contains("\u{1B}_Ga=T"), "after ^L nothing is taken for granted")
    pseudo.resize(Size(rows: 7, columns: 31))
    _ = terminal.updateSize()
    terminal.present(canvas)
    #expect(!pseudo.output().contains("\u{1B}_G"), "clearing the screen leaves the terminal the picture")

    terminal.leave()
    let end = String(decoding: pseudo.output(), as: UTF8.self)
    let deletion = try #require(end.firstRange(of: "\u{1B}_Ga=d,d=I,q=2,i=\(image.identifier)\u{1B}\\"))
    #expect(end[deletion.upperBound...].contains("\u{1B}[?1049l"))
    terminal.enter()
    terminal.present(canvas)
    #expect(pseudo.output().contains("\u{1B}_Ga=T"))
    terminal.restore()
    #expect(pseudo.output().contains("\u{1B}_Ga=d"))
  }

  @Test(.enabled(if: Self.isBare, "they run inside tmux or screen")) func aCrashDeletesTheImages()
    throws
  {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo, images: .always(.kitty))
    let image = try #require(TerminalImage(png: [1], columns: 1, rows: 1))
    var canvas = Canvas(size: size)
    canvas.put(image, in: Rect(row: 0, column: 0, rows: 1, columns: 1))
    terminal.present(canvas)
    _ = pseudo.output()
    TerminalGuard.restore()
    let end = String(decoding: pseudo.output(), as: UTF8.self)
    #expect(end.hasPrefix("\u{1B}\\\u{1B}_Ga=d,d=I,q=2,i=\(image.identifier)\u{1B}\\"))
    #expect(end.contains("\u{1B}[?1049l"))
    terminal.restore()
  }

  @Test(arguments: ["xterm", "linux"]) func imagesNeedAPaletteOf256Colors(type: String) throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo, type: type, images: .always(.kitty))
    #expect(terminal.imageCell == nil)
    terminal.restore()
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: String) -> Bool { String(decoding: self, as: UTF8.self).contains(text) }
}
