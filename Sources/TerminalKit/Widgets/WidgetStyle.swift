/// The styles of the widgets, by role. A program's theme gives one.
///
/// The widgets show no state by color alone: what is selected or wrong also has a sign.
public struct WidgetStyle: Hashable, Sendable {
  /// Text.
  public var text: Style
  /// Text that matters less: counts, hints.
  public var quiet: Style
  /// The title line.
  public var title: Style
  /// The key in a hint.
  public var accent: Style
  /// A heading among lines of text.
  public var header: Style
  /// The selected line.
  public var selection: Style
  /// An error, beside its sign.
  public var error: Style
  /// The field that the keys go to.
  public var field: Style
  /// The background of a dialog or a chooser.
  public var popup: Style

  /// Styles that are right on light and dark terminals alike, unless others are given.
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
