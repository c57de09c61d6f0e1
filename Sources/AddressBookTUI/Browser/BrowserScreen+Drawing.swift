import AddressBookModel
import TerminalKit

extension BrowserScreen {
  func prepare(in rect: Rect) {
    let layout = BrowserLayout(window: rect, showsDetail: showsDetail)
    self.layout = layout
    isSplit = !layout.divider.isEmpty
    listRows = max(1, layout.list.isEmpty ? rect.rows - 2 : layout.list.rows)
    list.prepare(height: listRows)
    prepareDetail(layout)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    guard let layout else { return }
    let last = list.rowCount > 0 ? drawn.last(for: layout, size: canvas.size) : nil
    if let last {
      canvas = last
      canvas.cursor = nil
    } else {
      drawn.forget()
    }
    drawTitle(on: &canvas, in: layout.title)
    drawBottom(on: &canvas, in: layout.bottom)
    guard list.rowCount > 0 else {
      drawEmptyState(on: &canvas, in: rect.inset(top: 1, bottom: 1))
      return
    }
    if !layout.list.isEmpty { drawList(on: &canvas, in: layout.list) }
    if !layout.divider.isEmpty { drawDivider(on: &canvas, in: layout.divider) }
    if !layout.detail.isEmpty { drawDetail(on: &canvas, in: layout.detail) }
    drawIndexBar(on: &canvas, in: layout.index)
    drawn.keep(canvas, layout)
  }

  // MARK: Lines at the top and the bottom

  private func drawTitle(on canvas: inout Canvas, in line: Rect) {
    let title = DrawnParts.Title(
      group: list.filter.group, count: list.rowCount, row: isSplit ? titlePosition.row : nil, markedCount: marked.count,
      isReadOnly: environment.book.isReadOnly)
    if drawn.isSame(isSearchShown ? nil : title) { return }
    if isSearchShown {
      drawSearch(on: &canvas, in: line)
    } else {
      let bars = Bars(theme: environment.theme)
      let marks = marks(title.markedCount, in: line)
      bars.drawTitle(
        environment.strings("app.title"), detail: text(of: title), right: marks.isEmpty ? titleHints : marks,
        isRightNeeded: !marks.isEmpty, on: &canvas, in: line)
    }
  }

  private func text(of title: DrawnParts.Title) -> String {
    let strings = environment.strings
    var parts = [title.group ?? strings("list.all")]
    if title.count > 0 {
      let count = strings.number(title.count)
      parts.append(title.row.map { strings("list.of", strings.number($0 + 1), count) } ?? count)
    }
    if title.isReadOnly { parts.append(strings("list.readOnly")) }
    return parts.joined(separator: strings("list.separator"))
  }

  /// How many are marked, whatever else the title says; empty when nobody is.
  private func marks(_ count: Int, in line: Rect) -> String {
    guard count > 0 else { return "" }
    let strings = environment.strings
    return "● " + (line.columns < Self.columnsForWords ? strings.number(count) : strings.count("list.marked", count))
  }

  /// A narrower title line has the number of the marked contacts alone.
  private static var columnsForWords: Int { 48 }

  /// What stands in the title line while the list is searched.
  private struct SearchLine {
    /// The group that is searched, and the sign of the search.
    var prompt: String
    var promptColumns: Int
    var field: Rect
    var summary: String
  }

  private func searchLine(in line: Rect) -> SearchLine {
    let strings = environment.strings
    let marks = marks(marked.count, in: line)
    let summary = marks.isEmpty ? searchSummary : searchSummary + strings("list.separator") + marks
    let room = line.columns - TextWidth.columns(of: summary) - 4
    let sign = strings("search.prompt") + " "
    let group = list.filter.group.map { DisplayText.clean($0) + " " } ?? ""
    // The field keeps room for a short word.
    let groupColumns = min(TextWidth.columns(of: group), max(0, min(line.columns / 3, room - 12)))
    let promptColumns = groupColumns + TextWidth.columns(of: sign)
    let field = Rect(
      row: line.row, column: line.column + 1 + promptColumns, rows: 1, columns: max(4, room - promptColumns))
    return SearchLine(prompt: group, promptColumns: groupColumns, field: field, summary: summary)
  }

  /// Where the search is typed; nil while nobody searches.
  func searchFieldRect(in line: Rect) -> Rect? { isSearchShown ? searchLine(in: line).field : nil }

  private var isSearchShown: Bool { mode == .search || !filterText.isEmpty }

  private func drawSearch(on canvas: inout Canvas, in line: Rect) {
    let theme = environment.theme
    let search = searchLine(in: line)
    Bars(theme: theme).drawTitle("", right: search.summary, isRightNeeded: true, on: &canvas, in: line)
    canvas.put(
      search.prompt, at: Point(row: line.row, column: line.column + 1), limit: search.promptColumns,
      style: theme.title)
    canvas.put(
      environment.strings("search.prompt"), at: Point(row: line.row, column: line.column + 1 + search.promptColumns),
      limit: 2, style: theme.title)
    searchField.draw(on: &canvas, in: search.field, style: theme.title, focused: mode == .search)
  }

  private var searchSummary: String {
    let strings = environment.strings
    if let progress = list.indexingProgress {
      return strings("search.indexing", strings.number(progress.done), strings.number(progress.total))
    }
    return strings.count("search.found", list.rowCount)
  }

  private func drawBottom(on canvas: inout Canvas, in line: Rect) {
    let content = DrawnParts.Bottom(
      mode: mode, message: message?.text, isError: message?.isError ?? false, task: task?.text,
      isEmpty: list.rowCount == 0, showsDetail: showsDetail, hasMarks: !marked.isEmpty, isSearched: !filterText.isEmpty,
      isGroup: list.filter.group != nil)
    if drawn.isSame(content) { return }
    let bars = Bars(theme: environment.theme)
    let strings = environment.strings
    if let message {
      bars.drawMessage(message.text, isError: message.isError, on: &canvas, in: line)
    } else if let task {
      bars.drawMessage(task.text, isError: false, on: &canvas, in: line)
    } else if mode == .jump {
      bars.drawMessage(strings("jump.prompt"), isError: false, on: &canvas, in: line)
    } else {
      bars.drawHints(hints, on: &canvas, in: line)
    }
  }

  private var hints: [Hint] {
    func hint(_ command: Command, _ context: KeyContext, _ word: String) -> Hint {
      Hint(key: environment.keys.label(of: command, in: context), word: environment.strings("hint." + word))
    }
    if mode == .search {
      return [
        hint(.searchKeep, .search, "keep"), hint(.searchCancel, .search, "endSearch"), hint(.help, .search, "help"),
      ]
    }
    if list.rowCount == 0 { return backHints + [hint(.help, .list, "help"), hint(.quit, .list, "quit")] }
    if showsDetail {
      return [
        hint(.back, .list, "back"), hint(.edit, .list, "edit"), hint(.delete, .list, "delete"),
        hint(.openLink, .list, "openLink"), hint(.copy, .list, "copy"), hint(.undo, .list, "undo"),
        hint(.help, .list, "help"),
      ]
    }
    if !marked.isEmpty {
      return [
        hint(.mark, .list, "mark"), hint(.delete, .list, "delete"), hint(.addToGroup, .list, "join"),
        hint(.removeFromGroup, .list, "leave"), hint(.export, .list, "export"),
      ] + backHints
    }
    return backHints + [
      hint(.add, .list, "add"), hint(.edit, .list, "edit"), hint(.delete, .list, "delete"), hint(.undo, .list, "undo"),
      hint(.mark, .list, "mark"), hint(.jump, .list, "jump"), hint(.groups, .list, "groups"),
      hint(.quit, .list, "quit"),
    ]
  }

  /// Where the next step back leads; nothing where there is none.
  private var backHints: [Hint] {
    let word: String
    if !filterText.isEmpty {
      word = "endSearch"
    } else if list.filter.group != nil {
      word = "all"
    } else if !marked.isEmpty {
      word = "unmark"
    } else {
      return []
    }
    return [Hint(key: environment.keys.label(of: .back, in: .list), word: environment.strings("hint." + word))]
  }

  // MARK: List, index bar, detail

  private func drawList(on canvas: inout Canvas, in rect: Rect) {
    let view = ListView(theme: environment.theme, strings: environment.strings)
    let lines = list.lines(marked: marked, strings: environment.strings)
    let before = drawn.replace(lines: lines)
    view.draw(lines, on: &canvas, in: rect, before: before)
  }

  private func drawIndexBar(on canvas: inout Canvas, in rect: Rect) {
    let content = DrawnParts.IndexBar(
      present: list.presentTitles, current: list.currentTitle, isWaiting: mode == .jump)
    if drawn.isSame(content) { return }
    IndexBarView(theme: environment.theme).draw(
      titles: list.indexTitles, present: content.present, current: content.current, isWaiting: content.isWaiting,
      on: &canvas, in: rect)
  }

  private func drawDivider(on canvas: inout Canvas, in rect: Rect) {
    let style = showsDetail ? environment.theme.accent : environment.theme.quiet.adding(.dim)
    if drawn.isSame(divider: style) { return }
    for row in rect.row..<rect.endRow {
      canvas.put("│", at: Point(row: row, column: rect.column), limit: 1, style: style)
    }
  }

  private func drawDetail(on canvas: inout Canvas, in rect: Rect) {
    if drawn.isSame(DrawnParts.Detail(layout: laidOutDetail, top: detailTop, rect: rect)) { return }
    // No other part of this screen has any.
    canvas.forgetImages()
    DetailView(theme: environment.theme).draw(
      DetailView.Content(laidOut: detailLines, cells: detailCells, top: detailTop, rect: rect),
      on: &canvas)
  }

  // MARK: Nothing to show

  private func drawEmptyState(on canvas: inout Canvas, in rect: Rect) {
    let strings = environment.strings
    let theme = environment.theme
    let keys = environment.keys
    let backKey = keys.label(of: mode == .search ? .searchCancel : .back, in: keyContext)
    var lines: [(key: String, text: String, style: Style)] = []
    if !list.isLoaded {
      lines = [("", strings("list.loading"), theme.quiet)]
    } else if !filterText.isEmpty {
      let title =
        list.filter.group.map { strings("search.none.inGroup", filterText, $0) } ?? strings("search.none", filterText)
      lines = [("", title, theme.text.adding(.bold)), ("", strings("search.none.hint", backKey), theme.quiet)]
    } else if let group = list.filter.group {
      let hint = strings("group.empty.hint", keys.label(of: .groups, in: .list), backKey)
      lines = [("", strings("group.empty", group), theme.text.adding(.bold)), ("", hint, theme.quiet)]
    } else {
      let offers: [(Command, String)] = [
        (.add, "empty.add"), (.import, "empty.import"), (.demo, "empty.demo"), (.help, "empty.help"),
        (.quit, "empty.quit"),
      ]
      lines = [("", strings("empty.title"), theme.text.adding(.bold)), ("", "", theme.text)]
      lines += offers.map { (keys.label(of: $0.0, in: .list), strings($0.1), theme.text) }
    }
    let width = lines.map { TextWidth.columns(of: $0.text) + ($0.key.isEmpty ? 0 : 3) }.max() ?? 0
    let left = rect.column + max(1, (rect.columns - width) / 2)
    let top = rect.row + max(0, (rect.rows - lines.count) / 2)
    for (index, line) in lines.enumerated() where top + index < rect.endRow {
      var column = left
      if !line.key.isEmpty {
        canvas.put(line.key, at: Point(row: top + index, column: column), limit: 2, style: theme.accent)
        column += 3
      }
      canvas.put(
        line.text, at: Point(row: top + index, column: column), limit: max(0, rect.endColumn - column - 1),
        style: line.style)
    }
  }
}
