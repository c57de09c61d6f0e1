/// Whether the terminal knows links (OSC 8), as far as the environment tells. Most terminals that do not know them pass the
/// sequence over, but some show it or crash (VTE before 0.50), so that only those get it that are known to know it.
enum LinkSupport {
  /// - Parameter type: the value of TERM.
  static func knowsLinks(
    _ wish: NcursesTerminal.Options.Links, type: String, environment: (String) -> String?
  ) -> Bool {
    func value(_ name: String) -> String { environment(name) ?? "" }
    func has(_ names: String...) -> Bool { names.contains { !value($0).isEmpty } }
    switch wish {
    case .always: return true
    case .never: return false
    case .automatic: break
    }
    let program = (name: value("TERM_PROGRAM"), version: value("TERM_PROGRAM_VERSION"))
    // tmux keeps them from 3.4 on, and gives them to terminals that know them.
    if has("TMUX") { return program.name == "tmux" && isVersion(program.version, atLeast: 3, 4) }
    // Other programs that have a terminal in them hand the outer one's environment on.
    if has("STY", "ZELLIJ", "NVIM", "INSIDE_EMACS") { return false }
    let types = ["xterm-kitty", "xterm-ghostty", "foot", "wezterm", "alacritty"]
    if types.contains(where: type.hasPrefix) { return true }
    // What follows says nothing of a terminal of another name that was started from within one of these.
    guard type.hasPrefix("xterm"), !has("XTERM_VERSION") else { return false }
    if has("VTE_VERSION") { return (Int(value("VTE_VERSION")) ?? 0) >= 5000 }
    if has("KONSOLE_VERSION") { return (Int(value("KONSOLE_VERSION")) ?? 0) >= 201_200 }
    switch program.name {
    case "WezTerm", "ghostty", "kitty": return true
    case "iTerm.app": return isVersion(program.version, atLeast: 3, 1)
    case "vscode": return isVersion(program.version, atLeast: 1, 72)
    case "": return has("KITTY_WINDOW_ID", "ALACRITTY_WINDOW_ID", "WT_SESSION")
    default: return false
    }
  }

  /// Reads the first two numbers of `3.4`, `3.5a` or `20240203-110809-5046fc22`.
  private static func isVersion(_ text: String, atLeast major: Int, _ minor: Int) -> Bool {
    let numbers = text.split(separator: ".", maxSplits: 2).map { Int($0.prefix { $0.isASCII && $0.isNumber }) }
    guard let first = numbers.first, let first else { return false }
    return (first, (numbers.count > 1 ? numbers[1] : nil) ?? 0) >= (major, minor)
  }
}
