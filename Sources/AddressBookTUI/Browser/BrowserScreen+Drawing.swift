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
    let isSearching = mode == .search || !filterText.isEmpty
    let title = DrawnParts.Title(
      group: list.filter.group, count: list.rowCount, row: isSplit ? titlePosition.row : nil, markedCount: marked.count,
      isReadOnly: environment.book.isReadOnly)
    if drawn.isSame(isSearching ? nil : title) { return }
    if isSearching {
      drawSearch(on: &canvas, in: line)
    } else {
      let bars = Bars(theme: environment.theme)
      bars.drawTitle(
        environment.words("app.title"), detail: text(of: title), right: titleHints, on: &canvas, in: line)
    }
  }

  private func text(of title: DrawnParts.Title) -> String {
    let words = environment.words
    var parts = [title.group ?? words("list.all")]
    if title.count > 0 {
      let count = words.number(title.count)
      parts.append(title.row.map { words("list.of", words.number($0 + 1), count) } ?? count)
    }
    if title.isReadOnly { parts.append(words("list.readOnly")) }
    if title.markedCount > 0 { parts.append(words.count("list.marked", title.markedCount)) }
    return parts.joined(separator: words("list.separator"))
  }

  private func drawSearch(on canvas: inout Canvas, in line: Rect) {
    let theme = environment.theme
    let found = searchSummary
    Bars(theme: theme).drawTitle("", right: found, on: &canvas, in: line)
    let prompt = canvas.put(
      environment.words("search.prompt") + " ", at: Point(row: line.row, column: line.column + 1), limit: 4,
      style: theme.title)
    let start = line.column + 1 + prompt
    let room = max(4, line.endColumn - start - TextWidth.columns(of: found) - 3)
    let field = Rect(row: line.row, column: start, rows: 1, columns: room)
    searchField.draw(on: &canvas, in: field, style: theme.title, focused: mode == .search)
  }

  private var searchSummary: String {
    let words = environment.words
    if let progress = list.indexingProgress {
      return words("search.indexing", words.number(progress.done), words.number(progress.total))
    }
    return words.count("search.found", list.rowCount)
  }

  private func drawBottom(on canvas: inout Canvas, in line: Rect) {
    let content = DrawnParts.Bottom(
      mode: mode, message: message?.text, isError: message?.isError ?? false, task: task?.text,
      isEmpty: list.rowCount == 0, showsDetail: showsDetail, hasMarks: !marked.isEmpty, isFiltered: !filterText.isEmpty)
    if drawn.isSame(content) { return }
    let bars = Bars(theme: environment.theme)
    let words = environment.words
    if let message {
      bars.drawMessage(message.text, isError: message.isError, on: &canvas, in: line)
    } else if let task {
      bars.drawMessage(task.text, isError: false, on: &canvas, in: line)
    } else if mode == .jump {
      bars.drawMessage(words("jump.prompt"), isError: false, on: &canvas, in: line)
    } else {
      bars.drawHints(hints, on: &canvas, in: line)
    }
  }

  private var hints: [Hint] {
    func hint(_ command: Command, _ context: KeyContext, _ word: String) -> Hint {
      Hint(key: environment.keys.label(of: command, in: context), word: environment.words("hint." + word))
    }
    if mode == .search {
      return [hint(.searchKeep, .search, "keep"), hint(.searchCancel, .search, "all")]
    }
    if list.rowCount == 0 { return [hint(.help, .list, "help"), hint(.quit, .list, "quit")] }
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
        hint(.removeFromGroup, .list, "leave"), hint(.export, .list, "export"), hint(.back, .list, "unmark"),
      ]
    }
    var hints = [
      hint(.add, .list, "add"), hint(.edit, .list, "edit"), hint(.delete, .list, "delete"), hint(.undo, .list, "undo"),
      hint(.mark, .list, "mark"), hint(.jump, .list, "jump"), hint(.groups, .list, "groups"),
      hint(.quit, .list, "quit"),
    ]
    if !filterText.isEmpty { hints.insert(hint(.back, .list, "all"), at: 0) }
    return hints
  }

  // MARK: List, index bar, detail

  private func drawList(on canvas: inout Canvas, in rect: Rect) {
    let view = ListView(theme: environment.theme, words: environment.words)
    let lines = list.lines(marked: marked, words: environment.words)
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
    let words = environment.words
    let theme = environment.theme
    let keys = environment.keys
    var lines: [(key: String, text: String, style: Style)] = []
    if !list.isLoaded {
      lines = [("", words("list.loading"), theme.quiet)]
    } else if !filterText.isEmpty {
      lines = [
        ("", words("search.none", filterText), theme.text.adding(.bold)), ("", words("search.none.hint"), theme.quiet),
      ]
    } else if let group = list.filter.group {
      lines = [
        ("", words("group.empty", group), theme.text.adding(.bold)), ("", words("group.empty.hint"), theme.quiet),
      ]
    } else {
      let offers: [(Command, String)] = [
        (.add, "empty.add"), (.import, "empty.import"), (.demo, "empty.demo"), (.help, "empty.help"),
        (.quit, "empty.quit"),
      ]
      lines = [("", words("empty.title"), theme.text.adding(.bold)), ("", "", theme.text)]
      lines += offers.map { (keys.label(of: $0.0, in: .list), words($0.1), theme.text) }
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
