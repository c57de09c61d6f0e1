import AddressBookModel
import Contacts
import TerminalKit

/// Finds duplicates in the background, merges contacts, and records which contacts are not the same.
@MainActor
final class DuplicateActions: BrowserAction {
  let parts: BrowserParts
  let undoing: UndoActions
  /// The search for duplicates, apart from ``work``, so that both can run at the same time.
  private var finding: BackgroundWork?
  private weak var screen: DuplicatesScreen?
  /// The interval at which results are shown during a search.
  private nonisolated static let updateInterval = Duration.milliseconds(300)

  init(_ parts: BrowserParts, undoing: UndoActions) {
    self.parts = parts
    self.undoing = undoing
    undoing.onNotSameChange = { [weak self] in self?.follow($0, isNotSame: $1) }
  }

  private func follow(_ ids: [Int64], isNotSame: Bool) {
    guard let screen else { return }
    screen.setNotSame(ids, isNotSame)
    // Contacts that were marked as not the same before the screen was opened have to be found first.
    if !isNotSame, !screen.compares(ids) { find(for: screen) }
  }

  /// Opens the marked contacts as one candidate; if none are marked, looks for duplicates.
  func open() {
    let marked = Array(parts.listPane.marks.ids)
    guard marked.count != 1 else { return status.say(strings("duplicates.oneMarked")) }
    guard marked.count <= MergeDraft.limit else {
      return status.say(strings("duplicates.tooMany", strings.number(MergeDraft.limit)))
    }
    // The results of an earlier search are no longer needed.
    stopFinding()
    let screen = DuplicatesScreen(environment: environment, actions: self, chosen: marked.isEmpty ? nil : marked)
    self.screen = screen
    environment.screens.push(screen)
    if marked.isEmpty { find(for: screen) }
  }

  // MARK: Finding

  var isFinding: Bool { finding?.task != nil }

  /// The progress of the search; empty when none is running.
  var findingText: String { finding?.task?.text ?? "" }

  func stopFinding() { finding?.task?.cancel() }

  private func find(for screen: DuplicatesScreen) {
    stopFinding()
    screen.beginSearch()
    let (strings, book, loop) = (strings, environment.book, environment.loop)
    let show = { @MainActor @Sendable [weak screen] (candidates: [DuplicateGroup], isComplete: Bool) in
      if let screen { screen.show(candidates, isComplete: isComplete) }
    }
    let finding = BackgroundWork(status: status, environment: environment)
    self.finding = finding
    finding.run(strings("duplicates.finding", "0%"), stopped: "duplicates.stopped") { report in
      var found: [DuplicatePair] = []
      var shown = ContinuousClock.now - Self.updateInterval
      let groups = try book.duplicates(isCancelled: report.isCancelled) { share in
        report.progress(strings("duplicates.finding", "\(Int(share * 100))%"))
      } onFound: { pairs in
        found += pairs
        guard !found.isEmpty, ContinuousClock.now - shown >= Self.updateInterval else { return }
        let candidates = DuplicatesState.ordered(DuplicateGroup.groups(of: found))
        loop.post { show(candidates, false) }
        shown = .now
      }
      return DuplicatesState.ordered(groups + (try book.namesakes(besides: groups)))
    } failed: { [weak screen] _ in
      // The screen is closed, so the error does not matter.
      guard let screen else { return true }
      screen.endSearch()
      return false
    } done: { candidates in
      show(candidates, true)
    }
  }

  // MARK: Changes

  /// Merges contacts, as one undo step.
  func merge(_ draft: MergeDraft, done: @escaping @MainActor () -> Void) {
    let (strings, book, session, names) = (strings, environment.book, editor.session, environment.names)
    let (ids, choices) = (draft.merged, draft.choices)
    work.write(strings("duplicates.merging"), stopped: "status.writeStopped") { _ in
      try book.merge(ids, choices: choices, in: session, localization: strings.localization)
      let name = try book.contact(id: ids[0]).map(names.name(of:)) ?? ""
      let shown = name.isEmpty ? strings("contact.nameless") : name
      return BackgroundWork.Outcome(message: strings.count("duplicates.merged", ids.count, shown), count: ids.count)
    } failed: { [self] error in
      guard let error = error as? EditError else { return false }
      switch error {
      case .missing: status.fail(strings("status.gone"))
      default:
        parts.show(error, isRequested: false) { [self] in merge(draft, done: done) }
      }
      return true
    } done: { [self] _ in
      parts.listPane.unmark(ids)
      list.select(id: ids[0])
      done()
    }
  }

  /// Records that contacts are not the same.
  func markNotSame(_ ids: [Int64]) {
    let (strings, book) = (strings, environment.book)
    work.run(strings("duplicates.remembering"), stopped: "status.writeStopped") { _ in
      try book.markNotSame(ids)
    } failed: { [self] error in
      guard let error = error as? StoreError else { return false }
      parts.show(error, isRequested: false) { [self] in markNotSame(ids) }
      return true
    } done: { [self] in
      undoing.recordNotSame(ids)
      status.showUndoable(strings.count("duplicates.markedNotSame", ids.count))
      screen?.setNotSame(ids, true)
    }
  }

  /// Opens a page with the details of a contact.
  func showContact(_ id: Int64) {
    do {
      guard let contact = try environment.book.contact(id: id) else { return status.say(strings("status.gone")) }
      let content = ContactDetail.Content(
        contact: contact, folders: try environment.book.folderNames(ofContact: id),
        isDamaged: environment.book.damage.has(id))
      environment.screens.push(ContactPage(content, title: parts.name(of: contact), environment: environment))
    } catch {
      status.show(reading: error)
    }
  }
}

/// A page with the details of a contact, laid out as in the detail pane.
@MainActor
final class ContactPage: Screen {
  var keyContext: KeyContext { .page }
  private let environment: AppEnvironment
  private let content: ContactDetail.Content
  private let title: String
  private var detail = ContactDetail()

  init(_ content: ContactDetail.Content, title: String, environment: AppEnvironment) {
    self.environment = environment
    self.content = content
    self.title = title
  }

  func perform(_ command: Command, in context: ScreenContext) {
    switch command.role {
    case .cancel: environment.screens.pop(self)
    case .move(let movement): detail.move(movement)
    default: break
    }
  }

  func type(_ key: Key, in context: ScreenContext) { detail.type(key) }

  func handle(_ event: Event, in context: ScreenContext) {
    if case .mouse(let mouse) = event { _ = detail.handle(mouse) }
  }

  func prepare(in rect: Rect) {
    detail.prepare(content, in: rect.inset(top: 1, left: 2, bottom: 1, right: 1), environment)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let theme = environment.theme
    canvas.fill(rect, style: theme.text)
    Bars(theme: theme).drawTitle(title, on: &canvas, in: rect.line(0))
    detail.draw(on: &canvas, theme: theme, isFocused: true)
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    BottomLine(hints: environment.hints([.moveDown, .helpClose], in: .page))
  }
}
