import AddressBookModel
import Contacts
import LDAPDirectory
import TerminalKit

/// A company directory: a search field that queries the server, the results, and the details of the selected entry.
/// Entries can be copied to the user's book.
@MainActor
final class DirectoryScreen: Screen {
  let environment: AppEnvironment
  let actions: DirectoryActions
  private let search: DirectorySearch
  let photos: DirectoryPhotos
  /// True if the program was started for the directory, and ends when this screen closes.
  let isWholeProgram: Bool
  var state: DirectoryState
  private(set) var field = TextField("")
  private(set) var isTyping = true
  /// True after the selection was moved, until text is typed.
  private(set) var isMoving = false
  private(set) var isDetailOpen = false
  var detail = ContactDetail()
  /// The positions of the parts when last drawn.
  var layout: BrowserLayout?
  var searchLine: SearchLine?

  init(environment: AppEnvironment, actions: DirectoryActions, isWholeProgram: Bool) {
    self.environment = environment
    self.actions = actions
    self.isWholeProgram = isWholeProgram
    state = DirectoryState(names: environment.names)
    search = DirectorySearch(actions.source, names: environment.names, loop: environment.loop)
    photos = DirectoryPhotos(actions.source, loop: environment.loop)
    search.onChange = { [weak self] in self?.apply($0) }
  }

  /// True when no photo is being read.
  var isIdle: Bool { photos.isIdle }

  var status: StatusLine { actions.status }

  // MARK: Searches

  private func apply(_ change: DirectorySearch.Change) {
    let before = state.selected?.id
    switch change {
    case .found(let entries): state.add(entries)
    case .ended(let isCut):
      state.end(isCut: isCut)
      if isCut { status.say(environment.strings("directory.cut")) }
    case .failed(let error):
      state.fail(error)
      // Without entries, the error is shown in their place, where it has more room.
      if !state.entries.isEmpty { status.fail(actions.text(of: error)) }
    }
    if state.selected?.id != before { detail.rewind() }
  }

  private func edit(_ change: (inout TextField) -> Void) {
    let before = field.text
    isMoving = false
    change(&field)
    guard field.text != before else { return }
    if DirectoryFilter(field.text).terms.isEmpty {
      search.stop()
      state.clear()
    } else {
      state.begin()
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

  func perform(_ command: Command, in context: ScreenContext) {
    status.clear()
    let before = state.selected?.id
    isMoving = command.isMovement
    act(on: command)
    if state.selected?.id != before { detail.rewind() }
  }

  func type(_ key: Key, in context: ScreenContext) {
    status.clear()
    if isTyping { return edit { _ = $0.handle(key) } }
    status.say(environment.unboundText(of: key, in: .directory))
  }

  func handle(_ event: Event, in context: ScreenContext) {
    switch event {
    case .paste(let text): if isTyping { edit { $0.insert(text) } }
    case .mouse(let mouse): handle(mouse)
    case .key, .focus, .background, .position, .resize, .resumed, .terminate: break
    }
  }

  private func act(on command: Command) {
    switch command {
    case .search:
      isTyping = true
      isDetailOpen = false
    case .searchKeep: isTyping = false
    case .searchCancel:
      stopSearching()
      isTyping = false
    case .searchClear: edit { $0 = TextField("") }
    case .open: if state.selected != nil { isDetailOpen = true }
    case .back: goBack()
    case .mark: state.toggleMark()
    case .markAll: state.marks.toggleAll(Set(state.entries.map(\.found.id)))
    case .directoryAdd: actions.add(state.chosen) { [self] in state.marks.clear() }
    case .directoryClose: isDetailOpen ? goBack() : close()
    case .copy: withChosen { actions.links.copyLink(of: $0) }
    case .copyText: withChosen { actions.links.copyText(of: $0) }
    case .openMap: if let contact = state.selected?.contact { actions.links.openMap(of: contact) }
    case .qrCode: if let contact = state.selected?.contact { actions.links.showCode(of: contact) }
    case .openLink: withChosen { actions.links.openLink(of: $0) }
    case .undo: actions.undoing.undo()
    case .redo: actions.undoing.redo()
    case .interrupt: interrupt()
    default:
      guard case .move(let movement)? = command.role else { return }
      if isDetailOpen, movement.isPage { detail.move(movement) } else { state.selection.move(movement) }
    }
  }

  private func withChosen(_ act: ([Contact]) -> Void) {
    let contacts = state.chosen.map(\.contact)
    if !contacts.isEmpty { act(contacts) }
  }

  /// Goes one step back: closes the detail, stops the work or the search, removes the marks, or closes the screen. If
  /// closing would end the program and has a key of its own, only names that key.
  private func goBack() {
    if isDetailOpen {
      isDetailOpen = false
      detail.rewind()
    } else if let task = actions.work.task {
      task.cancel()
    } else if state.phase == .searching {
      stopSearching()
    } else if !state.marks.isEmpty {
      state.marks.clear()
    } else if !isWholeProgram {
      close()
    } else {
      showQuitHint()
    }
  }

  private func interrupt() {
    if let task = actions.work.task {
      task.cancel()
    } else if state.phase == .searching {
      stopSearching()
    } else {
      showQuitHint()
    }
  }

  private func showQuitHint() {
    let quit = environment.keys.label(of: .directoryClose, in: .directory)
    quit.isEmpty ? close() : status.say(environment.strings("status.howToQuit", quit))
  }

  private func close() {
    search.stop()
    if isWholeProgram { environment.loop.stop() } else { environment.screens.pop(self) }
  }

  private func handle(_ mouse: Mouse) {
    guard let layout else { return }
    if mouse.action == .press, mouse.button == 0, let fieldRect = searchLine?.field, fieldRect.contains(mouse.position)
    {
      isTyping = true
      field.moveCursor(toColumn: mouse.position.column - fieldRect.column, columns: fieldRect.columns)
    } else if !detail.handle(mouse), !layout.list.isEmpty {
      let before = state.selected?.id
      if state.selection.handle(mouse), state.selected != nil {
        isTyping = false
        isDetailOpen = true
      }
      if state.selected?.id != before { detail.rewind() }
    }
  }
}
