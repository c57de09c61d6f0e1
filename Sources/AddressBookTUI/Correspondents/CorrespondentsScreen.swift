import AddressBookModel
import BookInterchange
import Contacts
import ResultsController
import TerminalKit

/// With whom the user exchanges email, as their mail says, and who of them is in the book. The others can be added.
@MainActor
final class CorrespondentsScreen: Screen {
  var keyContext: KeyContext { .correspondents }
  private let environment: AppEnvironment
  private let actions: CorrespondentActions
  private var state: CorrespondentsState
  /// Finds the contacts of the correspondents: in a large book that takes a moment.
  private var reading: LatestWork<Reading, Result<[KnownCorrespondent], StoreError>>?
  private var lastReading = 0

  private struct Reading: Hashable {
    let own: [String]
    let number: Int
  }

  init(environment: AppEnvironment, actions: CorrespondentActions, state: CorrespondentsState) {
    self.environment = environment
    self.actions = actions
    self.state = state
    let (book, mail) = (environment.book, state.mail)
    reading = LatestWork(
      loop: environment.loop,
      work: { reading in
        Result { () throws(StoreError) in try book.known(mail.correspondents.all(own: reading.own)) }
      },
      deliver: { [weak self] _, result in self?.show(result) })
  }

  private func read() {
    lastReading += 1
    reading?.request(Reading(own: state.own, number: lastReading))
  }

  private func show(_ result: Result<[KnownCorrespondent], StoreError>) {
    switch result {
    case .success(let people): state.show(people)
    case .failure(let error): actions.status.show(reading: error)
    }
  }

  /// True when all contacts have been found.
  var isIdle: Bool { reading?.isIdle ?? true }

  func perform(_ command: Command, in context: ScreenContext) {
    // The main screen still says how to undo the last action.
    if command != .correspondentsClose { actions.status.clear() }
    switch command {
    case .correspondentsAdd: actions.add(state.chosen, from: state.mail) { [self] in finishAdding() }
    case .correspondentsOpen: open()
    case .correspondentsUnknown: state.showsKnown.toggle()
    case .correspondentsMe: askForOwnAddresses()
    case .undo: actions.undoing.undo()
    case .redo: actions.undoing.redo()
    case .mark: state.toggleMark()
    case .markAll: state.marks.toggleAll(Set(state.shown.filter { $0.contact == nil }.map(\.person.address)))
    case .correspondentsClose: goBack()
    default:
      if case .move(let movement)? = command.role { state.selection.move(movement) }
    }
  }

  /// Stops the running work, removes the marks, or closes the screen.
  private func goBack() {
    if actions.work.stop() { return }
    if state.marks.isEmpty { environment.screens.pop(self) } else { state.marks.clear() }
  }

  private func finishAdding() {
    state.marks.clear()
    read()
  }

  /// Shows the contact of the selected correspondent.
  private func open() {
    guard let selected = state.selected else { return }
    guard let contact = selected.contact else { return actions.status.say(environment.strings("collect.isUnknown")) }
    environment.screens.pop(self)
    actions.parts.show(contact: contact)
  }

  private func askForOwnAddresses() {
    let strings = environment.strings
    environment.screens.push(
      TextPrompt(
        PromptState(title: strings("collect.me"), detail: strings("collect.me.detail"), text: strings.list(state.own)),
        context: .prompt, style: environment.theme.widgets, word: strings("hint.accept"),
        accept: { [self] text, prompt in
          environment.screens.pop(prompt)
          state.setOwn(text)
          actions.own = state.own
          read()
        }))
  }

  func type(_ key: Key, in context: ScreenContext) {
    actions.status.say(environment.unboundText(of: key, in: .correspondents))
  }

  /// An undo, or others, may have added or deleted contacts.
  func changed(_ writes: ResultsWrites) { read() }

  func handle(_ event: Event, in context: ScreenContext) {
    if case .mouse(let mouse) = event, state.selection.handle(mouse) { open() }
  }

  // MARK: Drawing

  func prepare(in rect: Rect) { state.selection.layOut(in: rect.inset(top: 1, bottom: 1)) }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let (theme, strings) = (environment.theme, environment.strings)
    canvas.fill(rect, style: theme.text)
    let shown = state.shown
    let detail =
      state.marks.isEmpty
      ? strings("collect.detail", strings.number(shown.count), strings.list(state.own))
      : strings.count("trash.marked", state.marks.count)
    Bars(theme: theme).drawTitle(strings("collect.title"), detail: detail, on: &canvas, in: rect.line(0))
    if shown.isEmpty {
      EmptyList(environment: environment).draw(
        [.init(text: strings("collect.empty"), style: theme.quiet)], on: &canvas, in: rect.inset(top: 1, bottom: 1))
    }
    state.selection.draw(on: &canvas, style: theme.widgets) { row(of: shown[$0]) }
  }

  /// The name and the address, how much was written, when last, and whether the person is in the book.
  private func row(of one: KnownCorrespondent) -> TextRow {
    let (strings, person) = (environment.strings, one.person)
    var row = TextRow(
      person.name.isEmpty ? person.address : "\(person.name)  \(person.address)",
      right: one.lastDay + (one.contact == nil ? "  " : " ✓"), isMarked: state.marks.contains(person.address))
    row.note = strings("collect.counts", strings.number(person.sent), strings.number(person.received))
    return row
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    let add: [Command] = state.chosen.contains { $0.contact == nil } ? [.correspondentsAdd] : [.correspondentsOpen]
    return environment.bottomLine(
      actions.status.message, actions.work, stop: .correspondentsClose, in: .correspondents,
      hints: environment.hints(
        add + [.mark, .markAll, .correspondentsUnknown, .correspondentsMe, .undo, .correspondentsClose, .help],
        in: .correspondents))
  }
}
