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
      let id = try editor.save(contact, photo: form.photo, in: session, policy: policy)
      // Somebody new who does not match the search would be saved and not be seen.
      if isNew, !list.filter.isEmpty { endSearch() }
      list.select(id: id)
      detailTop = 0
      message = (words(isNew ? "status.added" : "status.saved", name(of: contact)), false)
      return .saved
    } catch {
      switch error {
      case .invalid(let errors): return .invalid(errors, summary: words.count("form.errors", errors.count))
      case .conflict(let fields):
        ask(about: fields, contact, session, form)
        return .asked
      case .busy(let reason): return .busy(reason)
      case .bookGone(let reason):
        offerToReopen(reason)
        return .asked
      case .failed(let reason): return .failed(reason)
      }
    }
  }

  /// Both sides changed the same fields: the person decides which stay.
  private func ask(
    about fields: [String], _ contact: Contact, _ session: ContactEditor.Session, _ form: ContactFormScreen
  ) {
    let words = environment.words
    let names = Set(fields.map { words.localization.propertyPath($0, entity: "Person") }).sorted()
    func answer(_ policy: MergePolicy) {
      switch save(contact, session, isNew: false, form: form, policy: policy) {
      case .saved: form.close()
      case .failed(let reason), .busy(let reason): form.showFailure(reason)
      case .invalid, .asked: break
      }
    }
    environment.ask(
      words("conflict.title", name(of: contact)),
      detail: names.isEmpty ? "" : words("conflict.detail", names.joined(separator: ", ")),
      answers: [
        .init(key: "m", word: words("conflict.mine")) { answer(.objectWins) },
        .init(key: "t", word: words("conflict.theirs")) { answer(.storeWins) },
        .init(key: "b", word: words("conflict.back")) {},
      ])
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
    let ids = marked.isEmpty ? list.selectedID.map { [$0] } ?? [] : marked.sorted()
    guard let first = ids.first else { return }
    let single = marked.isEmpty ? name(ofSelected: first) : nil
    let title = single.map { words("confirm.delete", $0) } ?? words.count("confirm.deleteMany", ids.count)
    environment.ask(
      title, detail: words("confirm.delete.detail"),
      answers: [
        .init(key: "y", word: words("confirm.delete.yes")) { [weak self] in self?.delete(ids, single: single) },
        .init(key: "n", word: words("confirm.delete.no")) {},
      ])
  }

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

  func undo() {
    move(
      by: { () throws(ContactEditor.Failure) in try editor.undo() }, done: "status.undone",
      nothing: "status.nothingToUndo", again: { [weak self] in self?.undo() })
  }

  func redo() {
    move(
      by: { () throws(ContactEditor.Failure) in try editor.redo() }, done: "status.redone",
      nothing: "status.nothingToRedo", again: { [weak self] in self?.redo() })
  }

  private func move(
    by step: () throws(ContactEditor.Failure) -> ContactEditor.Step?, done: String, nothing: String,
    again: @escaping @MainActor () -> Void
  ) {
    do {
      guard let step = try step() else {
        message = (environment.words(nothing), false)
        return
      }
      if let id = step.id { list.select(id: id) }
      message = (environment.words(done, step.name), false)
    } catch {
      show(error, again: again)
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

  func askForImport() {
    guard task == nil else { return }
    environment.screens.push(
      PathPrompt(
        title: environment.words("import.title"), hint: environment.words("import.hint"), theme: environment.theme,
        close: { [weak self] in self?.environment.screens.pop($0) },
        choose: { [weak self] in self?.importFile($0) }))
  }

  private func importFile(_ path: String) {
    let words = environment.words
    let book = environment.book
    runInBackground(words("status.importing", path)) { report in
      let importer = Importer(book: book)
      importer.keepsJournal = true
      importer.isCancelled = report.isCancelled
      importer.onProgress = { progress in
        let percent = progress.fraction.map { " (\(Int($0 * 100)) %)" } ?? ""
        report.progress(words("status.importing", words.number(progress.cards) + percent))
      }
      let result = try importer.run([path])
      let text = words(
        "status.imported", words.number(result.imported), words.number(result.updated),
        words.number(result.skipped))
      return (text, words("undo.import", path), importer.journal)
    }
  }

  func fillWithDemoPeople() {
    let words = environment.words
    let book = environment.book
    runInBackground(words("list.loading")) { _ in
      let journal = try book.bulkWrite { writer in
        writer.keepsJournal = true
        for contact in DemoPeople(count: Self.demoCount, seed: Self.demoSeed) { try writer.write(contact) }
        return writer.journal
      }
      return (words("status.demo", String(Self.demoCount)), words("undo.demo"), journal)
    }
  }

  private nonisolated static var demoCount: Int { 500 }
  private nonisolated static var demoSeed: UInt64 { 7 }

  /// What work in the background can say and ask.
  struct Report: Sendable {
    var progress: @Sendable (String) -> Void
    var isCancelled: @Sendable () -> Bool
  }

  /// Runs work on a thread of its own; its result is one step of undo.
  private func runInBackground(
    _ text: String, _ work: @escaping @Sendable (Report) throws -> (message: String, step: String, journal: BulkJournal)
  ) {
    let task = RunningTask(text: text)
    self.task = task
    let flag = task.isCancelled
    let loop = environment.loop
    let localization = environment.words.localization
    let report = Report(
      progress: { text in loop.post { task.text = text } }, isCancelled: { flag.isSet })
    DispatchQueue.global(qos: .userInitiated).async { [weak self] in
      do {
        let result = try work(report)
        loop.post {
          self?.task = nil
          self?.editor.record(result.journal, name: result.step)
          self?.message = (result.message, false)
        }
      } catch {
        let isStop = (error as? StoreError)?.reason == .cancelled
        let reason =
          (error as? StoreError)?.message(in: localization) ?? (error as? ImportError)?.message(in: localization)
          ?? String(describing: error)
        loop.post {
          self?.task = nil
          guard let self else { return }
          self.message = isStop ? (self.environment.words("status.importStopped"), false) : (reason, true)
        }
      }
    }
  }
}
