import AddressBookModel
import BookInterchange
import Contacts
import Synchronization
import SystemCalls
import TerminalKit

/// Imports files, and adds sample contacts to an empty book.
@MainActor
final class ImportActions: BrowserAction {
  let parts: BrowserParts
  /// The path typed for the previous import, to be corrected; nil if it did not fail.
  private var failedImport: String?

  init(_ parts: BrowserParts) { self.parts = parts }

  /// The notices of the last completed import.
  private(set) var notices = ImportNotices()

  /// Asks for a file. If the previous import failed, its path is in the prompt, to be corrected.
  func ask() { ask(typed: failedImport ?? "", error: nil) }

  private func ask(typed: String, error: String?) {
    guard !work.refusesWork() else { return }
    environment.screens.push(
      TextPrompt(
        title: strings("import.title"), text: typed, error: error, word: "import", environment: environment,
        choose: { [self] path, prompt in
          environment.screens.pop(prompt)
          importFile(path, typed: prompt.text)
        }))
  }

  private func importFile(_ path: String, typed: String) {
    failedImport = nil
    let (strings, book, session) = (strings, environment.book, editor.session)
    let key = environment.keys.label(of: .importNotices, in: .list)
    work.write(strings("status.importing", path)) { report in
      let importer = Importer(book: book)
      importer.session = session
      importer.noticeLimit = ImportNotices.limit
      var notices = ImportNotices()
      importer.onNotice = { notices.list.append($0) }
      importer.isCancelled = report.isCancelled
      importer.onProgress = { progress in
        let percent = progress.fraction.map(strings.percent) ?? ""
        report.progress(strings("status.importing", strings.noted(strings.number(progress.cards), percent)))
      }
      // On the screen, `-` is not standard input but the name of a file.
      let result = try importer.run([path == "-" ? "./-" : path])
      notices.count = importer.noticeCount
      let text = strings(
        "status.imported", strings.number(result.imported), strings.number(result.updated),
        strings.number(result.skipped))
      let warnings = notices.count == 0 ? "" : strings.count("status.importNotices", notices.count, key) + " "
      return BackgroundWork.Outcome(
        message: warnings + text, count: importer.recordedCount, notices: notices)
    } failed: { [self] error in
      guard !work.isStop(error) else { return false }
      failedImport = typed
      guard parts.isListOnTop else { return false }
      ask(typed: typed, error: work.reason(of: error))
      return true
    } done: { [self] written in
      if let notices = written.notices { self.notices = notices }
    }
  }

  /// Shows the notices of the last completed import.
  func showNotices() {
    guard notices.count > 0 else {
      status.say(strings("status.noImportNotices"))
      return
    }
    environment.screens.push(
      TextPage(
        title: strings("notices.title"), detail: strings.count("notices.count", notices.count),
        paragraphs: notices.list.map { $0.message(in: strings.localization) }, environment: environment))
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

/// The notices of an import: the first ones, and their total number.
struct ImportNotices: Sendable {
  /// The maximum number of notices in `list`.
  static let limit = 1000

  var list: [ImportNotice] = []
  var count = 0
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
