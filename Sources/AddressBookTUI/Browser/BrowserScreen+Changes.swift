import AddressBookModel
import Dispatch
import TerminalKit

/// What the main screen writes.
extension BrowserScreen {
  // MARK: Adding and changing

  func addPerson() {
    let session = editor.beginNew(newContact)
    openForm(session, isNew: true)
  }

  /// Somebody new begins in the group that the list shows.
  private var newContact: Contact {
    var contact = Contact()
    if let group = list.filter.group { contact.groups = [group] }
    return contact
  }

  func editSelected() {
    guard let id = list.selectedID else { return }
    do {
      guard let session = try editor.begin(id) else {
        message = (environment.words("status.gone"), true)
        return
      }
      openForm(session, isNew: false)
    } catch {
      show(error)
    }
  }

  /// Opens the form; with a draft, it holds what was typed then.
  @discardableResult
  func openForm(_ session: ContactEditor.Session, isNew: Bool, draft: Draft? = nil) -> ContactFormScreen {
    let form = ContactFormScreen(session.contact, draft: draft, environment: environment) { [weak self] contact, form in
      self?.save(contact, session, isNew: isNew, form: form) ?? .saved
    }
    environment.screens.push(form)
    return form
  }

  private func save(
    _ contact: Contact, _ session: ContactEditor.Session, isNew: Bool, form: ContactFormScreen,
    policy: MergePolicy = .byField
  ) -> ContactFormScreen.Outcome {
    let words = environment.words
    do {
      guard let id = try editor.save(contact, photo: form.photo, in: session, policy: policy) else {
        message = (words("status.gone"), true)
        return .saved
      }
      if isNew { stopHiding(contact, id: id) }
      list.select(id: id)
      detailTop = 0
      message = (words(isNew ? "status.added" : "status.saved", name(of: contact)), false)
      return .saved
    } catch {
      switch error {
      case .invalid(let errors): return .invalid(errors, summary: words.count("form.errors", errors.count))
      case .conflict(let conflict):
        ask(about: conflict, contact, session, form)
        return .asked
      case .busy(let reason): return .busy(reason)
      case .bookGone(let reason):
        offerToReopen(reason)
        return .asked
      case .failed(let reason): return .failed(reason)
      }
    }
  }

  /// Ends the search, and leaves a group that they are not in: somebody new would be saved and not be seen.
  private func stopHiding(_ contact: Contact, id: Int64) {
    if let group = list.filter.group, !contact.groups.contains(group) {
      showEverybody()
    } else if !filterText.isEmpty {
      endSearch(selecting: id)
    }
  }

  /// Both sides changed the same fields: the person decides which stay.
  private func ask(
    about conflict: ContactEditor.Conflict, _ contact: Contact, _ session: ContactEditor.Session,
    _ form: ContactFormScreen
  ) {
    let words = environment.words
    func answer(_ policy: MergePolicy) {
      switch save(contact, session, isNew: false, form: form, policy: policy) {
      case .saved: form.close()
      case .failed(let reason), .busy(let reason): form.showFailure(reason)
      case .invalid, .asked: break
      }
    }
    environment.ask(
      words(conflict.isDeleted ? "conflict.deleted" : "conflict.title", name(of: contact)),
      detail: conflict.isDeleted ? "" : words("conflict.detail", fieldNames(of: conflict)),
      answers: [
        .init(key: "m", word: words("conflict.mine")) { answer(.objectWins) },
        .init(key: "t", word: words("conflict.theirs")) { answer(.storeWins) },
        .init(key: "b", word: words("conflict.back")) {},
      ])
  }

  private func fieldNames(of conflict: ContactEditor.Conflict) -> String {
    let localization = environment.words.localization
    return Set(conflict.fields.map { localization.propertyPath($0, entity: "Person") }).sorted().joined(separator: ", ")
  }

  private func name(of contact: Contact) -> String {
    let name = contact.displayName
    return name.isEmpty ? environment.words("contact.nameless") : name
  }

  /// The name for a question about one person.
  private func name(ofSelected id: Int64) -> String? {
    list.contactForAction().flatMap { $0.id == id ? name(of: $0) : nil }
  }

  // MARK: Deleting

  func deleteSelected() {
    let words = environment.words
    let ids = chosenIDs
    guard let first = ids.first else { return }
    let single = marked.isEmpty ? name(ofSelected: first) : nil
    let title = single.map { words("confirm.delete", $0) } ?? words.count("confirm.deleteMany", ids.count)
    var detail = [words("confirm.delete.detail", environment.keys.label(of: .undo, in: .list))]
    if single == nil {
      do {
        detail.insert(contentsOf: try description(ofMarked: ids), at: 0)
      } catch {
        show(reading: error)
        return
      }
    }
    environment.ask(
      title, detail: detail.joined(separator: "\n"),
      answers: [
        .init(key: "y", word: words("confirm.delete.yes")) { [weak self] in self?.delete(ids, single: single) },
        .init(key: "n", word: words("confirm.delete.no")) {},
      ])
  }

  /// Names of who is marked, the first few, and how many of them cannot be seen.
  private func description(ofMarked ids: [Int64]) throws -> [String] {
    let words = environment.words
    let ordered = ids.map { (id: $0, row: list.snapshot.flatRow(ofID: $0)) }
      .sorted { ($0.row ?? .max, $0.id) < ($1.row ?? .max, $1.id) }
    let shown = ordered.prefix(Self.namesInQuestion).map(\.id)
    let contacts = try environment.book.contacts(ids: shown)
    let names = shown.compactMap { id in contacts.first { $0.id == id }.map { DisplayText.clean(name(of: $0)) } }
    let text = names.joined(separator: words("list.comma"))
    let rest = ids.count - shown.count
    var lines = [rest > 0 ? words.count("confirm.delete.more", rest, text) : text]
    let filtered = ordered.count { $0.row == nil }
    let unseen = ids.count { !isOnScreen($0) }
    if filtered > 0 {
      lines.append(words.count("confirm.delete.filtered", filtered))
    } else if unseen > 0 {
      lines.append(words.count("confirm.delete.unseen", unseen))
    }
    return lines
  }

  /// As many names as a question has room for in a small window.
  private static var namesInQuestion: Int { 5 }

  private func isOnScreen(_ id: Int64) -> Bool { !showsDetail || isSplit ? list.isVisible(id) : false }

  private func delete(_ ids: [Int64], single: String?) {
    let words = environment.words
    do {
      let step = single.map { words("undo.delete", $0) } ?? words("undo.deleteMany", words.number(ids.count))
      try editor.delete(ids, name: step)
      marked.subtract(ids)
      showsDetail = showsDetail && isSplit
      message = (single.map { words("status.deleted", $0) } ?? words.count("status.deletedMany", ids.count), false)
    } catch {
      show(error) { [weak self] in self?.delete(ids, single: single) }
    }
  }

  // MARK: Undo and redo

  /// A step that is undone or redone.
  private struct Move {
    let step: @MainActor (MergePolicy) throws(ContactEditor.Failure) -> ContactEditor.Step?
    let done: String
    let nothing: String
    /// What going on all the same is called.
    let anyway: String
  }

  func undo() {
    let editor = editor
    guard !isBusy else { return }
    if let step = editor.bulkStepToUndo { return revert(step, isUndo: true) }
    perform(
      Move(
        step: { policy throws(ContactEditor.Failure) in try editor.undo(policy: policy) }, done: "status.undone",
        nothing: "status.nothingToUndo", anyway: "conflict.undo.anyway"))
  }

  func redo() {
    let editor = editor
    guard !isBusy else { return }
    if let step = editor.bulkStepToRedo { return revert(step, isUndo: false) }
    perform(
      Move(
        step: { policy throws(ContactEditor.Failure) in try editor.redo(policy: policy) }, done: "status.redone",
        nothing: "status.nothingToRedo", anyway: "conflict.redo.anyway"))
  }

  /// Undoes or redoes in the background what was written in bulk.
  private func revert(_ step: ContactEditor.BulkStep, isUndo: Bool, policy: MergePolicy = .byField) {
    let (words, book) = (environment.words, environment.book)
    let running = isUndo ? "status.undoing" : "status.redoing"
    runInBackground(words(running, step.name, ""), stopped: isUndo ? "status.undoStopped" : "status.redoStopped") {
      report in
      try book.revert(step.journal, policy: policy, isCancelled: report.isCancelled) { share in
        report.progress(words(running, step.name, " (\(Int(share * 100)) %)"))
      }
    } failed: { [weak self] error in
      guard case .conflict(let conflict)? = error as? RevertError else { return false }
      self?.ask(
        about: ContactEditor.Conflict(conflict), anyway: isUndo ? "conflict.undo.anyway" : "conflict.redo.anyway"
      ) {
        self?.revert(step, isUndo: isUndo, policy: $0)
      }
      return true
    } done: { [weak self] inverse in
      guard let self else { return }
      let result = isUndo ? editor.didUndo(step, inverse) : editor.didRedo(step, inverse)
      if let id = result.id { list.select(id: id) }
      message = (words(isUndo ? "status.undone" : "status.redone", result.name), false)
    }
  }

  /// True, with a message, while something runs in the background that must end first.
  var isBusy: Bool {
    guard task != nil else { return false }
    message = (environment.words("status.busy"), false)
    return true
  }

  private func perform(_ move: Move, policy: MergePolicy = .byField) {
    do {
      guard let step = try move.step(policy) else {
        message = (environment.words(move.nothing), false)
        return
      }
      if let id = step.id { list.select(id: id) }
      message = (environment.words(move.done, step.name), false)
    } catch {
      guard case .conflict(let conflict) = error else {
        return show(error) { [weak self] in self?.perform(move, policy: policy) }
      }
      ask(about: conflict, anyway: move.anyway) { [weak self] in self?.perform(move, policy: $0) }
    }
  }

  /// Somebody else wrote since what the step left: the person decides what becomes of it.
  /// - Parameter anyway: the key of what going on all the same is called.
  private func ask(
    about conflict: ContactEditor.Conflict, anyway: String, _ goOn: @escaping @MainActor (MergePolicy) -> Void
  ) {
    let words = environment.words
    let title =
      conflict.count == 1
      ? words(conflict.isDeleted ? "conflict.since.deleted" : "conflict.since", name(of: conflict))
      : words.count("conflict.since.many", conflict.count)
    environment.ask(
      title, detail: conflict.fields.isEmpty ? "" : words("conflict.since.detail", fieldNames(of: conflict)),
      answers: [
        .init(key: "m", word: words(anyway)) { goOn(.objectWins) },
        .init(key: "t", word: words("conflict.since.keep")) { goOn(.storeWins) },
        .init(key: "b", word: words("conflict.since.cancel")) {},
      ])
  }

  /// The name of the first contact that a question is about.
  private func name(of conflict: ContactEditor.Conflict) -> String {
    guard let id = conflict.ids.first else { return "" }
    do {
      let contact = try environment.book.contact(id: id) ?? environment.book.deletedContact(id: id)
      return name(of: contact ?? Contact())
    } catch {
      return environment.words("contact.nameless")
    }
  }

  /// - Parameter again: does once more what failed, for when another program was in the way.
  func show(_ failure: ContactEditor.Failure, again: (@MainActor () -> Void)? = nil) {
    let words = environment.words
    switch failure {
    case .busy(let reason):
      guard let again else {
        message = (reason, true)
        return
      }
      // A question stays until it is answered.
      environment.ask(
        words("busy.title"), detail: reason,
        answers: [
          .init(key: "r", word: words("busy.retry"), action: again), .init(key: "b", word: words("busy.back")) {},
        ])
    case .bookGone(let reason): offerToReopen(reason)
    case .invalid(let errors):
      message = (words("status.saveFailed", errors.values.sorted().joined(separator: " ")), true)
    case .conflict: message = (words("status.saveFailed", words.localization.text("ErrorString/save.conflict")), true)
    case .failed(let reason): message = (words("status.saveFailed", reason), true)
    }
  }

  /// Says that something could not be read; what is on the screen stays.
  func show(reading error: any Error) {
    let words = environment.words
    let reason = (error as? StoreError)?.message(in: words.localization) ?? String(describing: error)
    message = (words("status.readFailed", reason), true)
  }

  // MARK: Import and made-up people

  /// Asks for a file; one that could not be imported stands in the prompt still, to be corrected.
  func askForImport() { askForImport(typed: failedImport ?? "", error: nil) }

  private func askForImport(typed: String, error: String?) {
    guard task == nil else { return }
    environment.screens.push(
      PathPrompt(
        title: environment.words("import.title"), hint: environment.words("import.hint"), text: typed, error: error,
        theme: environment.theme, loop: environment.loop,
        close: { [weak self] in self?.environment.screens.pop($0) },
        choose: { [weak self] path, prompt in
          self?.environment.screens.pop(prompt)
          self?.importFile(path, typed: prompt.text)
        }))
  }

  private func importFile(_ path: String, typed: String) {
    failedImport = nil
    let words = environment.words
    let book = environment.book
    let key = environment.keys.label(of: .warnings, in: .list)
    writeInBackground(words("status.importing", path)) { report in
      let importer = Importer(book: book)
      importer.keepsJournal = true
      importer.noticeLimit = ImportNotices.limit
      var notices = ImportNotices()
      importer.onNotice = { notices.list.append($0) }
      importer.isCancelled = report.isCancelled
      importer.onProgress = { progress in
        let percent = progress.fraction.map { " (\(Int($0 * 100)) %)" } ?? ""
        report.progress(words("status.importing", words.number(progress.cards) + percent))
      }
      let result = try importer.run([path])
      notices.count = importer.noticeCount
      let text = words(
        "status.imported", words.number(result.imported), words.number(result.updated),
        words.number(result.skipped))
      let warnings = notices.count == 0 ? "" : words.count("status.importNotices", notices.count, key) + " "
      return Finished(
        message: warnings + text, step: words("undo.import", path), journal: importer.journal, notices: notices)
    } failed: { [weak self] error in
      guard let self, !isStop(error) else { return false }
      failedImport = typed
      guard mode == .list, environment.screens.top === self else { return false }
      askForImport(typed: typed, error: reason(of: error))
      return true
    }
  }

  /// What the last import had to say about single cards.
  func showImportNotices() {
    guard importNotices.count > 0 else {
      message = (environment.words("status.noImportNotices"), false)
      return
    }
    environment.screens.push(ImportNoticesScreen(importNotices, environment: environment))
  }

  func fillWithDemoPeople() {
    let words = environment.words
    let book = environment.book
    writeInBackground(words("list.loading")) { _ in
      let journal = try book.bulkWrite { writer in
        writer.keepsJournal = true
        for contact in DemoPeople(count: Self.demoCount, seed: Self.demoSeed) { try writer.write(contact) }
        return writer.journal
      }
      return Finished(
        message: words("status.demo", String(Self.demoCount)), step: words("undo.demo"), journal: journal)
    }
  }

  private nonisolated static var demoCount: Int { 500 }
  private nonisolated static var demoSeed: UInt64 { 7 }

  /// What work in the background can say and ask.
  struct Report: Sendable {
    var progress: @Sendable (String) -> Void
    var isCancelled: @Sendable () -> Bool
  }

  /// What was written in the background.
  private struct Finished: Sendable {
    var message: String
    /// Name of the step of undo.
    var step: String
    var journal: BulkJournal
    var notices: ImportNotices?
  }

  /// Writes on a thread of its own; the result is one step of undo.
  /// - Parameter failed: true when it has dealt with an error.
  private func writeInBackground(
    _ text: String, _ work: @escaping @Sendable (Report) throws -> Finished,
    failed: @escaping @MainActor (any Error) -> Bool = { _ in false }
  ) {
    let words = environment.words
    runInBackground(text, stopped: "status.importStopped", work, failed: failed) { [weak self] result in
      self?.editor.record(result.journal, name: result.step)
      if let notices = result.notices { self?.importNotices = notices }
      let reason = result.journal.failure.map { $0.message(in: words.localization) }
      self?.message = (reason.map { words("status.noUndo", result.message, $0) } ?? result.message, reason != nil)
    }
  }

  /// Runs work on a thread of its own, with its progress in the bottom line; Esc stops it.
  /// - Parameters:
  ///   - stopped: the key of what is said when it was stopped.
  ///   - failed: true when it has dealt with an error.
  func runInBackground<Value: Sendable>(
    _ text: String, stopped: String, _ work: @escaping @Sendable (Report) throws -> Value,
    failed: @escaping @MainActor (any Error) -> Bool = { _ in false }, done: @escaping @MainActor (Value) -> Void
  ) {
    let task = RunningTask(text: text)
    self.task = task
    let flag = task.isCancelled
    let loop = environment.loop
    let report = Report(
      progress: { text in loop.post { task.text = text } }, isCancelled: { flag.isSet })
    DispatchQueue.global(qos: .userInitiated).async { [weak self] in
      TerminalGuard.coverThread()
      let result = Result { try work(report) }
      loop.post {
        self?.task = nil
        switch result {
        case .success(let value): done(value)
        case .failure(let error):
          guard let self, !failed(error) else { return }
          self.message = self.message(of: error, stopped: stopped)
        }
      }
    }
  }

  private func message(of error: any Error, stopped: String) -> (text: String, isError: Bool) {
    isStop(error) ? (environment.words(stopped), false) : (reason(of: error), true)
  }

  private func isStop(_ error: any Error) -> Bool {
    error is CancellationError || storeError(error)?.reason == .cancelled
  }

  private func storeError(_ error: any Error) -> StoreError? {
    if case .store(let reason)? = error as? RevertError { return reason }
    return error as? StoreError
  }

  private func reason(of error: any Error) -> String {
    let localization = environment.words.localization
    return storeError(error)?.message(in: localization) ?? (error as? ImportError)?.message(in: localization)
      ?? String(describing: error)
  }
}
