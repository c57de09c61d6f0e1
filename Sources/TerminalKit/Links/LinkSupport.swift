/// The terminal's support for links (OSC 8), judged by the environment. Most terminals without links ignore the
/// sequence, but some display it (VTE 0.42), so only terminals that are known to support it get it.
enum LinkSupport {
  /// - Parameter type: the value of TERM.
  static func hasLinks(
    _ requested: NcursesTerminal.Options.Links, type: String, environment: (String) -> String?
  ) -> Bool {
    func value(_ name: String) -> String { environment(name) ?? "" }
    func has(_ names: String...) -> Bool { names.contains { !value($0).isEmpty } }
    switch requested {
    case .always: return true
    case .never: return false
    case .automatic: break
    }
    let program = (name: value("TERM_PROGRAM"), version: value("TERM_PROGRAM_VERSION"))
    // From 3.4 on, tmux keeps links and sends them to terminals that support them.
    if has("TMUX") { return program.name == "tmux" && isVersion(program.version, atLeast: 3, 4) }
    // Other programs with a terminal inside pass on the environment of the outer one.
    if has("STY", "ZELLIJ", "NVIM", "INSIDE_EMACS") { return false }
    let types = ["xterm-kitty", "xterm-ghostty", "foot", "wezterm", "alacritty"]
    if types.contains(where: type.hasPrefix) { return true }
    // The following variables say nothing about a terminal of another type that was started from one of these
    // terminals.
    guard type.hasPrefix("xterm"), !has("XTERM_VERSION") else { return false }
    // VTE 0.50.0 crashes on links.
    if has("VTE_VERSION") { return (Int(value("VTE_VERSION")) ?? 0) >= 5001 }
    if has("KONSOLE_VERSION") { return (Int(value("KONSOLE_VERSION")) ?? 0) >= 201_200 }
    switch program.name {
    case "WezTerm", "ghostty", "kitty": return true
    case "iTerm.app": return isVersion(program.version, atLeast: 3, 1)
    case "vscode": return isVersion(program.version, atLeast: 1, 72)
    case "": return has("KITTY_WINDOW_ID", "ALACRITTY_WINDOW_ID", "WT_SESSION")
    default: return false
    }
  }

  /// Compares the first two numbers of `3.4`, `3.5a` or `20240203-110809-5046fc22`.
  private static func isVersion(_ text: String, atLeast major: Int, _ minor: Int) -> Bool {
    let numbers = text.split(separator: ".", maxSplits: 2).map { Int($0.prefix { $0.isASCII && $0.isNumber }) }
    guard let first = numbers.first, let first else { return false }
    return (first, (numbers.count > 1 ? numbers[1] : nil) ?? 0) >= (major, minor)
  }
}
