import AddressBookModel
import AvatarImage
import TerminalKit

/// The main screen: the list in sections, the index bar, the detail of the selected person, the search field.
///
/// This file turns events into changes of its state; `BrowserScreen+Drawing` shows the state, `BrowserScreen+Changes`
/// writes the book.
@MainActor
final class BrowserScreen: Screen {
  /// What the keys go to.
  enum Mode: Equatable {
    case list
    /// Typing in the search field.
    case search
    /// A letter is awaited after the jump key.
    case jump
  }

  let environment: AppEnvironment
  let list: ContactList
  let editor: ContactEditor
  var mode = Mode.list
  var searchField = TextField("")
  /// The search that the list shows; empty when it shows everybody.
  var filterText: String { list.filter.query }
  /// True while the detail has the keys for scrolling and, on a narrow window, the list's place.
  var showsDetail = false
  var detailTop = 0
  var message: (text: String, isError: Bool)?
  var marked: Set<Int64> = []
  /// What was typed in forms when the program ended, to be offered when nothing else is asked.
  var waitingDrafts: [(file: PrivateFile, draft: Draft)] = []
  /// The import that is running.
  var task: RunningTask?
  /// What was typed for the import that failed last, to be corrected.
  var failedImport: String?
  /// What the last import had to say.
  var importNotices = ImportNotices()
  /// True while it is asked what to do without the book's file.
  var isAskingToReopen = false
  /// Who was selected when the search began; Esc comes back to them.
  private var selectionBeforeSearch: Int64?
  /// Rows of the list when it was last drawn.
  var listRows = 1
  var detailRows = 1
  /// What the detail pane says of the selected person, laid out for its width.
  var detailLines = DetailView.LaidOut()
  /// Where the title line says that the cursor is: the selected row, or for a moment the one before it.
  var titlePosition = CursorPosition()
  /// How long the cursor must rest before position and detail follow, in milliseconds; 0 for not at all.
  var restBeforeDetail = BrowserScreen.restBeforeDetail
  /// On whom the cursor came to rest last.
  var restedID: Int64?
  var isAwaitingRest = false
  /// What `detailLines` and `detailCells` were made of.
  var laidOutDetail: DetailLayoutKey?
  /// Where the pane has the picture; nil when it is too low for one.
  var detailPicture: DetailPicture?
  /// The selected person's picture, or what stands in for it.
  var detailCells: DrawnPicture?
  /// What the title line offers.
  private(set) lazy var titleHints = [(Command.search, "hint.search"), (.help, "hint.help")]
    .map { environment.keys.label(of: $0.0, in: .list) + " " + environment.strings($0.1) }.joined(separator: "   ")
  /// What was drawn last, for the parts that stay as they are.
  var drawn = DrawnParts()
  /// True on a window where list and detail stand side by side.
  var isSplit = false
  /// Places of the parts when they were last drawn, for the mouse.
  var layout: BrowserLayout?

  init(environment: AppEnvironment, list: ContactList, editor: ContactEditor) {
    self.environment = environment
    self.list = list
    self.editor = editor
  }

  /// Says what of the configuration file could not be used: the first, and how many more.
  func show(_ issues: [ConfigurationIssue]) {
    guard let first = issues.first else { return }
    let strings = environment.strings
    let text = first.text(strings)
    message = (issues.count == 1 ? text : strings("config.more", text, strings.number(issues.count - 1)), true)
  }

  // MARK: Events

  var keyContext: KeyContext {
    switch mode {
    case .list: .list
    case .search: .search
    case .jump: .jump
    }
  }

  func perform(_ command: Command) {
    message = nil
    if let reason = disabledReason(command) {
      message = (reason, true)
      return
    }
    let selectedBefore = list.selectedID
    act(on: command)
    if list.selectedID != selectedBefore { detailTop = 0 }
  }

  func type(_ key: Key) {
    message = nil
    switch mode {
    case .search: editSearch(by: key)
    case .jump: jump(to: key)
    case .list: message = (environment.strings("status.unknownKey", key.label, helpKey), false)
    }
  }

  private var helpKey: String { environment.keys.label(of: .help, in: .list) }

  func handle(_ event: Event) {
    switch event {
    case .paste(let text):
      if mode == .search {
        searchField.insert(text)
        searchChanged()
      }
    case .mouse(let mouse): handle(mouse)
    case .key, .focus, .resize, .resumed, .terminate: break
    }
  }

  /// Why a command cannot be done now; nil when it can.
  private func disabledReason(_ command: Command) -> String? {
    guard command.changesBook, environment.book.isReadOnly else { return nil }
    return environment.strings("status.readOnly", environment.book.location.path ?? "")
  }

  private func editSearch(by key: Key) {
    if key.code == .backspace, searchField.isEmpty { return endSearch() }
    let before = searchField.text
    _ = searchField.handle(key)
    if searchField.text != before { searchChanged() }
  }

  private func jump(to key: Key) {
    mode = .list
    guard case .character(let character) = key.code, key.modifiers.isEmpty else { return }
    list.jump(toTitle: character.uppercased(), height: listRows)
    detailTop = 0
  }

  private func act(on command: Command) {
    switch command {
    case .moveDown: list.moveSelection(by: 1, height: listRows)
    case .moveUp: list.moveSelection(by: -1, height: listRows)
    case .pageDown: page(by: 1)
    case .pageUp: page(by: -1)
    case .halfDown: halfPage(by: 1)
    case .halfUp: halfPage(by: -1)
    case .first: list.select(row: 0, height: listRows)
    case .last: list.select(row: list.rowCount - 1, height: listRows)
    case .jump: mode = .jump
    case .search: beginSearch()
    case .groups: chooseGroup()
    case .open: if list.selectedID != nil { showsDetail = true }
    case .back: goBack()
    case .add: addPerson()
    case .edit: editSelected()
    case .delete: deleteSelected()
    case .undo: undo()
    case .redo: redo()
    case .mark: toggleMark()
    case .addToGroup: askForGroupToJoin()
    case .removeFromGroup: askForGroupToLeave()
    case .export: askForExport()
    case .copy: copySelected()
    case .openLink: openLink()
    case .import: askForImport()
    case .warnings: showImportNotices()
    case .demo: if list.isBookEmpty { fillWithDemoPeople() }
    case .interrupt: interrupt()
    case .searchNext: list.moveSelection(by: 1, height: listRows)
    case .searchPrevious: list.moveSelection(by: -1, height: listRows)
    case .searchPageDown: list.moveSelection(by: max(1, listRows - 2), height: listRows)
    case .searchPageUp: list.moveSelection(by: -max(1, listRows - 2), height: listRows)
    case .searchKeep: mode = .list
    case .searchCancel: endSearch()
    case .searchClear:
      searchField = TextField("")
      searchChanged()
    default: break
    }
  }

  /// Stops what is running; else says how to quit, which ^C does not.
  private func interrupt() {
    let quit = environment.keys.label(of: .quit, in: .list)
    if let task {
      task.cancel()
    } else if quit.isEmpty {
      environment.loop.stop()
    } else {
      message = (environment.strings("status.howToQuit", quit), false)
    }
  }

  private func page(by direction: Int) {
    if showsDetail {
      scrollDetail(by: direction * max(1, detailRows - 1))
    } else {
      list.page(by: direction * max(1, listRows - 2), height: listRows)
    }
  }

  private func halfPage(by direction: Int) {
    if showsDetail {
      scrollDetail(by: direction * max(1, detailRows / 2))
    } else {
      list.page(by: direction * max(1, listRows / 2), height: listRows)
    }
  }

  private func scrollDetail(by lines: Int) {
    detailTop = min(max(0, detailTop + lines), max(0, detailLines.lines.count - detailRows))
  }

  /// One step back: out of the detail, the import, the search, the group, the marks.
  private func goBack() {
    if showsDetail {
      showsDetail = false
      detailTop = 0
    } else if let task {
      task.cancel()
    } else if !filterText.isEmpty {
      endSearch()
    } else if list.filter.group != nil {
      showEverybody()
    } else {
      marked = []
    }
  }

  // MARK: Search

  func beginSearch() {
    if filterText.isEmpty { selectionBeforeSearch = list.selectedID }
    mode = .search
    showsDetail = false
  }

  private func searchChanged() {
    list.setFilter(ContactFilter(query: searchField.text, group: list.filter.group))
  }

  /// Shows the group again, or everybody, with the person selected who was selected in the results, or before the search.
  /// - Parameter id: whom to select instead.
  func endSearch(selecting id: Int64? = nil) {
    mode = .list
    searchField = TextField("")
    let found = filterText.isEmpty ? nil : list.selectedID
    let wanted = id ?? found ?? selectionBeforeSearch
    selectionBeforeSearch = nil
    list.setFilter(ContactFilter(group: list.filter.group), selecting: wanted)
  }

  /// Shows everybody, with the same person selected.
  func showEverybody() {
    mode = .list
    searchField = TextField("")
    selectionBeforeSearch = nil
    list.setFilter(ContactFilter(), selecting: list.selectedID)
  }

  private func chooseGroup() {
    let strings = environment.strings
    let groups: [GroupSummary]
    do {
      groups = try environment.book.groups()
    } catch {
      show(reading: error)
      return
    }
    guard !groups.isEmpty else {
      message = (strings("groups.none"), false)
      return
    }
    let items = [strings("list.all")] + groups.map { "\($0.name)  \(strings.number($0.count))" }
    let current = list.filter.group.flatMap { name in groups.firstIndex { $0.name == name } }.map { $0 + 1 } ?? 0
    environment.choose(title: strings("groups.title"), items: items, chosen: current, hint: strings("groups.hint")) {
      [weak self] choice in
      guard let self, case .item(let index) = choice else { return }
      list.setFilter(ContactFilter(query: filterText, group: index == 0 ? nil : groups[index - 1].name))
    }
  }

  // MARK: Marks

  private func toggleMark() {
    guard let id = list.selectedID else { return }
    // Whoever is deleted is not marked any more.
    list.followWrites()
    if marked.remove(id) == nil { marked.insert(id) }
    list.moveSelection(by: 1, height: listRows)
  }

  // MARK: Mouse

  private func handle(_ mouse: Mouse) {
    guard let layout else { return }
    switch mouse.action {
    case .wheelDown: wheel(by: 3, at: mouse.position, layout)
    case .wheelUp: wheel(by: -3, at: mouse.position, layout)
    case .press where mouse.button == 0:
      if let field = searchFieldRect(in: layout.title), field.contains(mouse.position) {
        mode = .search
        searchField.moveCursor(toColumn: mouse.position.column - field.column, columns: field.columns)
      } else if layout.indexTarget.contains(mouse.position) {
        list.jump(toIndexLine: mouse.position.row - layout.index.row, height: listRows, barHeight: layout.index.rows)
      } else if layout.list.contains(mouse.position) {
        guard list.select(line: mouse.position.row - layout.list.row, height: listRows) else { return }
        detailTop = 0
        if mouse.clicks == 2 { showsDetail = true }
      }
    case .drag where layout.indexTarget.contains(mouse.position):
      list.jump(toIndexLine: mouse.position.row - layout.index.row, height: listRows, barHeight: layout.index.rows)
    default: break
    }
  }

  private func wheel(by lines: Int, at position: Point, _ layout: BrowserLayout) {
    if layout.detail.contains(position) {
      scrollDetail(by: lines)
    } else {
      list.scroll(by: lines, height: listRows)
    }
  }
}
