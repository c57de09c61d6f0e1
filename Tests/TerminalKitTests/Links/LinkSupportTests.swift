import Testing

@testable import TerminalKit

struct LinkSupportTests {
  private func hasLinks(
    _ type: String, _ environment: [String: String], _ requested: NcursesTerminal.Options.Links = .automatic
  ) -> Bool {
    LinkSupport.hasLinks(requested, type: type) { environment[$0] }
  }

  @Test(arguments: [
    ("xterm-kitty", [:]), ("xterm-ghostty", [:]), ("foot", [:]), ("foot-extra", [:]), ("wezterm", [:]),
    ("alacritty", [:]),
    ("xterm-256color", ["KITTY_WINDOW_ID": "1"]), ("xterm-256color", ["TERM_PROGRAM": "ghostty"]),
    ("xterm-256color", ["TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20240203-110809-5046fc22"]),
    ("xterm-256color", ["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.4.15"]),
    ("xterm-256color", ["TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.85.1"]),
    ("xterm-256color", ["VTE_VERSION": "7006"]), ("xterm-256color", ["VTE_VERSION": "5001"]),
    ("xterm-256color", ["KONSOLE_VERSION": "230804"]), ("xterm-256color", ["WT_SESSION": "5b5e"]),
    ("xterm-256color", ["ALACRITTY_WINDOW_ID": "9"]),
    ("tmux-256color", ["TMUX": "/tmp/t,1,0", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.4"]),
    ("screen-256color", ["TMUX": "/tmp/t,1,0", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.5a"]),
    ("tmux-256color", ["TMUX": "/tmp/t,1,0", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "4.0"]),
  ])
  func terminalsWithLinksAreDetected(type: String, environment: [String: String]) {
    #expect(hasLinks(type, environment))
    #expect(!hasLinks(type, environment, .never))
  }

  @Test(arguments: [
    ("xterm-256color", [:]), ("xterm", ["XTERM_VERSION": "XTerm(379)", "KITTY_WINDOW_ID": "1"]),
    ("linux", ["VTE_VERSION": "7006"]),
    ("xterm-256color", ["VTE_VERSION": "4803"]), ("xterm-256color", ["VTE_VERSION": "4803", "KITTY_WINDOW_ID": "1"]),
    ("xterm-256color", ["VTE_VERSION": "5000"]),
    ("xterm-256color", ["KONSOLE_VERSION": "200800"]), ("rxvt-unicode-256color", ["KITTY_WINDOW_ID": "1"]),
    ("xterm-256color", ["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.0.15"]),
    ("xterm-256color", ["TERM_PROGRAM": "iTerm.app"]), ("xterm-256color", ["TERM_PROGRAM": "Apple_Terminal"]),
    ("xterm-256color", ["TERM_PROGRAM": "Apple_Terminal", "KITTY_WINDOW_ID": "1"]),
    ("tmux-256color", ["TMUX": "/tmp/t,1,0", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"]),
    ("tmux-256color", ["TMUX": "/tmp/t,1,0", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "next-3.4"]),
    ("tmux-256color", ["TMUX": "/tmp/t,1,0", "TERM_PROGRAM": "WezTerm"]), ("tmux-256color", ["TMUX": "/tmp/t,1,0"]),
    ("tmux-256color", [:]), ("screen", ["STY": "1.s", "KITTY_WINDOW_ID": "1"]), ("xterm-kitty", ["ZELLIJ": "0"]),
    ("xterm-256color", ["NVIM": "/run/nvim", "VTE_VERSION": "7006"]), ("xterm-kitty", ["INSIDE_EMACS": "29"]),
  ])
  func terminalsWithoutKnownSupportGetNoLinks(type: String, environment: [String: String]) {
    #expect(!hasLinks(type, environment))
    #expect(hasLinks(type, environment, .always))
  }
}
