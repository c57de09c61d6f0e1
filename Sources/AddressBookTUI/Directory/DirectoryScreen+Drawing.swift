import AddressBookModel
import Contacts
import LDAPDirectory
import TerminalKit

extension DirectoryScreen {
  var titleContent: DirectoryTitle.Content {
    DirectoryTitle.Content(
      host: actions.source.host, phase: state.phase, count: state.entries.count, marked: state.marks.count)
  }

  func prepare(in rect: Rect) {
    let layout = BrowserLayout(window: rect, showsDetail: isDetailOpen)
    self.layout = layout
    if !layout.list.isEmpty { state.selection.layOut(in: layout.list) }
    let showsPhoto = environment.showsPhotos && state.phase != .searching && !layout.detail.isEmpty
    let content = state.selected.map {
      ContactDetail.Content(contact: $0.contact, photo: showsPhoto ? photos.photo(of: $0.id) : nil)
    }
    detail.prepare(content, in: layout.detail, environment)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    guard let layout else { return }
    let theme = environment.theme
    canvas.fill(rect, style: theme.text)
    let title = DirectoryTitle(environment: environment)
    title.draw(titleContent, on: &canvas, in: layout.title)
    field.draw(
      on: &canvas, in: title.field(of: titleContent, in: layout.title), style: theme.title,
      focused: isTyping && !isMoving)
    guard !state.entries.isEmpty else { return drawEmpty(on: &canvas, in: rect.inset(top: 1, bottom: 1)) }
    drawList(on: &canvas, layout)
    let divider = isDetailOpen ? theme.accent : theme.quiet.adding(theme.faint)
    for row in layout.divider.row..<layout.divider.endRow {
      canvas.put("│", at: Point(row: row, column: layout.divider.column), limit: 1, style: divider)
    }
    detail.draw(on: &canvas, theme: theme, isFocused: isDetailOpen)
  }

  private func drawList(on canvas: inout Canvas, _ layout: BrowserLayout) {
    guard !layout.list.isEmpty else { return }
    let (theme, strings) = (environment.theme, environment.strings)
    let visible = state.selection.visible
    var lines = ListLines(
      texts: visible.map {
        .row(ListRow(state.entries[$0].found.contact, names: environment.names, strings: strings))
      }, revision: state.revision)
    lines.selected = visible.contains(state.selection.selected) ? state.selection.selected - visible.lowerBound : nil
    lines.marked = Set(
      visible.filter { state.marks.contains(state.entries[$0].found.id) }.map { $0 - visible.lowerBound })
    ListView(theme: theme, strings: strings).draw(lines, on: &canvas, in: layout.list, before: nil)
    ScrollBar.draw(
      on: &canvas, in: layout.index, first: state.selection.top, visible: layout.list.rows, total: state.entries.count,
      track: theme.quiet, thumb: theme.accent)
  }

  private func drawEmpty(on canvas: inout Canvas, in rect: Rect) {
    let (theme, strings) = (environment.theme, environment.strings)
    let heading = theme.text.adding(.bold)
    let lines: [EmptyList.Line] =
      switch state.phase {
      case .idle:
        [
          .init(text: strings("directory.empty", actions.source.host), style: heading),
          .init(text: strings("directory.empty.hint"), style: theme.quiet),
        ]
      case .searching: [.init(text: strings("directory.searching"), style: theme.quiet)]
      case .failed(let error): [.init(text: actions.text(of: error), style: theme.text)]
      case .done: [.init(text: strings("search.none", field.text), style: heading)]
      }
    EmptyList(environment: environment).draw(lines, on: &canvas, in: rect)
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    environment.bottomLine(status.message, actions.work, stop: .interrupt, in: .directory, hints: hints)
  }

  private var hints: [Hint] {
    func hints(_ commands: Command...) -> [Hint] { environment.hints(commands, in: keyContext) }
    if isTyping { return environment.hint(.searchKeep, as: "toList", in: keyContext) + hints(.searchClear, .help) }
    let close = isWholeProgram ? environment.hint(.directoryClose, as: "quit", in: keyContext) : hints(.directoryClose)
    if state.entries.isEmpty, state.marks.isEmpty { return hints(.search, .help) + close }
    let back =
      isDetailOpen ? hints(.back) : state.marks.isEmpty ? [] : environment.hint(.back, as: "unmark", in: keyContext)
    return back + hints(.directoryAdd, .mark, .openLink, .copy, .search, .help) + (isDetailOpen ? [] : close)
  }
}

/// The line at the top of a directory: its host, the search field, the progress of the search, and the number of marks.
@MainActor
struct DirectoryTitle {
  let environment: AppEnvironment

  struct Content {
    var host: String
    var phase: DirectoryState.Phase
    var count: Int
    var marked: Int
  }

  func field(of content: Content, in line: Rect) -> Rect {
    let (host, prompt) = (
      hostColumns(of: content, in: line), TextWidth.columns(of: environment.strings("search.prompt")) + 1
    )
    let start = line.column + 1 + host + prompt
    let end = line.endColumn - TextWidth.columns(of: summary(of: content)) - 3
    return Rect(row: line.row, column: start, rows: 1, columns: max(4, end - start))
  }

  func draw(_ content: Content, on canvas: inout Canvas, in line: Rect) {
    let (theme, strings) = (environment.theme, environment.strings)
    Bars(theme: theme).drawTitle("", right: summary(of: content), isRightNeeded: true, on: &canvas, in: line)
    let columns = hostColumns(of: content, in: line)
    let start = Point(row: line.row, column: line.column + 1)
    canvas.put(DisplayText.clean(content.host), at: start, limit: max(0, columns - 1), style: theme.title)
    canvas.put(
      strings("search.prompt"), at: Point(row: line.row, column: start.column + columns), limit: 2, style: theme.title)
  }

  /// Returns the width of the host and a space after it; at most a third of the line, to leave room for the field.
  private func hostColumns(of content: Content, in line: Rect) -> Int {
    min(TextWidth.columns(of: DisplayText.clean(content.host)) + 1, line.columns / 3)
  }

  private func summary(of content: Content) -> String {
    let strings = environment.strings
    let found =
      switch content.phase {
      case .idle, .failed: content.count > 0 ? strings.count("search.found", content.count) : ""
      case .searching: strings("directory.searching")
      case .done(let isCut):
        isCut
          ? strings("directory.foundMore", strings.number(content.count)) : strings.count("search.found", content.count)
      }
    let marks = content.marked > 0 ? "● " + strings.number(content.marked) : ""
    return [found, marks].filter { !$0.isEmpty }.joined(separator: strings("list.separator"))
  }
}
