import AddressBookModel
import Dispatch
import ResultsController
import TerminalKit

/// The deleted contacts, with the time of the deletion. The user restores them, or removes them for good.
@MainActor
final class TrashScreen: Screen {
  var keyContext: KeyContext { .trash }
  private let environment: AppEnvironment
  private let actions: TrashActions
  private var state = TrashState()

  init(environment: AppEnvironment, actions: TrashActions) {
    self.environment = environment
    self.actions = actions
    read()
  }

  /// Reads the deleted contacts; many of them on another thread.
  private func read() {
    actions.read { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let contacts): state.show(contacts)
      case .failure(let error): actions.status.show(reading: error)
      }
    }
  }

  func perform(_ command: Command, in context: ScreenContext) {
    // The main screen still says how to undo the last action.
    if command != .trashClose { actions.status.clear() }
    switch command {
    case .trashRestore: actions.restore(state.chosen) { [self] in read() }
    case .trashRemove: actions.askToRemove(state.chosen) { [self] in read() }
    case .undo: actions.undoing.undo()
    case .redo: actions.undoing.redo()
    case .mark: state.toggleMark()
    case .markAll: state.marks.toggleAll(state.ids)
    case .trashClose: goBack()
    default:
      if case .move(let movement)? = command.role { state.selection.move(movement) }
    }
  }

  /// Stops the running work, removes the marks, or closes the screen.
  private func goBack() {
    if actions.work.stop() { return }
    if state.marks.isEmpty { environment.screens.pop(self) } else { state.marks.clear() }
  }

  func type(_ key: Key, in context: ScreenContext) {
    actions.status.say(environment.unboundText(of: key, in: .trash))
  }

  /// Others, or an undo, may have deleted or restored contacts.
  func changed(_ writes: ResultsWrites) { read() }

  func handle(_ event: Event, in context: ScreenContext) {
    if case .mouse(let mouse) = event { _ = state.selection.handle(mouse) }
  }

  // MARK: Drawing

  func prepare(in rect: Rect) { state.selection.layOut(in: rect.inset(top: 1, bottom: 1)) }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let (theme, strings) = (environment.theme, environment.strings)
    canvas.fill(rect, style: theme.text)
    let bars = Bars(theme: theme)
    let count = state.isLoaded ? strings.count("trash.count", state.contacts.count) : strings("list.loading")
    bars.drawTitle(
      strings("trash.title"), detail: state.marks.isEmpty ? count : strings.count("trash.marked", state.marks.count),
      on: &canvas, in: rect.line(0))
    if state.isLoaded, state.contacts.isEmpty {
      EmptyList(environment: environment).draw(
        [.init(text: strings("trash.empty"), style: theme.quiet)], on: &canvas, in: rect.inset(top: 1, bottom: 1))
    }
    state.selection.draw(on: &canvas, style: theme.widgets) { row(of: state.contacts[$0]) }
  }

  /// The name and, at the right, how it was deleted, if that is more than a deletion, and when.
  private func row(of contact: DeletedContact) -> TextRow {
    let strings = environment.strings
    var row = TextRow(
      contact.displayName.isEmpty ? strings("contact.nameless") : contact.displayName, right: contact.localTime,
      isMarked: state.marks.contains(contact.id))
    if contact.cause != nil { row.note = contact.reason(in: strings.localization) }
    return row
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    let hints = environment.hints(
      state.contacts.isEmpty
        ? [.trashClose, .help]
        : [.trashRestore, .mark, .markAll, .trashRemove, .undo, .trashClose, .help], in: .trash)
    return environment.bottomLine(
      actions.status.message, actions.work, stop: .trashClose, in: .trash, hints: hints)
  }
}

/// The state of the screen of deleted contacts: the contacts, the selection, and the marks.
struct TrashState {
  /// The most recently deleted first.
  private(set) var contacts: [DeletedContact] = []
  /// False until the contacts have been read.
  private(set) var isLoaded = false
  var marks = Marks<Set<Int64>>()
  var selection = ListSelection(count: 0)

  /// Shows these contacts. The selected index stays, if it exists; contacts that are gone are no longer marked.
  mutating func show(_ contacts: [DeletedContact]) {
    self.contacts = contacts
    isLoaded = true
    selection.count = contacts.count
    marks.remove(marks.ids.subtracting(ids))
  }

  var ids: Set<Int64> { Set(contacts.map(\.id)) }

  private var selected: DeletedContact? {
    contacts.indices.contains(selection.selected) ? contacts[selection.selected] : nil
  }

  /// The marked contacts, or the selected one.
  var chosen: [DeletedContact] {
    marks.isEmpty ? selected.map { [$0] } ?? [] : contacts.filter { marks.contains($0.id) }
  }

  /// Marks the selected contact, or removes its mark, and goes to the next.
  mutating func toggleMark() {
    guard let selected else { return }
    marks.toggle(selected.id)
    selection.move(.down)
  }
}

/// Shows the deleted contacts, restores them, and removes them for good.
@MainActor
final class TrashActions: BrowserAction {
  let parts: BrowserParts
  let undoing: UndoActions
  /// More deleted contacts than this are read on another thread.
  private static let quickCount = 2000

  init(_ parts: BrowserParts, undoing: UndoActions) {
    self.parts = parts
    self.undoing = undoing
  }

  func open() {
    environment.screens.push(TrashScreen(environment: environment, actions: self))
  }

  func read(_ done: @escaping @MainActor (Result<[DeletedContact], StoreError>) -> Void) {
    let (book, loop) = (environment.book, environment.loop)
    let work = { @Sendable in Result { () throws(StoreError) in try book.allDeleted() } }
    do {
      if try book.deletedCount() <= Self.quickCount { return done(work()) }
    } catch {
      return done(.failure(error))
    }
    DispatchQueue.global(qos: .userInitiated).async {
      let result = work()
      loop.post { done(result) }
    }
  }

  /// Restores contacts, as one undo step.
  func restore(_ contacts: [DeletedContact], done: @escaping @MainActor () -> Void) {
    guard let first = contacts.first, !work.refusesWork() else { return }
    let ids = contacts.map(\.id)
    let name = name(of: first)
    let step = StepName(.restore, contacts.count == 1 ? name : "")
    let strings = strings
    // Others may have restored or removed some of them.
    let message = { @Sendable (count: Int) in
      count == 1 && ids.count == 1 ? strings("trash.restored", name) : strings.count("trash.restoredMany", count)
    }
    parts.edit(ids, .restore, step: step, message: message) { [self] count in
      if ids.count <= ContactEditor.bulkThreshold { list.select(id: first.id) }
      done()
    }
  }

  /// Removes contacts for good, if the user confirms it.
  func askToRemove(_ contacts: [DeletedContact], done: @escaping @MainActor () -> Void) {
    guard let first = contacts.first, !work.refusesWork() else { return }
    let title =
      contacts.count == 1
      ? strings("trash.remove", name(of: first)) : strings.count("trash.removeMany", contacts.count)
    environment.ask(
      title, detail: strings("trash.remove.detail"),
      answers: [
        .init(key: "y", word: strings("trash.remove.yes")) { [self] in remove(contacts.map(\.id), done) },
        .init(key: "n", word: strings("trash.remove.no")) {},
      ])
  }

  private func remove(_ ids: [Int64], _ done: @escaping @MainActor () -> Void) {
    let (strings, book) = (strings, environment.book)
    work.run(strings("trash.removing"), stopped: "status.writeStopped") { _ in
      try book.emptyTrash(ids)
    } done: { [self] count in
      status.say(strings.count("trash.removed", count))
      done()
    }
  }

  private func name(of contact: DeletedContact) -> String {
    contact.displayName.isEmpty ? strings("contact.nameless") : contact.displayName
  }

}
