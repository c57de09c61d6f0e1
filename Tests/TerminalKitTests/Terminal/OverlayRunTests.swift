import Glibc
import Testing

@testable import TerminalKit

struct OverlayRunTests {
  private let link = TerminalLink("https://example.com/overlay")

  // Widths depend on the locale.
  init() { setlocale(LC_CTYPE, "C.UTF-8") }

  private func bytes(
    _ canvas: Canvas, direct: Bool = false, links: Bool = false, colors: Int = 256
  ) -> String {
    let run = OverlayRun(hasDirectColors: direct, hasLinks: links, colors: colors)
    return String(decoding: run.bytes(of: canvas.cells(ofLine: 0), row: 4), as: UTF8.self)
  }

  private func canvas(linked columns: Range<Int>) -> Canvas {
    var canvas = Canvas(size: Size(rows: 1, columns: 9))
    canvas.put("a", at: Point(row: 0, column: 0), limit: 9, style: .plain)
    canvas.put(
      "李b", at: Point(row: 0, column: 2), limit: 9, style: Style(foreground: .rgb(1, 2, 3), background: .palette(4)))
    canvas.link(Rect(row: 0, column: columns.lowerBound, rows: 1, columns: columns.count), to: link)
    return canvas
  }

  @Test func exactColors() {
    #expect(bytes(canvas(linked: 0..<0), direct: true, links: true) == "\u{1B}[5;3H\u{1B}[0;38;2;1;2;3;48;5;4m李b")
    #expect(bytes(canvas(linked: 0..<1), direct: true) == "\u{1B}[5;3H\u{1B}[0;38;2;1;2;3;48;5;4m李b")
  }

  @Test(arguments: [
    (256, "\u{1B}[0;38;5;16;48;5;4m"), (8, "\u{1B}[0;38;5;0;48;5;4m"), (0, "\u{1B}[0m"),
    (16_777_216, "\u{1B}[0;38;2;1;2;3;48;5;4m"),
  ])
  func aLinkKeepsItsColors(colors: Int, style: String) throws {
    let link = try #require(link)
    #expect(
      bytes(canvas(linked: 2..<5), links: true, colors: colors)
        == "\u{1B}[5;3H\(style)\u{1B}]8;id=\(link.number);\(link.address)\u{1B}\\李b\u{1B}]8;;\u{1B}\\")
    #expect(bytes(canvas(linked: 2..<5), colors: colors) == "")
  }

  @Test func aLinkEndsAfterItsLastCell() throws {
    let link = try #require(link)
    let start = "\u{1B}]8;id=\(link.number);\(link.address)\u{1B}\\"
    let end = "\u{1B}]8;;\u{1B}\\"
    #expect(
      bytes(canvas(linked: 0..<4), direct: true, links: true)
        == "\u{1B}[5;1H\u{1B}[0m\(start)a \u{1B}[0;38;2;1;2;3;48;5;4m李\(end)b")
  }

  /// As in the text for ncurses, a cluster is replaced if the C library gives it another width.
  @Test func clustersWhoseWidthNcursesMiscountsAreReplaced() {
    #expect(NcursesScreen.sentText(of: Cell(text: "a\u{301}")) == "a\u{301}")
    #expect(NcursesScreen.sentText(of: Cell(text: "a", width: 2)) == "\u{3013}")
    #expect(NcursesScreen.sentText(of: Cell(text: "李", width: 1)) == "\u{FFFD}")
    #expect(NcursesScreen.sentText(of: Cell(text: "", width: 0)) == "")
  }
}
