import AddressBookModel
import Contacts
import LDAPDirectory
import TerminalKit

/// The directory of a company: a search field that asks the server, what it found, and the detail of the selected entry. Entries
/// can be copied to the user's book.
@MainActor
final class DirectoryScreen: Screen {
  let environment: AppEnvironment
  private let actions: DirectoryActions
  private let search: DirectorySearch
  private let photos: DirectoryPhotos
  /// True if the program was started for the directory, and ends with it.
  private let isWholeProgram: Bool
  private(set) var state = DirectoryState()
  private var field = TextField("")
  private var isTyping = true
  private var isDetailOpen = false
  private let detail: DirectoryDetail
  /// The positions of the parts when last drawn.
  private var layout: BrowserLayout?

  init(environment: AppEnvironment, actions: DirectoryActions, isWholeProgram: Bool) {
    self.environment = environment
    self.actions = actions
    self.isWholeProgram = isWholeProgram
    search = DirectorySearch(actions.source, loop: environment.loop)
    photos = DirectoryPhotos(actions.source, loop: environment.loop)
    detail = DirectoryDetail(environment: environment)
    search.onChange = { [weak self] in self?.take($0) }
  }

  /// True when no photo is being read.
  var isIdle: Bool { photos.isIdle }

  private var status: StatusLine { actions.status }

  // MARK: Searches

  private func take(_ change: DirectorySearch.Change) {
    switch change {
    case .began: state.begin()
    case .found(let entries): state.add(entries)
    case .ended(let isCut):
      state.end(isCut: isCut)
      if isCut { status.say(environment.strings("directory.cut")) }
    case .failed(let error):
      state.fail(error)
      // Otherwise it is said where the answer would be, where it has more room.
      if !state.entries.isEmpty { status.fail(actions.text(of: error)) }
    }
    detail.rewind()
  }

  private func edit(_ change: (inout TextField) -> Void) {
    let before = field.text
    change(&field)
    guard field.text != before else { return }
    if DirectoryFilter(field.text).terms.isEmpty {
      search.stop()
      state.clear()
    } else {
      search.request(field.text)
    }
  }

  private func stopSearching() {
    guard state.phase == .searching else { return }
    search.stop()
    state.stop()
  }

  // MARK: Events

  var keyContext: KeyContext { isTyping ? .search : .directory }

  func perform(_ command: Command) {
    status.clear()
    if command.changesBook, environment.book.isReadOnly {
      return status.fail(environment.strings("status.readOnly", environment.book.location.path ?? ""))
    }
    let before = state.selected?.id
    act(on: command)
    if state.selected?.id != before { detail.rewind() }
  }

  func type(_ key: Key) {
    status.clear()
    if isTyping { return edit { _ = $0.handle(key) } }
    let help = environment.keys.label(of: .help, in: .directory)
    status.say(environment.strings("status.unknownKey", key.label, help))
  }

  func handle(_ event: Event) {
    switch event {
    case .paste(let text): if isTyping { edit { $0.insert(text) } }
    case .mouse(let mouse): handle(mouse)
    case .key, .focus, .resize, .resumed, .terminate: break
    }
  }

  private func act(on command: Command) {
    switch command {
    case .search:
      isTyping = true
      isDetailOpen = false
    case .searchNext: state.selection.move(.down)
    case .searchPrevious: state.selection.move(.up)
    case .searchPageDown: state.selection.move(.pageDown)
    case .searchPageUp: state.selection.move(.pageUp)
    case .searchKeep: isTyping = false
    case .searchCancel:
      stopSearching()
      isTyping = false
    case .searchClear: edit { $0 = TextField("") }
    case .open: if state.selected != nil { isDetailOpen = true }
    case .back: goBack()
    case .mark: state.toggleMark()
    case .directoryMarkAll: state.toggleAll()
    case .directoryAdd: actions.add(state.chosen) { [weak self] in self?.state.clearMarks() }
    case .directoryClose: close()
    case .copy: if let contact = state.selected?.contact { actions.links.copyLink(of: contact) }
    case .openLink: if let contact = state.selected?.contact { actions.links.openLink(of: contact) }
    case .undo: actions.undoing.undo()
    case .redo: actions.undoing.redo()
    case .interrupt: interrupt()
    case .pageDown where isDetailOpen: detail.page(by: 1)
    case .pageUp where isDetailOpen: detail.page(by: -1)
    case .halfDown where isDetailOpen: detail.halfPage(by: 1)
    case .halfUp where isDetailOpen: detail.halfPage(by: -1)
    default: if case .move(let movement)? = command.role { state.selection.move(movement) }
    }
  }

  /// Goes one step back: out of the detail, the work, the search, the marks.
  private func goBack() {
    if isDetailOpen {
      isDetailOpen = false
      detail.rewind()
    } else if let task = actions.work.task {
      task.cancel()
    } else if state.phase == .searching {
      stopSearching()
    } else if state.hasMarks {
      state.clearMarks()
    } else if !isWholeProgram {
      close()
    } else {
      sayHowToQuit()
    }
  }

  private func interrupt() {
    if let task = actions.work.task {
      task.cancel()
    } else if state.phase == .searching {
      stopSearching()
    } else {
      sayHowToQuit()
    }
  }

  private func sayHowToQuit() {
    let quit = environment.keys.label(of: .directoryClose, in: .directory)
    quit.isEmpty ? close() : status.say(environment.strings("status.howToQuit", quit))
  }

  private func close() {
    search.stop()
    if isWholeProgram { environment.loop.stop() } else { environment.screens.pop(self) }
  }

  private func handle(_ mouse: Mouse) {
    guard let layout else { return }
    let place = DirectoryTitle(environment: environment).field(of: titleContent, in: layout.title)
    if mouse.action == .press, mouse.button == 0, place.contains(mouse.position) {
      isTyping = true
      field.moveCursor(toColumn: mouse.position.column - place.column, columns: place.columns)
    } else if layout.detail.contains(mouse.position) {
      if mouse.action == .wheelDown { detail.scroll(by: ListSelection.wheelStep) }
      if mouse.action == .wheelUp { detail.scroll(by: -ListSelection.wheelStep) }
    } else if !layout.list.isEmpty {
      let before = state.selected?.id
      if state.selection.handle(mouse), state.selected != nil {
        isTyping = false
        isDetailOpen = true
      }
      if state.selected?.id != before { detail.rewind() }
    }
  }

  // MARK: Drawing

  private var titleContent: DirectoryTitle.Content {
    DirectoryTitle.Content(
      host: actions.source.host, phase: state.phase, count: state.entries.count, marked: state.marked.count)
  }

  func prepare(in rect: Rect) {
    let layout = BrowserLayout(window: rect, showsDetail: isDetailOpen)
    self.layout = layout
    if !layout.list.isEmpty { state.selection.layOut(in: layout.list) }
    let selected = layout.detail.isEmpty ? nil : state.selected
    let showsPhoto = environment.showsPictures && state.phase != .searching
    detail.prepare(selected, photo: selected.flatMap { showsPhoto ? photos.photo(of: $0.id) : nil }, in: layout.detail)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    guard let layout else { return }
    let theme = environment.theme
    canvas.fill(rect, style: theme.text)
    let title = DirectoryTitle(environment: environment)
    title.draw(titleContent, on: &canvas, in: layout.title)
    field.draw(on: &canvas, in: title.field(of: titleContent, in: layout.title), style: theme.title, focused: isTyping)
    drawBottom(on: &canvas, in: layout.bottom)
    guard !state.entries.isEmpty else { return drawEmpty(on: &canvas, in: rect.inset(top: 1, bottom: 1)) }
    drawList(on: &canvas, layout)
    let divider = isDetailOpen ? theme.accent : theme.quiet.adding(.dim)
    for row in layout.divider.row..<layout.divider.endRow {
      canvas.put("│", at: Point(row: row, column: layout.divider.column), limit: 1, style: divider)
    }
    detail.draw(on: &canvas)
  }

  private func drawList(on canvas: inout Canvas, _ layout: BrowserLayout) {
    guard !layout.list.isEmpty else { return }
    let (theme, strings) = (environment.theme, environment.strings)
    let visible = state.selection.visible
    var lines = ListLines(
      texts: visible.map { .row(ListRow(state.entries[$0].found.contact, strings: strings)) }, revision: state.revision)
    lines.selected = visible.contains(state.selection.selected) ? state.selection.selected - visible.lowerBound : nil
    lines.marked = Set(
      visible.filter { state.marked[state.entries[$0].found.id] != nil }.map { $0 - visible.lowerBound })
    ListView(theme: theme, strings: strings).draw(lines, on: &canvas, in: layout.list, before: nil)
    ScrollBar.draw(
      on: &canvas, in: layout.index, first: state.selection.top, visible: layout.list.rows, total: state.entries.count,
      track: theme.quiet, thumb: theme.accent)
  }

  private func drawEmpty(on canvas: inout Canvas, in rect: Rect) {
    let (theme, strings) = (environment.theme, environment.strings)
    var lines: [(text: String, style: Style)]
    switch state.phase {
    case .idle:
      lines = [
        (strings("directory.empty", actions.source.host), theme.text.adding(.bold)),
        (strings("directory.empty.hint"), theme.quiet),
      ]
    case .searching: lines = [(strings("directory.searching"), theme.quiet)]
    case .failed(let error): lines = [(actions.text(of: error), theme.text)]
    case .done: lines = [(strings("search.none", field.text), theme.text.adding(.bold))]
    }
    let room = max(1, rect.columns - 4)
    lines = lines.flatMap { line in
      TextPiece.wrapped([line.text], columns: room, limit: max(1, rect.rows)).map { ($0, line.style) }
    }
    let width = lines.map { TextWidth.columns(of: $0.text) }.max() ?? 0
    let left = rect.column + max(1, (rect.columns - width) / 2)
    let top = rect.row + max(0, (rect.rows - lines.count) / 2)
    for (index, line) in lines.enumerated() where top + index < rect.endRow {
      canvas.put(
        line.text, at: Point(row: top + index, column: left), limit: max(0, rect.endColumn - left - 1),
        style: line.style)
    }
  }

  private func drawBottom(on canvas: inout Canvas, in line: Rect) {
    let bars = Bars(theme: environment.theme)
    if let message = status.message {
      bars.drawMessage(message.text, isError: message.isError, on: &canvas, in: line)
    } else if let task = actions.work.task {
      bars.drawMessage(task.text, isError: false, on: &canvas, in: line)
    } else {
      bars.drawHints(hints, on: &canvas, in: line)
    }
  }

  private var hints: [Hint] {
    let commands: [(Command, String)]
    if isTyping {
      commands = [(.searchKeep, "toList"), (.searchClear, "clear"), (.help, "help")]
    } else if state.entries.isEmpty, !state.hasMarks {
      commands = [(.search, "search"), (.help, "help"), (.directoryClose, isWholeProgram ? "quit" : "back")]
    } else {
      commands =
        (isDetailOpen ? [(.back, "back")] : state.hasMarks ? [(.back, "unmark")] : [])
        + [
          (.directoryAdd, "addToBook"), (.mark, "mark"), (.openLink, "openLink"), (.copy, "copy"), (.search, "search"),
          (.help, "help"), (.directoryClose, isWholeProgram ? "quit" : "back"),
        ]
    }
    return commands.map {
      Hint(key: environment.keys.label(of: $0.0, in: keyContext), word: environment.strings("hint." + $0.1))
    }
  }
}
