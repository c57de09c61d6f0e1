import TerminalKit

/// How a person wants pictures to be shown, as the configuration file writes it.
enum PictureSetting: String, CaseIterable, Sendable {
  /// As pixels where the terminal is known to show them, else as characters.
  case auto
  /// As pixels by kitty's protocol.
  case kitty
  /// As characters.
  case symbols
  /// Not with a person; only where one is chosen.
  case off

  /// What the terminal is asked for.
  var images: NcursesTerminal.Options.Images {
    switch self {
    case .auto: .automatic
    case .kitty: .always
    case .symbols, .off: .never
    }
  }
}
