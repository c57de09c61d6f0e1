import TerminalKit

/// Text for commands that print lines instead of drawing a screen: the same widths and the same marks.
public enum PlainColumns {
  /// The text as a terminal may be given it: control characters as marks, nothing that moves the columns beside it.
  public static func clean(_ text: String) -> String { DisplayText.clean(text) }

  /// Columns that a terminal gives to a text.
  public static func width(of text: String) -> Int { TextWidth.columns(of: text) }

  /// The text cut at a cluster so that it takes at most this many columns, the last one for `…`, and filled up with blanks.
  public static func fitted(_ text: String, to columns: Int) -> String {
    let width = TextWidth.columns(of: text)
    guard width > columns else { return text + String(repeating: " ", count: columns - width) }
    guard columns > 0 else { return "" }
    let (beginning, used) = TextWidth.prefix(of: text, columns: columns - 1)
    return beginning + "…" + String(repeating: " ", count: columns - 1 - used)
  }
}
