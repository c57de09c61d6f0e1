import Foundation
import Testing

@testable import TerminalKit

struct ImageSupportTests {
  private typealias Images = NcursesTerminal.Options.Images

  private func route(_ requested: Images, _ type: String, _ environment: [String: String]) -> ImageSupport.Route? {
    ImageSupport.route(requested, type: type) { environment[$0] }
  }

  @Test(arguments: [
    ("xterm-kitty", [:]), ("xterm-ghostty", [:]), ("xterm-256color", ["KITTY_WINDOW_ID": "1"]),
    ("xterm-256color", ["TERM_PROGRAM": "ghostty"]),
    ("xterm-kitty", ["KITTY_WINDOW_ID": "1", "TERM_PROGRAM": "kitty"]),
  ])
  func terminalsWithImagesAreDetected(type: String, environment: [String: String]) {
    #expect(route(.automatic, type, environment) == ImageSupport.Route(imageProtocol: .kitty))
    #expect(route(.never, type, environment) == nil)
  }

  @Test(arguments: [
    ("xterm-256color", [:]), ("linux", ["KITTY_WINDOW_ID": "1"]),
    ("xterm-256color", ["TERM_PROGRAM": "vscode"]), ("xterm-256color", ["WT_SESSION": "x"]),
    ("xterm-256color", ["TERM_PROGRAM": "WezTerm", "KITTY_WINDOW_ID": "1"]),
    ("xterm-256color", ["KONSOLE_VERSION": "240802"]),
    ("xterm-256color", ["TERM_PROGRAM": "WezTerm", "KONSOLE_VERSION": "230804"]),
    ("xterm-256color", ["MLTERM": "3.9.3", "XTERM_VERSION": "XTerm(379)"]),
    ("xterm-256color", ["TERM_PROGRAM": "vscode", "MLTERM": "3.9.3"]), ("alacritty", ["TERM_PROGRAM": "WezTerm"]),
    ("footloose", [:]), ("foot", ["ZELLIJ": "0"]), ("xterm-256color", ["MLTERM": "3.9.3", "VIM_TERMINAL": "900"]),
    ("tmux-256color", ["TMUX": "/tmp/tmux,1,0", "TERM_PROGRAM": "iTerm.app"]),
    ("tmux-256color", ["TMUX": "/tmp/tmux,1,0", "TERM_PROGRAM": "tmux", "LC_TERMINAL": "iTerm2"]),
    ("xterm-256color", ["KONSOLE_VERSION": "230804", "KITTY_WINDOW_ID": "1"]),
    ("xterm-256color", ["XTERM_VERSION": "XTerm(379)", "KITTY_WINDOW_ID": "1"]),
    ("xterm-256color", ["VTE_VERSION": "7000", "TERM_PROGRAM": "ghostty"]),
    ("xterm-kitty", ["ZELLIJ": "0"]), ("xterm-kitty", ["NVIM": "/run/nvim"]),
    ("tmux-256color", ["TMUX": "/tmp/tmux,1,0", "KITTY_WINDOW_ID": "1"]),
    ("xterm-kitty", ["TMUX": "/tmp/tmux,1,0"]), ("screen-256color", ["STY": "1.s", "KITTY_WINDOW_ID": "1"]),
  ])
  func terminalsWithoutKnownSupportGetNoImages(type: String, environment: [String: String]) {
    #expect(route(.automatic, type, environment) == nil)
  }

  @Test(arguments: [
    ("foot", [:], ImageProtocol.sixel), ("foot-extra", [:], .sixel), ("contour", [:], .sixel),
    ("mlterm-256color", [:], .sixel), ("mlterm", ["MLTERM": "3.9.3"], .sixel),
    ("xterm-256color", ["MLTERM": "3.9.3"], .sixel),
    ("xterm-256color", ["TERM_PROGRAM": "WezTerm", "WEZTERM_PANE": "0"], .iterm), ("wezterm", [:], .iterm),
    ("xterm-256color", ["WEZTERM_PANE": "0"], .iterm),
    ("xterm-256color", ["TERM_PROGRAM": "iTerm.app", "LC_TERMINAL": "iTerm2"], .iterm),
    ("xterm-256color", ["TERM_PROGRAM": "WezTerm", "LC_TERMINAL": "iTerm2"], .iterm),
    ("xterm-256color", ["LC_TERMINAL": "iTerm2"], .iterm),
  ])
  func terminalsWithOtherProtocolsAreDetected(
    type: String, environment: [String: String], imageProtocol: ImageProtocol
  ) {
    #expect(route(.automatic, type, environment) == ImageSupport.Route(imageProtocol: imageProtocol))
    #expect(route(.never, type, environment) == nil)
  }

  @Test func theSettingOverridesDetection() {
    func route(_ imageProtocol: ImageProtocol, _ type: String, _ environment: [String: String]) -> ImageSupport.Route? {
      self.route(.always(imageProtocol), type, environment)
    }
    let tmux = ["TMUX": "/tmp/tmux,1,0"]
    #expect(route(.kitty, "xterm-256color", [:]) == ImageSupport.Route(imageProtocol: .kitty))
    let wrapped = ImageSupport.Route(imageProtocol: .kitty, wrapping: .tmux)
    #expect(route(.kitty, "tmux-256color", tmux) == wrapped)
    #expect(route(.kitty, "screen-256color", tmux) == wrapped)
    #expect(route(.sixel, "xterm-256color", [:]) == ImageSupport.Route(imageProtocol: .sixel))
    #expect(route(.sixel, "tmux-256color", tmux) == ImageSupport.Route(imageProtocol: .sixel))
    #expect(route(.iterm, "xterm-256color", [:]) == ImageSupport.Route(imageProtocol: .iterm))
    #expect(route(.iterm, "tmux-256color", tmux) == nil)
    for imageProtocol in [ImageProtocol.kitty, .sixel, .iterm] {
      #expect(route(imageProtocol, "screen.xterm-256color", ["STY": "1.s"]) == nil)
    }
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
    #expect((route(.automatic, "xterm-kitty", environment) != nil) == isUsable)
    #expect(route(.always(.kitty), "xterm-kitty", environment) != nil)
  }

  @Test func kittyWithoutAVersionIsAccepted() {
    #expect(route(.automatic, "xterm-kitty", ["KITTY_INSTALLATION_DIR": "/nowhere"]) != nil)
  }
}
