/// Whether the terminal shows pictures by kitty's placeholders, as far as the environment tells. Asking the terminal would
/// hold the first screen up, and its answer would come among the keys.
enum ImageSupport {
  /// How the pictures' bytes are sent; nil when they are not.
  ///
  /// - Parameter type: the value of TERM.
  static func wrapping(
    _ wish: NcursesTerminal.Options.Images, type: String, environment: (String) -> String?
  ) -> KittySequence.Wrapping? {
    func has(_ names: String...) -> Bool { names.contains { !(environment($0) ?? "").isEmpty } }
    let isInTmux = has("TMUX")
    // GNU screen passes nothing on that is as long as a picture.
    guard wish != .never, isInTmux || !(has("STY") || type.hasPrefix("screen")) else { return nil }
    if wish == .always { return isInTmux ? .tmux : KittySequence.Wrapping.none }
    // tmux keeps pictures to itself unless `allow-passthrough` is on, and does not say so; it is off by default. Other
    // programs that have a terminal in them hand the outer one's environment on.
    if isInTmux || has("ZELLIJ", "NVIM", "INSIDE_EMACS") { return nil }
    if let folder = environment("KITTY_INSTALLATION_DIR"), !KittyInstallation.showsPlaceholders(folder: folder) {
      return nil
    }
    if type == "xterm-kitty" || type == "xterm-ghostty" { return KittySequence.Wrapping.none }
    // Terminals that were started from within kitty or Ghostty, and know other protocols or none.
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
