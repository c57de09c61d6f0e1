import AddressBookModel
import Contacts
import Messages
import ReferenceTerminals
import SharedMaterial
import Testing

@testable import AddressBookTUI
@testable import TerminalKit

/// The QR code of a contact on the screen, read back with zbar from the cells that were drawn.
@MainActor
struct ContactCodeTests {
  /// Returns the part of the canvas that is black on white, as text.
  private func code(on canvas: Canvas) -> [String] {
    (0..<canvas.size.rows).compactMap { row in
      let cells = canvas.cells(ofLine: row).filter { $0.style.background == .rgb(255, 255, 255) }
      #expect(cells.allSatisfy { $0.style.foreground == .rgb(0, 0, 0) })
      return cells.isEmpty ? nil : cells.map { $0.text.isEmpty ? " " : $0.text }.joined()
    }
  }

  @Test(
    .enabled(if: CodeReader.isInstalled, "zbar is not installed"),
    arguments: [(24, 80), (40, 120), (26, 48), (60, 250)], ["", "Enter"])
  func theDrawnCellsCanBeRead(size: (rows: Int, columns: Int), open: String) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, ScreenPeople.few)
    harness.press("' l j \(open) Q")
    let canvas = try #require(harness.terminal.canvas)
    let text = try #require(try CodeReader.text(inHalfBlocks: code(on: canvas)), "\(canvas.plainText())")
    #expect(text.contains("\nN:李;") && text.hasSuffix("\nEND:VCARD"))
    if size.columns > 60 { #expect(text.contains("13922223333")) }
    if size.columns >= 120 { #expect(text.contains("lee@example.com") && text.contains("41 Cumberland Road")) }
    harness.press("q")
    #expect(harness.screen.contains("李"))
  }

  @Test(arguments: ScreenGoldenTests.views)
  func theCodeIsExplained(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' l j Q")
    try Golden.check(harness.screen, "code-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func aSmallWindowSaysSo() throws {
    let harness = try ScreenHarness(rows: 12, columns: 40, ScreenPeople.few)
    harness.press("' l j Q")
    #expect(harness.screen.contains("too small"))
    harness.resize(rows: 24, columns: 80)
    harness.press("Q")
    #expect(harness.screen.contains("Scan"))
    harness.resize(rows: 12, columns: 40)
    #expect(harness.screen.contains("too small"))
    harness.resize(rows: 40, columns: 120)
    #expect(harness.screen.contains("Scan"))
  }

  /// On a terminal without colors, which is taken for a dark one, the blocks are drawn in reverse.
  @Test func withoutColorsTheCodeIsReversed() throws {
    let harness = try ScreenHarness(colors: 0, theme: .monochrome, ScreenPeople.few)
    harness.press("' l j Q")
    let canvas = try #require(harness.terminal.canvas)
    #expect(canvas.cells(ofLine: 3)[6].style.attributes.contains(.reverse))
  }

  /// In a process of its own, because the width is that of the whole process.
  @Test(.enabled(if: CodeReader.isInstalled, "zbar is not installed"))
  func modulesAreTwoColumnsWhereBlocksAreWide() async {
    await #expect(processExitsWith: .success) {
      TextWidth.ambiguousColumns = 2
      try await MainActor.run {
        let harness = try ScreenHarness(rows: 60, columns: 160, ScreenPeople.few)
        harness.press("' l j Q")
        let canvas = try #require(harness.terminal.canvas)
        let rows = (0..<canvas.size.rows).map { row in
          stride(from: 0, to: canvas.size.columns, by: 2).map {
            canvas.cells(ofLine: row)[$0].style.background == .rgb(0, 0, 0)
          }
        }
        #expect(try CodeReader.text(inModules: rows)?.contains("13922223333") == true)
      }
    }
  }

  @Test(.enabled(if: TmuxScreen.isInstalled && CodeReader.isInstalled, "tmux or zbar is not installed"))
  func tmuxShowsACodeThatCanBeRead() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' l j Q")
    let pseudo = try PseudoTerminal(harness.terminal.size)
    let terminal = try NcursesTerminal(
      device: try TerminalDevice(input: pseudo.slave, output: pseudo.slave), type: "xterm-256color",
      signalDescriptor: -1, options: NcursesTerminal.Options(mouse: true, color: true, images: .never))
    terminal.present(try #require(harness.terminal.canvas))
    let tmux = try TmuxScreen(size: harness.terminal.size, showing: pseudo.output())
    terminal.restore()
    let shown = try tmux.styledCells().cells
    // ncurses draws a full block as a blank on the other color.
    let black = CellStyle(foreground: .ownForeground, background: .palette(16), attributes: [], isBlank: true)
    let rows = (0..<harness.terminal.size.rows).flatMap { row -> [[Bool]] in
      func line(_ dark: String) -> [Bool] {
        (0..<45).map { shown.style(row, $0) == black || dark.contains(shown.rows[row][$0]) }
      }
      return [line("█▀"), line("█▄")]
    }
    #expect(try CodeReader.text(inModules: rows)?.contains("13922223333") == true)
  }
}
