import AddressBookModel
import BookSearching
import TerminalKit

/// The line at the top: the content of the list and the number of marks, or the search.
@MainActor
final class TitleBar {
  private let environment: AppEnvironment
  private let list: ContactList
  private let search: ListSearch
  private var rect = Rect(row: 0, column: 0, rows: 0, columns: 0)
  /// What the line shows; nil during a search.
  private var content: Content?
  /// What the line shows during a search; otherwise nil.
  private var searchLine: SearchLine?
  private var drawn = LastDrawn<Content>()
  /// The key hints, which are shown while no contact is marked.
  private lazy var hints = environment.hints([.search, .help], in: .list)
    .map { $0.keys.joined() + " " + $0.word }.joined(separator: "   ")

  /// The content of the line outside of a search.
  private struct Content: Equatable {
    var scope: String?
    /// The color of the folder, as `#RRGGBB`; empty for none.
    var color: String
    var count: Int
    /// The index of the selected row across all sections; nil if it is not shown.
    var row: Int?
    var markedCount: Int
    var order: ContactSortOrder
    var isReordering: Bool
    /// Why the book cannot be changed; nil if it can.
    var readOnlyReason: StoreError.Reason?
    /// True while `sync --watch` is running for the book in another process.
    var isSyncing: Bool
  }

  /// A narrower line shows the number of marked contacts without words.
  private static let columnsForWords = 48

  init(environment: AppEnvironment, list: ContactList, search: ListSearch) {
    self.environment = environment
    self.list = list
    self.search = search
  }

  // MARK: Drawing

  /// - Parameters:
  ///   - row: the index of the selected row across all sections; nil if it is not shown.
  ///   - line: the line at the top.
  func prepare(row: Int?, markedCount: Int, in line: Rect) {
    rect = line
    searchLine = search.isShown ? layOutSearch(markedCount) : nil
    content =
      search.isShown
      ? nil
      : Content(
        scope: list.filter.scope, color: list.filter.folder?.color ?? "", count: list.rowCount, row: row,
        markedCount: markedCount, order: list.shown.order, isReordering: list.isReordering,
        readOnlyReason: environment.book.readOnlyReason, isSyncing: environment.isSyncing)
  }

  func invalidateDrawing() { drawn.invalidate() }

  func draw(on canvas: inout Canvas) {
    if let searchLine {
      drawn.invalidate()
      return search.draw(in: searchLine, on: &canvas)
    }
    guard let content, !drawn.isSame(content) else { return }
    let marks = marks(content.markedCount)
    Bars(theme: environment.theme).drawTitle(
      environment.strings("app.title"), detail: text(of: content), dot: Color(hexadecimal: content.color),
      right: marks.isEmpty ? hints : marks, isRightNeeded: !marks.isEmpty, on: &canvas, in: rect)
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
    if let reason = content.readOnlyReason {
      parts.append(strings(reason == .diskFull ? "list.diskFull" : "list.readOnly"))
    }
    if content.isSyncing { parts.append(strings("list.syncing")) }
    return parts.joined(separator: strings("list.separator"))
  }

  /// The number of marked contacts as text, which is shown at any width; empty if there are none.
  private func marks(_ count: Int) -> String {
    guard count > 0 else { return "" }
    let strings = environment.strings
    return "● " + (rect.columns < Self.columnsForWords ? strings.number(count) : strings.count("list.marked", count))
  }

  // MARK: Search

  /// Starts typing at the clicked position of the search field.
  /// - Returns: true if the field is there.
  func press(_ position: Point) -> Bool {
    guard let field = searchLine?.field, field.contains(position) else { return false }
    search.press(column: position.column, in: field)
    return true
  }

  private func layOutSearch(_ markedCount: Int) -> SearchLine {
    let marks = marks(markedCount)
    return SearchLine(
      scope: list.filter.scope ?? "",
      summary: marks.isEmpty ? searchSummary : searchSummary + environment.strings("list.separator") + marks,
      in: rect, environment: environment)
  }

  private var searchSummary: String {
    let strings = environment.strings
    if let progress = list.indexingProgress {
      return strings("search.indexing", strings.number(progress.done), strings.number(progress.total))
    }
    return strings.count(list.shown.isCorrected ? "search.similar" : "search.found", list.rowCount)
  }
}

/// The text shown in place of an empty list, on the main screen and the directory screen.
struct EmptyList {
  /// Why the list is empty.
  enum Reason {
    case loading
    /// No contact matches the search in the group, folder or collection, or in the whole book if `group` is nil.
    case notFound(String, group: String?, backKey: String)
    case emptyGroup(String, backKey: String)
    case emptyBook
    /// No contact to choose matches the search; nil if there is none to choose at all.
    case nothingToPick(String?)
  }

  let environment: AppEnvironment

  struct Line {
    /// The label of a key that is offered; empty for none.
    var key = ""
    var text: String
    var style: Style
  }

  @MainActor
  func draw(_ reason: Reason, on canvas: inout Canvas, in rect: Rect) { draw(lines(reason), on: &canvas, in: rect) }

  /// Draws lines in the middle of the rectangle, wrapped to its width.
  @MainActor
  func draw(_ lines: [Line], on canvas: inout Canvas, in rect: Rect) {
    // The texts of lines with keys are aligned.
    let keyWidth = min(lines.map { TextWidth.columns(of: $0.key) }.max() ?? 0, max(1, rect.columns / 2))
    func indent(of line: Line) -> Int { line.key.isEmpty ? 0 : keyWidth + 2 }
    let wrapped = lines.flatMap { line in
      TextWidth.wrap([line.text], columns: rect.columns - 4 - indent(of: line), limit: rect.rows).enumerated().map {
        Line(key: $0.offset == 0 || line.key.isEmpty ? line.key : " ", text: $0.element, style: line.style)
      }
    }
    let width = wrapped.map { TextWidth.columns(of: $0.text) + indent(of: $0) }.max() ?? 0
    let left = rect.column + max(1, (rect.columns - width) / 2)
    let top = rect.row + max(0, (rect.rows - wrapped.count) / 2)
    for (index, line) in wrapped.enumerated() where top + index < rect.endRow {
      canvas.put(line.key, at: Point(row: top + index, column: left), limit: keyWidth, style: environment.theme.accent)
      let column = left + indent(of: line)
      canvas.put(
        line.text, at: Point(row: top + index, column: column), limit: max(0, rect.endColumn - column - 1),
        style: line.style)
    }
  }

  @MainActor
  private func lines(_ reason: Reason) -> [Line] {
    let (strings, theme, keys) = (environment.strings, environment.theme, environment.keys)
    let heading = theme.text.adding(.bold)
    switch reason {
    case .loading: return [Line(text: strings("list.loading"), style: theme.quiet)]
    case .notFound(let query, let group, let backKey):
      let title = group.map { strings("search.none.inGroup", query, $0) } ?? strings("search.none", query)
      let mail = keys.label(of: .collect, in: .list)
      return [
        Line(text: title, style: heading), Line(text: strings("search.none.hint", backKey), style: theme.quiet),
        BookSearch.asksForLastContact(query)
          ? Line(text: strings("search.none.contacted", mail), style: theme.quiet)
          : Line(
            text: strings("search.none.operators", SearchOperator.allCases.map(\.example).joined(separator: "  ")),
            style: theme.quiet),
      ]
    case .emptyGroup(let group, let backKey):
      let hint = strings("group.empty.hint", keys.label(of: .groups, in: .list), backKey)
      return [Line(text: strings("group.empty", group), style: heading), Line(text: hint, style: theme.quiet)]
    case .nothingToPick(let query):
      let text = query.map { strings("search.none", $0) } ?? strings("pick.none")
      return [Line(text: text, style: heading)]
    case .emptyBook:
      let offers: [(Command, String)] = [
        (.add, "empty.add"), (.import, "empty.import"), (.demo, "empty.demo"), (.help, "empty.help"),
        (.quit, "empty.quit"),
      ]
      return [Line(text: strings("empty.title"), style: heading), Line(text: "", style: theme.text)]
        + offers.map { Line(key: keys.label(of: $0.0, in: .list), text: strings($0.1), style: theme.text) }
    }
  }
}
