import Foundation
import Testing

/// The mouse as terminals report it (xterm's SGR mode 1006), written into the pane.
@Suite(.serialized)
struct MouseTests {
  private enum Button: Int {
    case left = 0
    case wheelUp = 64
    case wheelDown = 65
  }

  /// Returns a report of a press and, for the left button, its release. Rows and columns count from 0.
  private func report(_ button: Button, row: Int, column: Int) -> String {
    let parameters = "\(button.rawValue);\(column + 1);\(row + 1)"
    return "\u{1b}[<\(parameters)M" + (button == .left ? "\u{1b}[<\(parameters)m" : "")
  }

  private func click(_ text: String, times: Int = 1, _ session: TerminalSession) throws {
    let row = try #require(try session.screen().row(of: text))
    try session.send(String(repeating: report(.left, row: row, column: 4), count: times))
  }

  @Test func selectsOpensScrollsAndJumps() throws {
    let session = try TerminalSession.withPeople(columns: 80, rows: 14)
    try session.start(waitingFor: "Jürgen")
    #expect(try session.pane("mouse_any_flag") == "1" && session.pane("mouse_sgr_flag") == "1")
    try click("Jürgen", session)
    try session.wait("Jürgen to be selected") { $0.selectedLine.contains("Jürgen") }
    try session.send(report(.wheelDown, row: 5, column: 5))
    try session.wait(forNo: "Åsa")
    try session.send(report(.wheelUp, row: 5, column: 5))
    try session.wait(for: "Åsa")
    // The index bar is one column from the edge, with Z in its last lines.
    let bar = try session.screen().split(separator: "\n").map(String.init)
    let line = try #require(bar.lastIndex { $0.hasSuffix("Z") })
    try session.send(report(.left, row: line, column: 78))
    try session.wait("曾国藩 to be selected") { $0.selectedLine.contains("曾国藩") }
    try click("曾国藩", times: 2, session)
    try session.wait("the detail in the list's place") { !$0.contains("▸") && $0.contains("zēng guó fān") }
    try session.send(report(.left, row: 3, column: 3) + report(.wheelDown, row: 3, column: 3))
    try session.press("Escape")
    try session.wait("the list again") { $0.selectedLine.contains("曾国藩") }
  }

  @Test func aDisabledMouseIsLeftToTheTerminal() throws {
    let session = try TerminalSession.withPeople()
    try session.configure("mouse = false\n")
    try session.start(waitingFor: "Jürgen")
    #expect(try session.pane("mouse_any_flag") == "0")
    try click("Jürgen", times: 2, session)
    try session.type("'m")
    try session.wait("马云 to be selected, and the list to be there") {
      $0.selectedLine.contains("马云") && $0.contains("Space mark")
    }
  }
}
