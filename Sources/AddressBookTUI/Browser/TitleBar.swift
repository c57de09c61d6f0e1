import AddressBookModel
import TerminalKit

/// The line at the top: the content of the list and the number of marks, or the search.
@MainActor
final class TitleBar {
  private let environment: AppEnvironment
  private let list: ContactList
  private let search: ListSearch
  private var drawn = LastDrawn<Content>()
  /// The hints in the line.
  private lazy var hints = [(Command.search, "hint.search"), (.help, "hint.help")]
    .map { environment.keys.label(of: $0.0, in: .list) + " " + environment.strings($0.1) }.joined(separator: "   ")

  /// The content of the line outside of a search.
  private struct Content: Equatable {
    var scope: String?
    var color: String
    var count: Int
    /// The index of the selected row across all sections; nil if it is not shown.
    var row: Int?
    var markedCount: Int
    var order: ContactSortOrder
    var isReordering: Bool
    var isReadOnly: Bool
    /// Whether `sync --watch` is running for the book in another process.
    var isSyncing: Bool
  }

  /// The content of the line during a search.
  private struct SearchLine {
    /// The group that is searched.
    var group: String
    var groupColumns: Int
    var field: Rect
    var summary: String
  }

  /// A narrower line shows the number of marked contacts without words.
  private static let columnsForWords = 48

  init(environment: AppEnvironment, list: ContactList, search: ListSearch) {
    self.environment = environment
    self.list = list
    self.search = search
  }

  func invalidateDrawing() { drawn.invalidate() }

  /// - Parameter row: the index of the selected row across all sections; nil if it is not shown.
  func draw(row: Int?, markedCount: Int, on canvas: inout Canvas, in line: Rect) {
    guard !search.isShown else {
      drawn.invalidate()
      return drawSearch(markedCount, on: &canvas, in: line)
    }
    let content = Content(
      scope: list.filter.scope, color: list.filter.folder?.color ?? "", count: list.rowCount, row: row,
      markedCount: markedCount, order: list.shownOrder, isReordering: list.isReordering,
      isReadOnly: environment.book.isReadOnly, isSyncing: environment.isSyncing)
    if drawn.isSame(content) { return }
    let marks = marks(markedCount, in: line)
    Bars(theme: environment.theme).drawTitle(
      environment.strings("app.title"), detail: text(of: content), dot: Color(hexadecimal: content.color),
      right: marks.isEmpty ? hints : marks,
      isRightNeeded: !marks.isEmpty, on: &canvas, in: line)
  }

  private func text(of content: Content) -> String {
    let strings = environment.strings
    var parts = [content.scope ?? strings("list.all")]
    if content.count > 0 {
      let count = strings.number(content.count)
      parts.append(content.row.map { strings("list.of", strings.number($0 + 1), count) } ?? count)
    }
    if content.isReordering {
      parts.append(strings("list.sorting"))
    } else if content.order != .name {
      parts.append(strings("list.by." + content.order.rawValue))
    }
    if content.isReadOnly { parts.append(strings("list.readOnly")) }
    if content.isSyncing { parts.append(strings("list.syncing")) }
    return parts.joined(separator: strings("list.separator"))
  }

  /// The number of marked contacts, which is always shown; empty if there are none.
  private func marks(_ count: Int, in line: Rect) -> String {
    guard count > 0 else { return "" }
    let strings = environment.strings
    return "● " + (line.columns < Self.columnsForWords ? strings.number(count) : strings.count("list.marked", count))
  }

  // MARK: Search

  /// The rectangle of the search field; nil outside of a search.
  func searchField(markedCount: Int, in line: Rect) -> Rect? {
    search.isShown ? searchLine(markedCount, in: line).field : nil
  }

  private func searchLine(_ markedCount: Int, in line: Rect) -> SearchLine {
    let strings = environment.strings
    let marks = marks(markedCount, in: line)
    let summary = marks.isEmpty ? searchSummary : searchSummary + strings("list.separator") + marks
    let room = line.columns - TextWidth.columns(of: summary) - 4
    let sign = strings("search.prompt") + " "
    let group = list.filter.scope.map { DisplayText.clean($0) + " " } ?? ""
    // Leave room for a short word in the field.
    let groupColumns = min(TextWidth.columns(of: group), max(0, min(line.columns / 3, room - 12)))
    let promptColumns = groupColumns + TextWidth.columns(of: sign)
    let field = Rect(
      row: line.row, column: line.column + 1 + promptColumns, rows: 1, columns: max(4, room - promptColumns))
    return SearchLine(group: group, groupColumns: groupColumns, field: field, summary: summary)
  }

  private var searchSummary: String {
    let strings = environment.strings
    if let progress = list.indexingProgress {
      return strings("search.indexing", strings.number(progress.done), strings.number(progress.total))
    }
    return strings.count("search.found", list.rowCount)
  }

  private func drawSearch(_ markedCount: Int, on canvas: inout Canvas, in line: Rect) {
    let style = environment.theme.title
    let content = searchLine(markedCount, in: line)
    Bars(theme: environment.theme).drawTitle("", right: content.summary, isRightNeeded: true, on: &canvas, in: line)
    canvas.put(
      content.group, at: Point(row: line.row, column: line.column + 1), limit: content.groupColumns, style: style)
    canvas.put(
      environment.strings("search.prompt"), at: Point(row: line.row, column: line.column + 1 + content.groupColumns),
      limit: 2, style: style)
    search.draw(on: &canvas, in: content.field, style: style)
  }
}
