/// The styles of the widgets, by role, as given by a program's theme.
///
/// The widgets never show a state by color alone: the selection also has a symbol or the cursor, and an error has a
/// symbol.
public struct WidgetStyle: Hashable, Sendable {
  /// Normal text.
  public var text: Style
  /// Less important text: counts, hints.
  public var quiet: Style
  /// The title line.
  public var title: Style
  /// Keys in hints and help, and the thumb of the scroll bar of a list or pager.
  public var accent: Style
  /// A heading inside text.
  public var header: Style
  /// The selected line.
  public var selection: Style
  /// An error, in addition to its symbol.
  public var error: Style
  /// The focused field.
  public var field: Style
  /// A popup, such as a dialog or a chooser.
  public var popup: Style

  /// Creates styles that work on light and dark terminals, unless others are given.
  public init(
    text: Style = .plain, quiet: Style = Style(attributes: .dim), title: Style = Style(attributes: .bold),
    accent: Style = Style(foreground: .palette(6), attributes: .bold), header: Style = Style(foreground: .palette(6)),
    selection: Style = Style(attributes: .reverse),
    error: Style = Style(foreground: .palette(1), attributes: .bold),
    field: Style = Style(attributes: [.underline, .bold]), popup: Style = .plain
  ) {
    self.text = text
    self.quiet = quiet
    self.title = title
    self.accent = accent
    self.header = header
    self.selection = selection
    self.error = error
    self.field = field
    self.popup = popup
  }
}
