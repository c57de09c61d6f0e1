import TerminalKit

/// The columns of the contacts and of the merged contact. If there is not enough room for all contacts, those around
/// the focused one are shown.
struct MergeColumns {
  /// The column of a contact. Its text begins after the marker.
  struct Column {
    let contact: Int
    let start: Int
    /// The number of columns of its text.
    let columns: Int
  }

  /// The number of columns for the names of the fields.
  let label: Int
  let contacts: [Column]
  let merged: (start: Int, columns: Int)
  private let total: Int

  private static let narrowest = 18

  init(_ content: MergeView.Content, _ focus: MergeView.Focus?, in rect: Rect) {
    let names = content.table.rows.map { TextWidth.columns(of: $0.name) }.max() ?? 0
    label = min(names + 2, rect.columns / 5)
    total = content.names.count
    // One column on the right for the scroll bar.
    let room = rect.columns - MergeView.marker - label - 1
    let shown = min(total, max(1, room / Self.narrowest - 1))
    let first = min(max(0, (focus?.column ?? 0) - shown / 2), total - shown)
    let each = room / (shown + 1)
    let start = rect.column + MergeView.marker + label
    let columns = max(1, each - MergeView.marker - 1)
    contacts = (0..<shown).map { Column(contact: first + $0, start: start + $0 * each, columns: columns) }
    merged = (start + shown * each, columns)
  }

  /// Returns which contacts are shown; empty if all are.
  func shownText(_ strings: Strings) -> String {
    guard contacts.count < total, let first = contacts.first else { return "" }
    return Self.text(first.contact, contacts.count, total, strings)
  }

  static func text(_ first: Int, _ count: Int, _ total: Int, _ strings: Strings) -> String {
    strings("duplicates.columns", String(first + 1), String(first + count), String(total))
  }
}
