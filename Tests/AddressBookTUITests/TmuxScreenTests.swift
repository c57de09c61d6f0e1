import AddressBookModel
import Messages
import ReferenceTerminals
import Testing

@testable import AddressBookTUI
@testable import TerminalKit

/// The screens in another terminal: tmux shows them as they were drawn.
@MainActor @Suite(.enabled(if: TmuxScreen.isInstalled, "tmux is not installed")) struct TmuxScreenTests {
  /// Keys that lead through the program; each screen is drawn over the previous one.
  private static let keys = [
    "' l j", "Enter", "Esc", "e", "Esc", "j j j k", "/ l i", "Esc Esc", "?", "Esc", "f", "Esc", "' m d", "n",
    "Space j Space", "g",
  ]

  @Test(arguments: ScreenGoldenTests.views)
  func screensAreShownAsDrawn(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    let pseudo = try PseudoTerminal(harness.terminal.size)
    let terminal = try NcursesTerminal(
      device: try TerminalDevice(input: pseudo.slave, output: pseudo.slave), type: "xterm-256color",
      signalDescriptor: -1, options: NcursesTerminal.Options(mouse: true, color: true, images: .never))
    var bytes: [UInt8] = []
    var emulator = ScreenEmulator(size: harness.terminal.size)
    for key in Self.keys {
      harness.press(key)
      let canvas = try #require(harness.terminal.canvas)
      terminal.present(canvas)
      let output = pseudo.output()
      bytes += output
      emulator.feed(output)
      let tmux = try TmuxScreen(size: canvas.size, showing: bytes)
      // A full block is sent as a blank with a background color.
      let shown = try tmux.text()
      let drawn = canvas.plainText().replacing("█", with: " ").replacing(#/[ ]+(?=\n|$)/#, with: "")
      #expect(shown == drawn, "after \(key):\n\(shown)\ninstead of\n\(drawn)")
      #expect(try emulator.differences(from: tmux).prefix(8) == [], "after \(key)")
    }
    terminal.restore()
  }
}
