/// The images in a terminal: each is sent only if the terminal lacks it, and the least recently shown ones are deleted.
/// For implementations of ``Terminal`` that show images; see ``Terminal/imageCell``.
public struct ImageStore: Sendable {
  /// The number of images to keep in the terminal, unless a frame has more. It is small, because a crash must be able
  /// to delete them all.
  public static let limit = 8

  private let sequence: KittySequence
  /// Ordered by use: the most recently shown image is at the end.
  private var held: [Entry] = []

  private struct Entry: Sendable {
    let image: TerminalImage
    /// False if the terminal may have lost the image.
    var isSent: Bool
  }

  /// Creates a store for a terminal without images yet, with the given protocol.
  public init(_ sequence: KittySequence = KittySequence()) { self.sequence = sequence }

  /// Returns the bytes to send before a frame with these images: they transmit the images that the terminal lacks and
  /// delete old ones.
  public mutating func show(_ images: [TerminalImage]) -> [UInt8] {
    var bytes: [UInt8] = []
    for image in images {
      var entry = Entry(image: image, isSent: false)
      if let index = held.firstIndex(where: { $0.image == image }) { entry = held.remove(at: index) }
      if !entry.isSent { bytes += sequence.transmission(of: image) }
      held.append(Entry(image: image, isSent: true))
    }
    while held.count > max(Self.limit, images.count) { bytes += sequence.deletion(of: held.removeFirst().image) }
    return bytes
  }

  /// Marks all images as possibly lost: each is sent again when it is next shown.
  public mutating func invalidate() {
    for index in held.indices { held[index].isSent = false }
  }

  /// The bytes that delete the ``limit`` most recently shown images, for use in a crash.
  public var deletion: [UInt8] { held.suffix(Self.limit).flatMap { sequence.deletion(of: $0.image) } }

  /// Returns the bytes that delete all images; the store is empty afterwards.
  public mutating func removeAll() -> [UInt8] {
    defer { held = [] }
    return held.flatMap { sequence.deletion(of: $0.image) }
  }
}

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
