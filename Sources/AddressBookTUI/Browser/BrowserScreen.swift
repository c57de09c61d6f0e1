import AddressBookModel
import IDSets
import TerminalKit

/// The main screen: the list in sections, the index bar, the detail of the selected contact, the search field.
///
/// It passes each command to the pane whose state it changes, or to the action that performs it, and combines the
/// panes. Panes are in `Browser`, actions in `Actions`.
@MainActor
final class BrowserScreen: Screen {
  /// What the next key does.
  enum Mode: Equatable {
    case list
    /// The key edits the text in the search field.
    case search
    /// The key is a letter, digit or `#` after the jump key.
    case jump
  }

  let parts: BrowserParts
  let forms: FormOpening
  let imports: ImportActions
  private let deleting: ContactDeleting
  private let groups: GroupActions
  private let ordering: OrderAction
  private let folders: FolderActions
  private let export: ExportAction
  private let links: LinkActions
  private let related: RelatedActions
  private let undoing: UndoActions
  private let trash: TrashActions
  private let duplicates: DuplicateActions
  private let history: HistoryActions
  private let directories: DirectoryOpening
  let syncing: SyncActions
  private let correspondents: CorrespondentActions
  private let settings: SettingsActions
  /// Chooses contacts; nil if the user is not asked to choose any.
  let picking: PickAction?
  private let titleBar: TitleBar
  /// The style in which the line between list and detail was last drawn.
  private var divider = LastDrawn<Style>()
  /// The layout of the panes for the frame that is drawn next.
  private var layout: BrowserLayout?
  /// The last frame; the next one starts from it while the layout is the same.
  private var last: (canvas: Canvas, layout: BrowserLayout, ambiguousColumns: Int)?

  init(environment: AppEnvironment, list: ContactList, editor: ContactEditor) {
    parts = BrowserParts(environment: environment, list: list, editor: editor)
    forms = FormOpening(parts)
    deleting = ContactDeleting(parts)
    folders = FolderActions(parts)
    export = ExportAction(parts)
    links = LinkActions(parts)
    related = RelatedActions(parts)
    undoing = UndoActions(parts)
    imports = ImportActions(parts, undoing: undoing)
    trash = TrashActions(parts, undoing: undoing)
    groups = GroupActions(parts, links: links) { [trash] in trash.open() }
    ordering = OrderAction(parts)
    duplicates = DuplicateActions(parts, undoing: undoing)
    history = HistoryActions(parts, undoing: undoing)
    directories = DirectoryOpening(parts)
    syncing = SyncActions(parts)
    correspondents = CorrespondentActions(parts, undoing: undoing)
    settings = SettingsActions(parts, folder: environment.configurationFolder)
    picking = environment.pick.map { [parts] in PickAction(parts, $0) }
    titleBar = TitleBar(environment: environment, list: list, search: parts.search)
  }

  var environment: AppEnvironment { parts.environment }
  var list: ContactList { parts.list }
  var mode: Mode { parts.search.isTyping ? .search : parts.indexBar.isWaiting ? .jump : .list }
  private var listPane: ListPane { parts.listPane }
  private var detailPane: DetailPane { parts.detailPane }
  private var search: ListSearch { parts.search }
  private var status: StatusLine { parts.status }

  // MARK: Events

  var keyContext: KeyContext {
    switch mode {
    case .list: .list
    case .search: picking == nil ? .search : .pick
    case .jump: .jump
    }
  }

  func perform(_ command: Command, in context: ScreenContext) {
    status.clear()
    picking?.stopWaiting()
    let selectedBefore = list.selectedID
    search.isMoving = command.isMovement
    act(on: command)
    if list.selectedID != selectedBefore { detailPane.detail.rewind() }
  }

  func type(_ key: Key, in context: ScreenContext) {
    status.clear()
    picking?.stopWaiting()
    switch mode {
    case .search:
      if key.code == .backspace, search.isEmpty, picking == nil { return search.end() }
      search.edit { _ = $0.handle(key) }
    case .jump: jump(to: key)
    case .list: status.say(environment.unboundText(of: key, in: .list))
    }
  }

  func handle(_ event: Event, in context: ScreenContext) {
    switch event {
    case .paste(let text): if mode == .search { search.edit { $0.insert(text) } }
    case .mouse(let mouse): handle(mouse)
    case .key, .focus, .background, .position, .resize, .resumed, .terminate: break
    }
  }

  private func jump(to key: Key) {
    parts.indexBar.isWaiting = false
    guard case .character(let character) = key.code, key.modifiers.isEmpty else { return }
    list.jump(toTitle: character.uppercased(), height: listPane.height)
    detailPane.detail.rewind()
  }

  private func act(on command: Command) {
    switch command {
    case .jump: parts.indexBar.isWaiting = true
    case .search:
      search.begin()
      detailPane.close()
    case .groups: groups.open()
    case .sort: ordering.choose()
    case .favorite: groups.toggleFavorites()
    case .open:
      if detailPane.isOpen { related.follow() } else if list.selectedID != nil { detailPane.open() }
    case .back: goBack()
    case .quit: detailPane.isOpen ? goBack() : environment.loop.stop()
    case .add: forms.add()
    case .edit: forms.editSelected()
    case .editAsText: forms.editAsText()
    case .delete: deleting.deleteChosen()
    case .undo: undoing.undo()
    case .redo: undoing.redo()
    case .mark: listPane.toggleMark()
    case .markAll: markRows { $0.toggleAll($1) }
    case .invertMarks: markRows { $0.invert($1) }
    case .markRange: markRange()
    case .addToGroup: groups.askForGroupToJoin()
    case .removeFromGroup: groups.askForGroupToLeave()
    case .moveToFolder: folders.askForFolder()
    case .export: export.ask()
    case .copy: links.copySelected()
    case .copyText: links.copyText()
    case .openLink: links.openLink()
    case .openMap: links.openMap()
    case .qrCode: links.showCode()
    case .import: imports.ask()
    case .importNotices: imports.showNotices()
    case .trash: trash.open()
    case .duplicates: duplicates.open()
    case .history: history.showContact()
    case .steps: history.showSteps()
    case .directory: directories.open()
    case .settings: settings.choose()
    case .sync: syncing.open()
    case .collect: correspondents.ask()
    case .demo:
      if list.isBookEmpty {
        imports.addSampleContacts()
      } else {
        status.say(environment.strings("status.demoNeedsEmpty"))
      }
    case .interrupt: interrupt()
    case .pickAccept: picking?.accept()
    case .pickMark, .pickMarkUp:
      if picking?.pick.isMultiple == true { listPane.toggleMark(movingBy: command == .pickMark ? 1 : -1) }
    case .pickCancel: environment.loop.stop()
    case .searchKeep: search.keep()
    case .searchCancel: search.end()
    case .searchClear: search.edit { $0 = TextField("") }
    case .searchOlder: search.recall(older: true)
    case .searchNewer: search.recall(older: false)
    default:
      guard case .move(let movement)? = command.role else { return }
      if detailPane.isOpen, movement.isPage {
        detailPane.detail.move(movement)
      } else {
        listPane.move(movement, scrolls: mode != .search)
      }
    }
  }

  /// Stops the running work. If there is none, says which key quits; quits if no key is bound to that.
  private func interrupt() {
    let quit = environment.keys.label(of: .quit, in: .list)
    if let task = parts.work.task {
      task.cancel()
    } else if quit.isEmpty {
      environment.loop.stop()
    } else {
      status.say(environment.strings("status.howToQuit", quit))
    }
  }

  private func markRows(_ change: (inout Marks<IDSet>, IDSet) -> Void) {
    guard let rows = listPane.allRows else { return status.say(environment.strings("list.loading")) }
    change(&listPane.marks, rows)
  }

  private func markRange() {
    guard !listPane.markRange(), list.selectedID != nil else { return }
    let key = environment.keys.label(of: .markRange, in: .list)
    status.say(environment.strings("status.rangeBegins", key))
  }

  /// Goes one step back: leaves the detail, stops background work or a change of the order, ends the search, shows all
  /// contacts, or removes the marks.
  private func goBack() {
    if detailPane.isOpen {
      if related.goBack() { return }
      detailPane.close()
      detailPane.detail.rewind()
    } else if let task = parts.work.task {
      task.cancel()
    } else if list.isReordering {
      list.sort(by: list.shown.order)
    } else if search.isNarrowing {
      search.end()
    } else if list.filter.scope != nil {
      search.showAll()
    } else {
      listPane.marks.clear()
    }
  }

  // MARK: The book

  /// Follows the list, and tells the open screens what was written.
  func follow(_ event: ContactList.Event) {
    switch event {
    case .written(let writes):
      listPane.unmark(writes.deleted)
      for case let screen as any Screen in environment.screens.screens { screen.changed(writes) }
    case .applied: break
    case .answered: picking?.listIsCurrent()
    case .damaged: parts.reopening.offerExamination()
    case .failed(let error):
      if (error as? StoreError)?.reason == .damaged {
        parts.reopening.offerExamination()
      } else {
        status.show(reading: error)
      }
    }
  }

  // MARK: Mouse

  private func handle(_ mouse: Mouse) {
    let position = mouse.position
    switch mouse.action {
    case .wheelDown, .wheelUp:
      let step = mouse.action == .wheelDown ? ListSelection.wheelStep : -ListSelection.wheelStep
      if !detailPane.detail.handle(mouse) { list.scroll(by: step, height: listPane.height) }
    case .press where mouse.button == 0:
      if titleBar.press(position) || parts.indexBar.press(position, listHeight: listPane.height) { return }
      guard listPane.press(position) else { return }
      detailPane.detail.rewind()
      if mouse.clicks == 2 { picking.map { $0.accept() } ?? detailPane.open() }
    case .drag: _ = parts.indexBar.press(position, listHeight: listPane.height)
    default: break
    }
  }

  // MARK: Drawing

  func prepare(in rect: Rect) {
    let layout = BrowserLayout(window: rect, showsDetail: detailPane.isOpen)
    self.layout = layout
    listPane.prepare(in: layout.list, body: rect.rows - 2)
    detailPane.prepare(in: layout.detail, isBesideList: !layout.divider.isEmpty)
    parts.indexBar.prepare(in: layout.index)
    titleBar.prepare(
      row: detailPane.isBesideList ? detailPane.debounce.row : nil, markedCount: listPane.marks.count,
      in: layout.title)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    guard let layout else { return }
    let isEmpty = list.rowCount == 0
    if !isEmpty, let last, last.layout == layout, last.canvas.size == canvas.size,
      last.ambiguousColumns == TextWidth.ambiguousColumns
    {
      canvas = last.canvas
      canvas.cursor = nil
    } else {
      invalidateDrawing()
    }
    titleBar.draw(on: &canvas)
    guard !isEmpty else {
      EmptyList(environment: environment).draw(emptyListReason, on: &canvas, in: rect.inset(top: 1, bottom: 1))
      return
    }
    listPane.draw(on: &canvas)
    drawDivider(on: &canvas, in: layout.divider)
    detailPane.draw(on: &canvas)
    parts.indexBar.draw(on: &canvas)
    last = (canvas, layout, TextWidth.ambiguousColumns)
    // A list row that is not drawn again keeps its cursor in the copy.
    if detailPane.isOpen { canvas.hiddenCursor = Point(row: layout.detail.row, column: layout.detail.column) }
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? { status.bottomLine(state, parts.work) }

  /// Discards what was drawn last, so that the whole frame is drawn again.
  func invalidateDrawing() {
    last = nil
    titleBar.invalidateDrawing()
    listPane.invalidateDrawing()
    detailPane.invalidateDrawing()
    parts.indexBar.invalidateDrawing()
    divider.invalidate()
  }

  private var state: StatusLine.ScreenState {
    StatusLine.ScreenState(
      mode: mode, isEmpty: list.rowCount == 0, showsDetail: detailPane.isOpen,
      hasRelated: detailPane.hasRelated, hasMarks: !listPane.marks.isEmpty,
      pick: picking?.pick, isSearched: search.isNarrowing, isGroup: list.filter.scope != nil,
      order: list.shown.order)
  }

  private var emptyListReason: EmptyList.Reason {
    if let picking, list.isLoaded {
      let isEmpty = list.filter.query.isEmpty && picking.pick.kind != .contact
      return .nothingToPick(isEmpty ? nil : list.filter.query)
    }
    let backKey = environment.keys.label(of: mode == .search ? .searchCancel : .back, in: keyContext)
    if !list.isLoaded { return .loading }
    if search.isNarrowing { return .notFound(list.filter.query, group: list.filter.scope, backKey: backKey) }
    if let group = list.filter.scope { return .emptyGroup(group, backKey: backKey) }
    return list.isBookEmpty ? .emptyBook : .loading
  }

  private func drawDivider(on canvas: inout Canvas, in rect: Rect) {
    let style = detailPane.isOpen ? environment.theme.accent : environment.theme.quiet.adding(environment.theme.faint)
    if !rect.isEmpty, !divider.isSame(style) { canvas.fill(rect, style: style, character: "│") }
  }
}
