import TerminalKit

/// The styles of everything on the screen, by role. State is never shown by color alone: what is selected, marked,
/// wrong or matched also has a sign or an attribute.
struct Theme: Equatable {
  /// Text.
  var text = Style.plain
  /// Text that matters less: labels, counts, hints.
  var quiet = Style.plain
  /// The title line.
  var title = Style.plain
  /// The one accent: the key in a hint, the current letter.
  var accent = Style.plain
  /// A section header.
  var header = Style.plain
  /// The selected row, where the keys go.
  var selection = Style.plain
  /// A matched character.
  var match = Style.plain
  /// An error, beside its sign.
  var error = Style.plain
  /// A field of a form.
  var field = Style.plain
  /// The field that the keys go to.
  var focusedField = Style.plain
  /// A dialog's or a chooser's ground.
  var popup = Style.plain
}

extension Theme {
  /// Names as the configuration file writes them.
  enum Name: String, CaseIterable, Sendable {
    case dark, light, contrast, monochrome, terminal
  }

  /// The theme of that name, brought down to what a terminal of so many colors can show.
  static func named(_ name: Name, colors: Int) -> Theme {
    guard colors >= 8 else { return monochrome }
    guard colors >= 256 else {
      // High contrast needs no more than the first sixteen.
      return name == .monochrome ? monochrome : name == .contrast && colors >= 16 ? contrast : terminal
    }
    return switch name {
    case .dark: dark
    case .light: light
    case .contrast: contrast
    case .monochrome: monochrome
    case .terminal: terminal
    }
  }

  /// The terminal's own sixteen colors, on its own ground: right on light and dark screens alike.
  static let terminal = Theme(
    quiet: Style(attributes: .dim),
    title: Style(attributes: .bold),
    accent: Style(foreground: .palette(6), attributes: .bold),
    header: Style(foreground: .palette(6)),
    selection: Style(attributes: .reverse),
    match: Style(foreground: .palette(3), attributes: [.bold, .underline]),
    error: Style(foreground: .palette(1), attributes: .bold),
    field: Style(attributes: .underline),
    focusedField: Style(attributes: [.underline, .bold]))

  /// No color: bold, dim, underline and reverse alone (https://no-color.org).
  static let monochrome = Theme(
    quiet: Style(attributes: .dim),
    title: Style(attributes: .bold),
    accent: Style(attributes: .bold),
    selection: Style(attributes: .reverse),
    match: Style(attributes: [.bold, .underline]),
    error: Style(attributes: .bold),
    field: Style(attributes: .underline),
    focusedField: Style(attributes: [.underline, .bold]))

  /// For a dark ground.
  static let dark = Theme(
    text: Style(foreground: .palette(253), background: .palette(235)),
    quiet: Style(foreground: .palette(246), background: .palette(235)),
    title: Style(foreground: .palette(255), background: .palette(237), attributes: .bold),
    accent: Style(foreground: .palette(80), background: .palette(235), attributes: .bold),
    header: Style(foreground: .palette(80), background: .palette(235)),
    selection: Style(foreground: .palette(255), background: .palette(24), attributes: .bold),
    match: Style(foreground: .palette(222), background: .palette(235), attributes: [.bold, .underline]),
    error: Style(foreground: .palette(210), background: .palette(235), attributes: .bold),
    field: Style(foreground: .palette(253), background: .palette(237)),
    focusedField: Style(foreground: .palette(255), background: .palette(239)),
    popup: Style(foreground: .palette(253), background: .palette(237)))

  /// For a light ground.
  static let light = Theme(
    text: Style(foreground: .palette(235), background: .palette(255)),
    quiet: Style(foreground: .palette(242), background: .palette(255)),
    title: Style(foreground: .palette(233), background: .palette(253), attributes: .bold),
    accent: Style(foreground: .palette(25), background: .palette(255), attributes: .bold),
    header: Style(foreground: .palette(25), background: .palette(255)),
    selection: Style(foreground: .palette(231), background: .palette(25), attributes: .bold),
    match: Style(foreground: .palette(130), background: .palette(255), attributes: [.bold, .underline]),
    error: Style(foreground: .palette(124), background: .palette(255), attributes: .bold),
    field: Style(foreground: .palette(235), background: .palette(253)),
    focusedField: Style(foreground: .palette(233), background: .palette(251)),
    popup: Style(foreground: .palette(235), background: .palette(253)))

  /// For eyes that need it: black, white and yellow, nothing dim.
  static let contrast = Theme(
    text: Style(foreground: .palette(15), background: .palette(0)),
    quiet: Style(foreground: .palette(15), background: .palette(0)),
    title: Style(foreground: .palette(0), background: .palette(15), attributes: .bold),
    accent: Style(foreground: .palette(11), background: .palette(0), attributes: .bold),
    header: Style(foreground: .palette(11), background: .palette(0), attributes: .bold),
    selection: Style(foreground: .palette(0), background: .palette(11), attributes: .bold),
    match: Style(foreground: .palette(11), background: .palette(0), attributes: [.bold, .underline]),
    error: Style(foreground: .palette(9), background: .palette(0), attributes: [.bold, .underline]),
    field: Style(foreground: .palette(15), background: .palette(0), attributes: .underline),
    focusedField: Style(foreground: .palette(0), background: .palette(15), attributes: .bold),
    popup: Style(foreground: .palette(15), background: .palette(0)))
}
