import AddressBookModel
import Contacts
import LDAPDirectory
import TerminalKit

extension DirectoryScreen {
  func prepare(in rect: Rect) {
    let layout = BrowserLayout(window: rect, showsDetail: isDetailOpen)
    self.layout = layout
    searchLine = SearchLine(
      scope: actions.source.host, summary: summary, in: layout.title, environment: environment)
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
    searchLine?.draw(field, focused: isTyping && !isMoving, on: &canvas)
    guard !state.entries.isEmpty else { return drawEmpty(on: &canvas, in: rect.inset(top: 1, bottom: 1)) }
    drawList(on: &canvas, layout)
    canvas.fill(
      layout.divider, style: isDetailOpen ? theme.accent : theme.quiet.adding(theme.faint), character: "│")
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

  /// The progress of the search, and the number of marks.
  private var summary: String {
    let (strings, count, marked) = (environment.strings, state.entries.count, state.marks.count)
    let found =
      switch state.phase {
      case .idle, .failed: count > 0 ? strings.count("search.found", count) : ""
      case .searching: strings("directory.searching")
      case .done(let isCut):
        isCut ? strings("directory.foundMore", strings.number(count)) : strings.count("search.found", count)
      }
    let marks = marked > 0 ? "● " + strings.number(marked) : ""
    return [found, marks].filter { !$0.isEmpty }.joined(separator: strings("list.separator"))
  }
}
