import Foundation
import Testing

@testable import TerminalKit

struct ImageSupportTests {
  private typealias Images = NcursesTerminal.Options.Images

  private func wrapping(_ wish: Images, _ type: String, _ environment: [String: String]) -> KittySequence.Wrapping? {
    ImageSupport.wrapping(wish, type: type) { environment[$0] }
  }

  @Test(arguments: [
    ("xterm-kitty", [:]), ("xterm-ghostty", [:]), ("xterm-256color", ["KITTY_WINDOW_ID": "1"]),
    ("xterm-256color", ["TERM_PROGRAM": "ghostty"]),
    ("xterm-kitty", ["KITTY_WINDOW_ID": "1", "TERM_PROGRAM": "kitty"]),
  ])
  func terminalsWithImagesAreDetected(type: String, environment: [String: String]) {
    #expect(wrapping(.automatic, type, environment) == KittySequence.Wrapping.none)
    #expect(wrapping(.never, type, environment) == nil)
  }

  @Test(arguments: [
    ("xterm-256color", [:]), ("linux", ["KITTY_WINDOW_ID": "1"]),
    ("xterm-256color", ["TERM_PROGRAM": "WezTerm", "KITTY_WINDOW_ID": "1"]),
    ("xterm-256color", ["KONSOLE_VERSION": "230804", "KITTY_WINDOW_ID": "1"]),
    ("xterm-256color", ["XTERM_VERSION": "XTerm(379)", "KITTY_WINDOW_ID": "1"]),
    ("xterm-256color", ["VTE_VERSION": "7000", "TERM_PROGRAM": "ghostty"]),
    ("xterm-kitty", ["ZELLIJ": "0"]), ("xterm-kitty", ["NVIM": "/run/nvim"]),
    ("tmux-256color", ["TMUX": "/tmp/tmux,1,0", "KITTY_WINDOW_ID": "1"]),
    ("xterm-kitty", ["TMUX": "/tmp/tmux,1,0"]), ("screen-256color", ["STY": "1.s", "KITTY_WINDOW_ID": "1"]),
  ])
  func terminalsThatDoNotOrAreNotKnownTo(type: String, environment: [String: String]) {
    #expect(wrapping(.automatic, type, environment) == nil)
  }

  @Test func theSettingOverridesDetection() {
    #expect(wrapping(.always, "xterm-256color", [:]) == KittySequence.Wrapping.none)
    #expect(wrapping(.always, "tmux-256color", ["TMUX": "/tmp/tmux,1,0"]) == .tmux)
    #expect(wrapping(.always, "screen-256color", ["TMUX": "/tmp/tmux,1,0"]) == .tmux)
    #expect(wrapping(.always, "screen.xterm-256color", ["STY": "1.s"]) == nil)
  }

  @Test(arguments: [
    ("version: Version = Version(0, 26, 5)", false), ("version: Version = Version(0, 28, 0)", true),
    ("version: Version = Version(1, 0, 0)", true), ("class Version(NamedTuple):", true), ("", true),
  ])
  func anOldKittyIsRecognizedByItsSources(line: String, isUsable: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kitty-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("kitty"), withIntermediateDirectories: true)
    try "# License: GPLv3\n\(line)\nstr_version: str = ''\n".write(
      to: folder.appendingPathComponent("kitty/constants.py"), atomically: true, encoding: .utf8)
    let environment = ["KITTY_WINDOW_ID": "1", "KITTY_INSTALLATION_DIR": folder.path]
    #expect((wrapping(.automatic, "xterm-kitty", environment) != nil) == isUsable)
    #expect(wrapping(.always, "xterm-kitty", environment) != nil)
  }

  @Test func kittyWithoutAVersionIsAccepted() {
    #expect(wrapping(.automatic, "xterm-kitty", ["KITTY_INSTALLATION_DIR": "/nowhere"]) != nil)
  }
}
