import AddressBookModel
import TerminalKit

/// Importing files, and sample contacts for an empty book.
@MainActor
final class ImportActions: BrowserAction {
  let parts: BrowserParts
  /// What was typed for the import that failed last, to be corrected.
  private var failedImport: String?

  init(_ parts: BrowserParts) { self.parts = parts }

  /// What the last import had to say.
  private(set) var notices = ImportNotices()

  /// Asks for a file; one that could not be imported stands in the prompt still, to be corrected.
  func ask() { ask(typed: failedImport ?? "", error: nil) }

  private func ask(typed: String, error: String?) {
    guard work.task == nil else { return }
    environment.screens.push(
      PathPrompt(
        title: strings("import.title"), hint: strings("import.hint"), text: typed, error: error,
        theme: environment.theme, loop: environment.loop,
        close: { [weak self] in self?.environment.screens.pop($0) },
        choose: { [weak self] path, prompt in
          self?.environment.screens.pop(prompt)
          self?.importFile(path, typed: prompt.text)
        }))
  }

  private func importFile(_ path: String, typed: String) {
    failedImport = nil
    let (strings, book) = (strings, environment.book)
    let key = environment.keys.label(of: .warnings, in: .list)
    work.write(strings("status.importing", path)) { report in
      let importer = Importer(book: book)
      importer.keepsJournal = true
      importer.noticeLimit = ImportNotices.limit
      var notices = ImportNotices()
      importer.onNotice = { notices.list.append($0) }
      importer.isCancelled = report.isCancelled
      importer.onProgress = { progress in
        let percent = progress.fraction.map { " (\(Int($0 * 100)) %)" } ?? ""
        report.progress(strings("status.importing", strings.number(progress.cards) + percent))
      }
      // The screen has standard input to itself: here `-` is the name of a file.
      let result = try importer.run([path == "-" ? "./-" : path])
      notices.count = importer.noticeCount
      let text = strings(
        "status.imported", strings.number(result.imported), strings.number(result.updated),
        strings.number(result.skipped))
      let warnings = notices.count == 0 ? "" : strings.count("status.importNotices", notices.count, key) + " "
      return BackgroundWork.Written(
        message: warnings + text, step: strings("undo.import", path), journal: importer.journal, notices: notices)
    } failed: { [weak self] error in
      guard let self, !work.isStop(error) else { return false }
      failedImport = typed
      guard parts.isListOnTop else { return false }
      ask(typed: typed, error: work.reason(of: error))
      return true
    } done: { [weak self] written in
      if let notices = written.notices { self?.notices = notices }
    }
  }

  /// What the last import had to say about single cards.
  func showNotices() {
    guard notices.count > 0 else {
      status.say(strings("status.noImportNotices"))
      return
    }
    environment.screens.push(ImportNoticesScreen(notices, environment: environment))
  }

  /// Fills an empty book with sample contacts.
  func addDemoPeople() {
    let (strings, book) = (strings, environment.book)
    work.write(strings("list.loading")) { _ in
      let journal = try book.bulkWrite { writer in
        writer.keepsJournal = true
        for contact in DemoPeople(count: Self.demoCount, seed: Self.demoSeed) { try writer.write(contact) }
        return writer.journal
      }
      return BackgroundWork.Written(
        message: strings("status.demo", String(Self.demoCount)), step: strings("undo.demo"), journal: journal)
    }
  }

  private nonisolated static var demoCount: Int { 500 }
  private nonisolated static var demoSeed: UInt64 { 7 }
}
