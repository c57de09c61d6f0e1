/// Whether the terminal shows images with kitty's placeholders, as far as the environment tells. Querying the terminal
/// would delay the first screen, and its answer would be mixed with the keys.
enum ImageSupport {
  /// How the image data are sent; nil if they are not.
  ///
  /// - Parameter type: the value of TERM.
  static func wrapping(
    _ requested: NcursesTerminal.Options.Images, type: String, environment: (String) -> String?
  ) -> KittySequence.Wrapping? {
    func has(_ names: String...) -> Bool { names.contains { !(environment($0) ?? "").isEmpty } }
    let isInTmux = has("TMUX")
    // GNU screen does not pass on anything as long as an image.
    guard requested != .never, isInTmux || !(has("STY") || type.hasPrefix("screen")) else { return nil }
    if requested == .always { return isInTmux ? .tmux : KittySequence.Wrapping.none }
    // tmux does not pass images on unless `allow-passthrough` is on, and does not say so; it is off by default. Other
    // programs that contain a terminal pass on the outer terminal's environment.
    if isInTmux || has("ZELLIJ", "NVIM", "INSIDE_EMACS") { return nil }
    if let folder = environment("KITTY_INSTALLATION_DIR"), !KittyInstallation.showsPlaceholders(folder: folder) {
      return nil
    }
    if type == "xterm-kitty" || type == "xterm-ghostty" { return KittySequence.Wrapping.none }
    // Terminals that were started from within kitty or Ghostty, and support other protocols or none.
    let others = has(
      "VTE_VERSION", "KONSOLE_VERSION", "WEZTERM_PANE", "ALACRITTY_WINDOW_ID", "XTERM_VERSION", "WT_SESSION")
    guard type.hasPrefix("xterm"), !others else { return nil }
    switch environment("TERM_PROGRAM") ?? "" {
    case "kitty", "ghostty": return KittySequence.Wrapping.none
    case "": return has("KITTY_WINDOW_ID") ? KittySequence.Wrapping.none : nil
    default: return nil
    }
  }
}
