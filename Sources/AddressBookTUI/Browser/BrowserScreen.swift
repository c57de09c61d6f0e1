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
  /// True while it is asked what to do without the book's file.
  var isAskingToReopen = false
  private var keyReader: KeyReader<Command, KeyContext>
  /// Who was selected when the search began; Esc comes back to them.
  private var selectionBeforeSearch: Int64?
  /// Rows of the list when it was last drawn.
  var listRows = 1
  var detailRows = 1
  var detailLineCount = 0
  /// What the detail pane says of the selected person.
  var detailLines: [DetailLine] = []
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
    .map { environment.keys.label(of: $0.0, in: .list) + " " + environment.words($0.1) }.joined(separator: "   ")
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
    keyReader = KeyReader(environment.keys)
  }

  /// Says what of the configuration file could not be used: the first, and how many more.
  func show(_ issues: [ConfigurationIssue]) {
    guard let first = issues.first else { return }
    let words = environment.words
    let text = first.text(words)
    message = (issues.count == 1 ? text : words("config.more", text, words.number(issues.count - 1)), true)
  }

  // MARK: Events

  func handle(_ event: Event) {
    switch event {
    case .key(let key):
      message = nil
      handle(key)
    case .paste(let text):
      if mode == .search {
        searchField.insert(text)
        searchChanged()
      }
    case .mouse(let mouse): handle(mouse)
    case .resize, .resumed, .terminate: break
    }
  }

  private func handle(_ key: Key) {
    switch mode {
    case .search: handleInSearch(key)
    case .jump: handleInJump(key)
    case .list:
      if let task, key.code == .escape {
        task.cancel()
        return
      }
      switch keyReader.read(key, in: .list, disabledReason: disabledReason) {
      case .perform(let command): perform(command)
      case .disabled(_, let reason): message = (reason, true)
      case .waiting: break
      case .unbound(let keys):
        guard let key = keys.last else { return }
        message = (environment.words("status.unknownKey", key.label), false)
      }
    }
  }

  /// Why a command cannot be done now; nil when it can.
  private func disabledReason(_ command: Command) -> String? {
    guard command.changesBook, environment.book.isReadOnly else { return nil }
    return environment.words("status.readOnly", environment.book.location.path ?? "")
  }

  private func handleInSearch(_ key: Key) {
    switch environment.keys.command(for: key, in: .search) {
    case .searchNext: list.moveSelection(by: 1, height: listRows)
    case .searchPrevious: list.moveSelection(by: -1, height: listRows)
    case .searchKeep: mode = .list
    case .searchCancel: endSearch()
    case .searchClear:
      searchField = TextField("")
      searchChanged()
    case .redraw: environment.terminal.invalidate()
    case .suspend: environment.loop.suspend()
    default:
      switch key.code {
      case .pageDown: list.moveSelection(by: max(1, listRows - 2), height: listRows)
      case .pageUp: list.moveSelection(by: -max(1, listRows - 2), height: listRows)
      case .backspace where searchField.text.isEmpty: endSearch()
      default:
        let before = searchField.text
        _ = searchField.handle(key)
        if searchField.text != before { searchChanged() }
      }
    }
  }

  private func handleInJump(_ key: Key) {
    mode = .list
    guard case .character(let character) = key.code, key.modifiers.isEmpty else { return }
    list.jump(toTitle: character.uppercased(), height: listRows)
    detailTop = 0
  }

  private func perform(_ command: Command) {
    let selectedBefore = list.selectedID
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
    case .demo: if list.isBookEmpty { fillWithDemoPeople() }
    case .help: environment.screens.push(HelpScreen(environment: environment))
    case .redraw: environment.terminal.invalidate()
    case .suspend: environment.loop.suspend()
    case .quit: environment.loop.stop()
    default: break
    }
    if list.selectedID != selectedBefore { detailTop = 0 }
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
    detailTop = min(max(0, detailTop + lines), max(0, detailLineCount - detailRows))
  }

  private func goBack() {
    if showsDetail {
      showsDetail = false
      detailTop = 0
    } else if !filterText.isEmpty || list.filter.group != nil {
      endSearch()
    } else if !marked.isEmpty {
      marked = []
    }
  }

  // MARK: Search

  private func beginSearch() {
    if filterText.isEmpty { selectionBeforeSearch = list.selectedID }
    mode = .search
    showsDetail = false
  }

  private func searchChanged() {
    list.setFilter(ContactFilter(query: searchField.text, group: list.filter.group))
  }

  /// Shows everybody again, with the person selected who was selected in the results, or before the search.
  func endSearch() {
    mode = .list
    searchField = TextField("")
    let wanted = filterText.isEmpty ? selectionBeforeSearch : list.selectedID ?? selectionBeforeSearch
    selectionBeforeSearch = nil
    list.setFilter(ContactFilter(), selecting: wanted)
  }

  private func chooseGroup() {
    let words = environment.words
    let groups: [GroupSummary]
    do {
      groups = try environment.book.groups()
    } catch {
      show(reading: error)
      return
    }
    guard !groups.isEmpty else {
      message = (words("groups.none"), false)
      return
    }
    let items = [words("list.all")] + groups.map { "\($0.name)  \(words.number($0.count))" }
    let current = list.filter.group.flatMap { name in groups.firstIndex { $0.name == name } }.map { $0 + 1 } ?? 0
    environment.choose(title: words("groups.title"), items: items, chosen: current, hint: words("groups.hint")) {
      [weak self] choice in
      guard let self, case .item(let index) = choice else { return }
      list.setFilter(ContactFilter(query: filterText, group: index == 0 ? nil : groups[index - 1].name))
    }
  }

  // MARK: Marks

  private func toggleMark() {
    guard let id = list.selectedID else { return }
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
      if layout.index.contains(mouse.position) {
        list.jump(toIndexLine: mouse.position.row - layout.index.row, height: listRows, barHeight: layout.index.rows)
      } else if layout.list.contains(mouse.position) {
        guard list.select(line: mouse.position.row - layout.list.row, height: listRows) else { return }
        detailTop = 0
        if mouse.clicks == 2 { showsDetail = true }
      }
    case .drag where layout.index.contains(mouse.position):
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
