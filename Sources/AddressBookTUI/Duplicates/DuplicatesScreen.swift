import AddressBookModel
import Contacts
import ResultsController
import TerminalKit

/// Contacts that may be duplicates, in groups, with a comparison of the selected group. The user chooses the values of
/// the merged contact, merges, or marks the contacts as not the same.
@MainActor
final class DuplicatesScreen: Screen {
  private let environment: AppEnvironment
  private let actions: DuplicateActions
  private var state = DuplicatesState()
  private let comparison: ComparisonPane
  private let names: ContactNames
  /// True if the screen was opened for contacts marked in the list: it shows only their comparison.
  private let isManualSelection: Bool
  private enum Search {
    case running
    case complete
    /// The user stopped it, or the book cannot be read.
    case endedEarly
  }

  /// The last search; complete if there is none, because the contacts were marked in the list.
  private var search = Search.running
  /// True from an undo or a redo until the next command: a candidate that comes back is selected.
  private var isUndoing = false

  /// - Parameter chosen: contacts that the user marked; nil to look for duplicates.
  init(environment: AppEnvironment, actions: DuplicateActions, chosen: [Int64]? = nil) {
    self.environment = environment
    self.actions = actions
    comparison = ComparisonPane(environment: environment)
    names = ContactNames(environment: environment)
    isManualSelection = chosen != nil
    if let chosen {
      state.show([.init(ids: chosen.sorted())])
      search = .complete
      comparison.open()
    }
  }

  // MARK: Updates

  /// Shows the candidates found so far.
  func show(_ candidates: [DuplicatesState.Candidate], isComplete: Bool) {
    state.show(candidates)
    search = isComplete ? .complete : .running
  }

  func beginSearch() { search = .running }

  /// Records that the search ended early: the user stopped it, or the book cannot be read.
  func endSearch() { search = .endedEarly }

  /// Updates the candidates and names after writes to the book, by any program.
  func changed(_ writes: ResultsWrites) {
    names.invalidate(writes)
    comparison.invalidate()
    state.follow(writes, selectsReturned: isUndoing)
    closeIfDone()
  }

  /// Hides the pairs of contacts marked as not the same, or shows them again when the mark is removed. Contacts that
  /// the user chose in the list stay.
  func setNotSame(_ ids: [Int64], _ isNotSame: Bool) {
    state.setNotSame(ids, isNotSame)
    closeIfDone()
  }

  /// Returns true if a candidate contains all these contacts, or if the user marked the contacts to compare.
  func compares(_ ids: [Int64]) -> Bool {
    isManualSelection || state.shown.contains { Set(ids).isSubset(of: $0.ids) }
  }

  /// Closes the comparison when nothing is left to compare, and the screen if the user marked the contacts.
  private func closeIfDone() {
    guard state.shown.isEmpty, comparison.isOpen else { return }
    comparison.close()
    if isManualSelection { environment.screens.pop(self) }
  }

  // MARK: Events

  var keyContext: KeyContext { comparison.isOpen ? .merge : .duplicates }

  func perform(_ command: Command, in context: ScreenContext) {
    actions.status.clear()
    isUndoing = false
    switch command {
    case .undo:
      isUndoing = true
      actions.undoing.undo()
    case .redo:
      isUndoing = true
      actions.undoing.redo()
    case .duplicatesMerge: merge()
    case .duplicatesApart: markNotSame()
    case .duplicatesOpen: if state.selected != nil { comparison.open() }
    case .duplicatesClose: actions.isFinding ? actions.stopFinding() : environment.screens.pop(self)
    case .mergeClose: isManualSelection ? environment.screens.pop(self) : comparison.close()
    case .mergeNext: comparison.move(rows: 1)
    case .mergePrevious: comparison.move(rows: -1)
    case .mergeRight: comparison.move(columns: 1)
    case .mergeLeft: comparison.move(columns: -1)
    case .mergeNextCandidate: select(.down)
    case .mergePreviousCandidate: select(.up)
    case .mergeTake: say(comparison.applySelection(to: &state.draft))
    case .mergeMain: change { draft, id in draft.setMain(id) }
    case .mergeLeaveOut: leaveOut()
    case .mergeShow: if let id = comparison.focusedID { actions.showContact(id) }
    default: if case .move(let movement)? = command.role { select(movement) }
    }
  }

  func type(_ key: Key, in context: ScreenContext) {
    actions.status.say(environment.unboundText(of: key, in: keyContext))
  }

  func handle(_ event: Event, in context: ScreenContext) {
    guard case .mouse(let mouse) = event else { return }
    if comparison.isOpen {
      if comparison.handle(mouse) { say(comparison.applySelection(to: &state.draft)) }
    } else if state.selection.handle(mouse), state.selected != nil {
      comparison.open()
    }
  }

  private func select(_ movement: Movement) { state.selection.move(movement) }

  private func say(_ text: String?) { if let text { actions.status.say(text) } }

  // MARK: Decisions

  private func change(_ change: (inout MergeDraft, Int64) -> Void) {
    guard let id = comparison.focusedID, var draft = state.draft else { return }
    change(&draft, id)
    state.draft = draft
  }

  private func leaveOut() {
    change { draft, id in
      if !draft.toggle(id) {
        let key = environment.keys.label(of: .duplicatesApart, in: .merge)
        say(environment.strings("duplicates.twoNeeded", key))
      }
    }
  }

  private func merge() {
    guard let draft = state.draft, draft.merged.count > 1 else { return }
    actions.merge(draft) { [self] in
      guard isManualSelection else { return }
      environment.screens.pop(self)
    }
  }

  private func markNotSame() {
    guard let draft = state.draft else { return }
    actions.markNotSame(draft.ids.filter { !draft.leftOut.contains($0) })
  }

  // MARK: Drawing

  private func layout(in rect: Rect) -> DuplicatesLayout {
    DuplicatesLayout(body: rect.inset(top: 1, bottom: 1), isOpen: comparison.isOpen)
  }

  func prepare(in rect: Rect) {
    let layout = layout(in: rect)
    if !layout.list.isEmpty {
      state.selection.layOut(in: layout.list)
      names.prepare(
        state.selection.visible.flatMap { state.shown[$0].ids.prefix(CandidateList.namedContacts) }, actions.status)
    }
    comparison.prepare(state.selected, state.draft, actions, in: layout.comparison)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let (theme, strings) = (environment.theme, environment.strings)
    canvas.fill(rect, style: theme.text)
    drawBars(on: &canvas, in: rect)
    guard !state.shown.isEmpty else {
      return drawEmpty(on: &canvas, in: rect.inset(top: 1, bottom: 1))
    }
    let layout = layout(in: rect)
    if !layout.list.isEmpty {
      CandidateList(theme: theme, strings: strings).draw(state, names: names.name, on: &canvas)
    }
    canvas.fill(layout.rule, style: theme.quiet, character: layout.rule.columns == 1 ? "│" : "─")
    comparison.draw(on: &canvas)
  }

  private func drawEmpty(on canvas: inout Canvas, in rect: Rect) {
    let strings = environment.strings
    let mark = environment.keys.label(of: .mark, in: .list)
    let open = environment.keys.label(of: .duplicates, in: .list)
    let hint = ["", strings("duplicates.none.hint", mark, open)]
    let lines =
      switch search {
      case .running: [actions.findingText]
      case .complete: [strings("duplicates.none")] + hint
      case .endedEarly: [strings("duplicates.noneFound")] + hint
      }
    EmptyList(environment: environment).draw(
      lines.map { .init(text: $0, style: environment.theme.quiet) }, on: &canvas, in: rect)
  }

  private func drawBars(on canvas: inout Canvas, in rect: Rect) {
    let bars = Bars(theme: environment.theme)
    bars.drawTitle(
      isManualSelection
        ? environment.strings.count("duplicates.chosen", state.draft?.merged.count ?? 0)
        : environment.strings("duplicates.title"), detail: detail,
      right: state.shown.isEmpty ? "" : actions.findingText, on: &canvas, in: rect.line(0))
  }

  /// The number of candidates, or the position of the compared one; empty without candidates, and for contacts that the
  /// user marked.
  private var detail: String {
    let strings = environment.strings
    if isManualSelection || state.shown.isEmpty { return "" }
    if comparison.isOpen {
      return strings("list.of", strings.number(state.selection.selected + 1), strings.number(state.shown.count))
    }
    let (certain, namesakes) = (state.certainCount, state.namesakeCount)
    let counts = [
      (state.shown.count - namesakes, "duplicates.count"), (certain, "duplicates.certainCount"),
      (namesakes, "duplicates.namesakeCount"),
    ]
    return counts.filter { $0.0 > 0 }.map { strings.count($0.1, $0.0) }.joined(separator: strings("list.separator"))
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    environment.bottomLine(actions.status.message, actions.work, stop: nil, in: keyContext, hints: hints)
  }

  private var hints: [Hint] {
    func hints(_ commands: Command...) -> [Hint] { environment.hints(commands, in: keyContext) }
    if comparison.isOpen {
      return hints(.duplicatesMerge, .duplicatesApart, .mergeTake, .mergeMain, .mergeLeaveOut, .mergeClose, .help)
    }
    let close =
      actions.isFinding ? environment.hint(.duplicatesClose, as: "stop", in: keyContext) : hints(.duplicatesClose)
    if state.shown.isEmpty { return close + hints(.undo, .help) }
    return hints(.duplicatesMerge, .duplicatesApart, .duplicatesOpen, .undo) + close + hints(.help)
  }
}
