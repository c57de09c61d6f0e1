/// The terminal's support for images, judged by the environment. Querying the terminal would delay the first frame, and
/// its answer would be mixed with the keys.
enum ImageSupport {
  /// How images reach the terminal.
  struct Route: Hashable {
    var imageProtocol: ImageProtocol
    /// How kitty's sequences are sent.
    var wrapping = KittySequence.Wrapping.none
  }

  /// Returns how to send images; nil to send none.
  ///
  /// - Parameter type: the value of TERM.
  static func route(
    _ requested: NcursesTerminal.Options.Images, type: String, environment: (String) -> String?
  ) -> Route? {
    func has(_ names: String...) -> Bool { names.contains { !(environment($0) ?? "").isEmpty } }
    let isInTmux = has("TMUX")
    // GNU screen does not pass on sequences as long as an image.
    guard isInTmux || !(has("STY") || type.hasPrefix("screen")) else { return nil }
    switch requested {
    case .never: return nil
    case .always(.kitty): return Route(imageProtocol: .kitty, wrapping: isInTmux ? .tmux : .none)
    // tmux draws sixels itself, if it was built with support for them.
    case .always(.sixel): return Route(imageProtocol: .sixel)
    // tmux would pass the image on, but not the position of its pane.
    case .always(.iterm): return isInTmux ? nil : Route(imageProtocol: .iterm)
    case .automatic: break
    }
    // tmux passes images on only if `allow-passthrough` is on, which the environment does not show; it is off by
    // default. Other programs that contain a terminal pass on the outer terminal's environment.
    if isInTmux || has("ZELLIJ", "NVIM", "VIM_TERMINAL", "INSIDE_EMACS") { return nil }
    if showsPlaceholders(type, environment) { return Route(imageProtocol: .kitty) }
    return overlaid(type, environment).map { Route(imageProtocol: $0) }
  }

  private static func showsPlaceholders(_ type: String, _ environment: (String) -> String?) -> Bool {
    func has(_ names: String...) -> Bool { names.contains { !(environment($0) ?? "").isEmpty } }
    if let folder = environment("KITTY_INSTALLATION_DIR"), !KittyInstallation.showsPlaceholders(folder: folder) {
      return false
    }
    if type == "xterm-kitty" || type == "xterm-ghostty" { return true }
    // Terminals that were started from within kitty or Ghostty, and support other protocols or none.
    let others = has(
      "VTE_VERSION", "KONSOLE_VERSION", "WEZTERM_PANE", "ALACRITTY_WINDOW_ID", "XTERM_VERSION", "WT_SESSION", "MLTERM")
    guard type.hasPrefix("xterm"), !others else { return false }
    switch environment("TERM_PROGRAM") ?? "" {
    case "kitty", "ghostty": return true
    case "": return has("KITTY_WINDOW_ID")
    default: return false
    }
  }

  /// Returns the protocol of terminals that show sixels or iTerm2's images in their default configuration, and drop the
  /// pixels below new text. Konsole keeps them: an image would remain behind later text. The environment does not show
  /// whether xterm (only with `-ti vt340`), VS Code (only with `terminal.integrated.enableImages`) and Windows Terminal
  /// (only from 1.22) support images.
  private static func overlaid(_ type: String, _ environment: (String) -> String?) -> ImageProtocol? {
    for (name, imageProtocol) in [
      ("foot", ImageProtocol.sixel), ("contour", .sixel), ("mlterm", .sixel), ("wezterm", .iterm),
    ] where type == name || type.hasPrefix(name + "-") {
      return imageProtocol
    }
    guard type.hasPrefix("xterm") else { return nil }
    func has(_ name: String) -> Bool { !(environment(name) ?? "").isEmpty }
    // A terminal that was started from another one has the variables of both, and nothing shows which one it is.
    let program = environment("TERM_PROGRAM") ?? ""
    var candidates: [ImageProtocol?] = []
    if program == "WezTerm" || has("WEZTERM_PANE") { candidates.append(.iterm) }
    if program == "iTerm.app" || environment("LC_TERMINAL") == "iTerm2" { candidates.append(.iterm) }
    if has("MLTERM") { candidates.append(.sixel) }
    if !["", "WezTerm", "iTerm.app"].contains(program) { candidates.append(nil) }
    let others = [
      "VTE_VERSION", "KONSOLE_VERSION", "ALACRITTY_WINDOW_ID", "XTERM_VERSION", "WT_SESSION", "KITTY_WINDOW_ID",
      "GHOSTTY_RESOURCES_DIR",
    ]
    if others.contains(where: has) { candidates.append(nil) }
    return Set(candidates).count == 1 ? candidates[0] : nil
  }
}
