import AddressBookModel
import Contacts
import ResultsController
import TerminalKit

/// The history of a contact, or the steps of the book: who changed what, and when. A step is undone, and a contact or one
/// of its fields restored.
@MainActor
final class HistoryScreen: Screen {
  /// Whose history is shown.
  enum Subject {
    case book
    case contact(Int64, name: String)
  }

  /// A line: a step, with what it did to the contact.
  private struct Entry {
    let step: EditStep
    let change: ContactChange?
  }

  var keyContext: KeyContext { .history }
  private let environment: AppEnvironment
  private let actions: HistoryActions
  private let subject: Subject
  private var entries: [Entry] = []
  private var list = ListWithText()
  /// The texts of the book's steps, as far as they were shown, by the step.
  private var texts: [Int64: [String]] = [:]
  /// More steps than this are not listed, and more contacts of a step are not named.
  private static let mostSteps = 1000
  private static let contactsBelow = 20
  private static let contactsOnPage = 500

  init(environment: AppEnvironment, actions: HistoryActions, subject: Subject) {
    self.environment = environment
    self.actions = actions
    self.subject = subject
    read()
    actions.undoing.onEnd = { [weak self] in self?.read() }
  }

  /// Reads the steps; the same one stays selected.
  private func read() {
    texts = [:]
    let before = selected?.step.id
    do {
      switch subject {
      case .book:
        entries = try environment.book.history(limit: Self.mostSteps).map { Entry(step: $0, change: nil) }
      case .contact(let id, _):
        entries = try environment.book.changes(ofContact: id).map { Entry(step: $0.step, change: $0) }
      }
      list.selection.count = entries.count
      if let index = entries.firstIndex(where: { $0.step.id == before }) { list.selection.select(index) }
    } catch {
      actions.status.show(reading: error)
    }
  }

  private var selected: Entry? {
    entries.indices.contains(list.selection.selected) ? entries[list.selection.selected] : nil
  }

  func perform(_ command: Command, in context: ScreenContext) {
    actions.status.clear()
    switch command {
    case .historyUndo: if let selected { actions.undo(selected.step) }
    case .historyRestore:
      if case .contact(let id, _) = subject, let change = selected?.change { actions.restore(id, change) }
    case .historyShow: showPage()
    case .historyClose: goBack()
    default:
      if case .move(let movement)? = command.role { list.selection.move(movement) }
    }
  }

  /// Stops the running work, or closes the screen.
  private func goBack() {
    if !actions.work.stop() { environment.screens.pop(self) }
  }

  func type(_ key: Key, in context: ScreenContext) {
    actions.status.say(environment.unboundText(of: key, in: .history))
  }

  func changed(_ writes: ResultsWrites) { read() }

  func handle(_ event: Event, in context: ScreenContext) {
    if case .mouse(let mouse) = event { _ = list.selection.handle(mouse) }
  }

  private func showPage() {
    guard let entry = selected else { return }
    let lines = entry.change == nil ? text(of: entry.step, limit: Self.contactsOnPage) : text(of: entry)
    environment.screens.push(
      TextPage(
        title: title(of: entry), detail: entry.step.localTime, paragraphs: [author(of: entry.step), " "] + lines,
        environment: environment))
  }

  // MARK: Texts

  /// What the step is called, or what happened to the contact.
  private func title(of entry: Entry) -> String {
    let strings = environment.strings
    if let change = entry.change { return change.heading(in: strings.localization) }
    let name = Favorites.text(of: entry.step.name, count: entry.step.count, strings)
    return switch entry.step.kind {
    case .change: name
    case .undo: strings("history.undo", name)
    case .redo: strings("history.redo", name)
    }
  }

  private func author(of step: EditStep) -> String {
    environment.strings.noted(
      step.user, environment.strings("history.program." + (step.program == "screen" ? "screen" : "command")))
  }

  private func text(of entry: Entry) -> [String] {
    guard let change = entry.change else { return text(of: entry.step, limit: Self.contactsBelow) }
    let strings = environment.strings
    let lines = change.differences(in: strings.localization).map { $0.line(in: strings.localization) }
    let others = entry.step.count - 1
    return lines + (others > 0 ? [strings.count("history.others", others)] : [])
  }

  /// What a step did to each of its contacts.
  private func text(of step: EditStep, limit: Int) -> [String] {
    let (strings, localization) = (environment.strings, environment.strings.localization)
    do {
      let changes = try environment.book.changes(ofStep: step, limit: limit)
      let rest = step.count - changes.count
      return changes.flatMap { name, change in
        [localization.titled(name.isEmpty ? strings("contact.nameless") : name, change.heading(in: localization))]
          + (change.kind == .changed
            ? change.differences(in: localization).map { "  " + $0.line(in: localization) } : [])
      } + (rest > 0 ? [strings.count("history.more", rest)] : [])
    } catch {
      return [error.message(in: localization)]
    }
  }

  // MARK: Drawing

  func prepare(in rect: Rect) {
    list.layOut(in: rect.inset(top: 1, bottom: 1))
    if let selected, texts[selected.step.id] == nil { texts[selected.step.id] = text(of: selected) }
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let (theme, strings) = (environment.theme, environment.strings)
    canvas.fill(rect, style: theme.text)
    let title = if case .contact(_, let name) = subject { name } else { strings("history.title") }
    Bars(theme: theme).drawTitle(
      title, detail: strings.count("history.count", entries.count), on: &canvas, in: rect.line(0))
    list.selection.draw(on: &canvas, style: theme.widgets) { row(of: entries[$0]) }
    guard let selected else { return }
    list.draw(
      [(author(of: selected.step), theme.quiet)] + (texts[selected.step.id] ?? []).map { ($0, theme.text) },
      on: &canvas, quiet: theme.quiet)
  }

  private func row(of entry: Entry) -> TextRow {
    var row = TextRow(title(of: entry), right: entry.step.localTime)
    if let change = entry.change, change.kind == .changed {
      let localization = environment.strings.localization
      let fields = change.differences(in: localization).map(\.title)
      if !fields.isEmpty { row.text = localization.titled(row.text, localization.list(fields)) }
    }
    if entry.step.isReversed { row.note = environment.strings("history.reversed") }
    return row
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    let restore: [Command] = if case .contact = subject { [.historyRestore] } else { [] }
    return environment.bottomLine(
      actions.status.message, actions.work, stop: .historyClose, in: .history,
      hints: environment.hints([.historyUndo] + restore + [.historyShow, .historyClose, .help], in: .history))
  }
}
