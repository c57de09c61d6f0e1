import TerminalKit

/// The styles of everything on the screen, by role. Selections, marks, errors and matches are never shown by color
/// alone: they also have a symbol or an attribute.
struct Theme: Equatable {
  /// Normal text.
  var text = Style.plain
  /// Less important text: labels, counts, hints.
  var quiet = Style.plain
  /// The title line.
  var title = Style.plain
  /// The accent: the key in a hint, the current letter.
  var accent = Style.plain
  /// A section header.
  var header = Style.plain
  /// The selected row.
  var selection = Style.plain
  /// A matched character.
  var match = Style.plain
  /// An error message, which also has a symbol.
  var error = Style.plain
  /// A field of a form.
  var field = Style.plain
  /// The focused field.
  var focusedField = Style.plain
  /// The background of a dialog or a chooser.
  var popup = Style.plain
  /// Added to another style where that is less prominent: in lines, placeholders, the frame of a dialog.
  var faint = Style.Attributes.dim
}

extension Theme {
  /// The names in the configuration file.
  enum Name: String, CaseIterable, Sendable {
    case dark, light, contrast, monochrome, terminal
  }

  /// Returns the theme with this name, or one that needs fewer colors if the terminal has too few.
  static func named(_ name: Name, colors: Int) -> Theme {
    guard colors >= 8 else { return monochrome }
    guard colors >= 256 else {
      // High contrast only needs the first sixteen.
      return name == .monochrome ? monochrome : name == .contrast && colors >= 16 ? contrast : basic
    }
    return switch name {
    case .dark: dark
    case .light: light
    case .contrast: contrast
    case .monochrome: monochrome
    case .terminal: terminal
    }
  }

  /// The terminal's own background, which may be light or dark. Its own cyan and yellow cannot be read on white, and dim
  /// is as faint as the terminal makes it: these colors have a contrast of 4.5 or more on common backgrounds.
  static let terminal = onOwnBackground(
    accent: .adaptive(dark: 80, light: 25), match: .adaptive(dark: 222, light: 94),
    error: .adaptive(dark: 210, light: 124), quiet: Style(foreground: .adaptive(dark: 248, light: 241)))

  /// The same with the first eight colors.
  static let basic = onOwnBackground(
    accent: .adaptive(dark: 6, light: 4), match: .adaptive(dark: 3, light: 5), error: .palette(1),
    quiet: Style(attributes: .dim))

  private static func onOwnBackground(accent: Color, match: Color, error: Color, quiet: Style) -> Theme {
    Theme(
      quiet: quiet,
      title: Style(attributes: .bold),
      accent: Style(foreground: accent, attributes: .bold),
      header: Style(foreground: accent),
      selection: Style(attributes: .reverse),
      match: Style(foreground: match, attributes: [.bold, .underline]),
      error: Style(foreground: error, attributes: .bold),
      field: Style(attributes: .underline),
      focusedField: Style(attributes: [.underline, .bold]))
  }

  /// No color: only bold, dim, underline and reverse (https://no-color.org).
  static let monochrome = Theme(
    quiet: Style(attributes: .dim),
    title: Style(attributes: .bold),
    accent: Style(attributes: .bold),
    selection: Style(attributes: .reverse),
    match: Style(attributes: [.bold, .underline]),
    error: Style(attributes: .bold),
    field: Style(attributes: .underline),
    focusedField: Style(attributes: [.underline, .bold]))

  /// Light text on a dark background.
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

  /// Dark text on a light background.
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

  /// High contrast: black, white and yellow, red for errors; none of its styles is dim.
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
    popup: Style(foreground: .palette(15), background: .palette(0)),
    faint: [])
}
