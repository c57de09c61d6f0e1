import AddressBookModel
import BookInterchange
import Contacts
import Glibc
import Synchronization
import SystemCalls
import TerminalKit

/// Imports files, and adds sample contacts to an empty book.
@MainActor
final class ImportActions: BrowserAction {
  let parts: BrowserParts
  private let undoing: UndoActions

  init(_ parts: BrowserParts, undoing: UndoActions) {
    self.parts = parts
    self.undoing = undoing
  }

  /// The notices of the last completed import.
  private(set) var notices = ImportNotices()

  /// Lets the user choose a file, shows what its import would do, and imports it if the user accepts.
  func ask() {
    guard !work.refusesWork() else { return }
    environment.screens.push(
      ImportChooserScreen(environment: environment) { [self] chooser, path in
        // A pipe can only be read once.
        if let status = stat(of: path), !status.isFile, !status.isFolder {
          environment.screens.pop(chooser)
          return importFile(ImportRequest(path: path))
        }
        environment.screens.push(
          ImportPreviewScreen(path: path, environment: environment) { [self] preview, request in
            environment.screens.pop(preview)
            environment.screens.pop(chooser)
            importFile(request)
          })
      })
  }

  private func importFile(_ request: ImportRequest) {
    let (strings, book, session) = (strings, environment.book, editor.session)
    let (memory, path) = (environment.importChoices, request.path)
    let key = environment.keys.label(of: .importNotices, in: .list)
    work.write(strings("status.importing", path)) { report in
      let importer = Importer(book: book)
      importer.session = session
      importer.noticeLimit = ImportNotices.limit
      if let choices = request.choices, let format = request.format {
        (importer.reading, importer.matching) = (choices.reading(format), choices.matching)
      }
      var notices = ImportNotices()
      importer.onNotice = { notices.list.append($0) }
      importer.isCancelled = report.isCancelled
      importer.onProgress = { report.progress(strings("status.importing", strings.progress(of: $0))) }
      let result = try importer.run([path])
      notices.count = importer.noticeCount
      notices.result = strings(
        "status.imported", strings.number(result.imported), strings.number(result.updated),
        strings.number(result.skipped))
      var message = notices.result
      if notices.count > 0 { message = strings.count("status.importNotices", notices.count, key) + " " + message }
      message += Self.remember(request, memory, strings)
      return BackgroundWork.Outcome(message: message, count: importer.recordedCount, notices: notices)
    } done: { [self] outcome in
      finish(outcome)
    }
  }

  private func finish(_ outcome: BackgroundWork.Outcome) {
    guard let notices = outcome.notices else { return }
    self.notices = notices
    guard notices.count > 0, parts.isListOnTop else { return }
    let undo: @MainActor () -> Void = { [undoing] in undoing.undo() }
    showNotices(undo: outcome.count == 0 ? nil : undo)
  }

  /// Saves the choices for the next import from the same source.
  /// - Returns: why that failed; empty if it did not.
  private nonisolated static func remember(
    _ request: ImportRequest, _ memory: ImportChoicesFile?, _ strings: Strings
  ) -> String {
    guard let choices = request.choices else { return "" }
    do throws(FileFailure) {
      try memory?.save(choices, for: request.source)
      return ""
    } catch {
      return " " + strings("import.notKept", error.message)
    }
  }

  /// Shows the notices of the last completed import.
  /// - Parameter undo: undoes the import; nil if it may no longer be the last change.
  func showNotices(undo: (@MainActor () -> Void)? = nil) {
    guard notices.count > 0 else {
      status.say(strings("status.noImportNotices"))
      return
    }
    environment.screens.push(ImportSummaryScreen(notices, environment: environment, undo: undo))
  }

  /// Fills an empty book with sample contacts.
  func addSampleContacts() {
    let (strings, book, session) = (strings, environment.book, editor.session)
    work.write(strings("status.addingSamples")) { _ in
      let count = try book.bulkWrite(as: StepName(.samples), in: session) { writer in
        for contact in SampleContacts(count: Self.demoCount, seed: Self.demoSeed) { try writer.write(contact) }
        return writer.recordedCount
      }
      return BackgroundWork.Outcome(message: strings("status.demo", String(Self.demoCount)), count: count)
    }
  }

  private nonisolated static var demoCount: Int { 500 }
  private nonisolated static var demoSeed: UInt64 { 7 }
}

/// Writes all marked contacts, or the selected one, to a vCard file.
@MainActor
final class ExportAction: BrowserAction {
  let parts: BrowserParts

  init(_ parts: BrowserParts) { self.parts = parts }

  func ask() {
    let ids = parts.listPane.chosenIDs
    guard !ids.isEmpty, let chosenText = parts.chosenText() else { return }
    environment.screens.push(
      TextPrompt(
        title: strings("export.title"), detail: chosenText, word: "export", environment: environment,
        choose: { [self] path, prompt in export(ids, to: PrivateFile(path), prompt) }))
  }

  private func export(_ ids: [Int64], to file: PrivateFile, _ prompt: TextPrompt) {
    guard !AddressBook.isOpen(path: file.path) else {
      prompt.show(error: strings("export.failed", file.path, strings("export.isBook")))
      return
    }
    guard file.exists else {
      write(ids, to: file, prompt)
      return
    }
    environment.ask(
      strings("export.replace", file.path), detail: strings("export.replace.detail"),
      answers: [
        .init(key: "y", word: strings("export.replace.yes")) { [self] in write(ids, to: file, prompt) },
        .init(key: "n", word: strings("export.replace.no")) {},
      ])
  }

  /// Writes the file in the background. If the file cannot be written, the prompt is shown again with the typed path,
  /// or only a message if keys no longer go to the list.
  private func write(_ ids: [Int64], to file: PrivateFile, _ prompt: TextPrompt) {
    guard !work.refusesWork() else { return }
    environment.screens.pop(prompt)
    let (strings, book) = (strings, environment.book)
    work.run(strings("status.exporting", file.path, ""), stopped: "status.exportStopped") { report in
      let replacement = try FileReplacement(path: file.path)
      // Another process may have read the cards for more fields.
      try book.store.read(CardReading.learn)
      let exporter = CardExporter(version: nil)
      let written = Atomic(0)
      let count = try book.forEachEncoded(ids: ids, withPhotos: true) { contact, photo, bytes in
        if report.isCancelled() { throw CancellationError() }
        exporter.append(contact.contact, photo: photo, to: &bytes)
        let done = written.add(1, ordering: .relaxed).newValue
        guard done % 500 == 0 else { return }
        report.progress(strings("status.exporting", file.path, " " + strings.percent(Double(done) / Double(ids.count))))
      } _: { card in
        try replacement.write(card)
        return true
      }
      try replacement.commit()
      return count
    } failed: { [self] error in
      guard let failure = error as? FileFailure else { return false }
      let reason = strings("export.failed", file.path, failure.message)
      if parts.isListOnTop {
        prompt.show(error: reason)
        environment.screens.push(prompt)
      } else {
        status.fail(reason)
      }
      return true
    } done: { [self] count in
      status.say(strings.count("status.exported", count, file.path))
    }
  }
}

extension Strings {
  /// The number of cards that were read, and the share of the file.
  func progress(of progress: ImportProgress) -> String {
    noted(number(progress.cards), progress.fraction.map(percent) ?? "")
  }
}
