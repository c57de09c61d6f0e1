import TerminalKit

/// Text for commands that print lines, with the same widths and symbols as on the screen.
public enum PlainColumns {
  /// Returns text that is safe for a terminal: control characters become symbols, and nothing shifts the columns next
  /// to it.
  public static func clean(_ text: String) -> String { DisplayText.clean(text) }

  /// Returns the display width of a text in columns.
  public static func width(of text: String) -> Int { TextWidth.columns(of: text) }

  /// Returns the lines of a text that is wrapped at this many columns, but not after hyphens.
  public static func wrapped(_ text: String, to columns: Int) -> [String] {
    TextWidth.wrap(text, columns: columns, breaksAfterHyphens: false)
  }

  /// Returns the widths of columns that have two spaces between them, the widest ones narrowed until a line fits.
  public static func narrowed(_ widths: [Int], to columns: Int) -> [Int] {
    var room = columns - 2 * (widths.count - 1)
    guard widths.reduce(0, +) > room else { return widths }
    var narrowed = widths
    // From the narrowest to the widest, each gets at most an equal share of the room that is left.
    for (count, index) in widths.indices.sorted(by: { (widths[$0], $0) < (widths[$1], $1) }).enumerated() {
      narrowed[index] = max(1, min(widths[index], room / (widths.count - count)))
      room -= narrowed[index]
    }
    return narrowed
  }

  /// Returns the text in exactly this many columns: padded with spaces, or truncated at a cluster, with `…` where it was
  /// cut. With `keepsEnd` that is the beginning, as of a path.
  public static func fitted(_ text: String, to columns: Int, keepsEnd: Bool = false) -> String {
    let width = TextWidth.columns(of: text)
    guard width > columns else { return text + String(repeating: " ", count: columns - width) }
    guard columns > 0 else { return "" }
    if keepsEnd {
      let (end, used) = TextWidth.prefix(of: String(text.reversed()), columns: columns - 1)
      return TextWidth.ellipsis + String(end.reversed()) + String(repeating: " ", count: columns - 1 - used)
    }
    let (beginning, used) = TextWidth.prefix(of: text, columns: columns - 1)
    return beginning + TextWidth.ellipsis + String(repeating: " ", count: columns - 1 - used)
  }
}
