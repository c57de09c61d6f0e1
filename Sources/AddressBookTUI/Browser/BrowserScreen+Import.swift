import AddressBookModel
import TerminalKit

/// Importing files, and sample contacts for an empty book.
extension BrowserScreen {
  /// Asks for a file; one that could not be imported stands in the prompt still, to be corrected.
  func askForImport() { askForImport(typed: failedImport ?? "", error: nil) }

  private func askForImport(typed: String, error: String?) {
    guard task == nil else { return }
    environment.screens.push(
      PathPrompt(
        title: environment.strings("import.title"), hint: environment.strings("import.hint"), text: typed, error: error,
        theme: environment.theme, loop: environment.loop,
        close: { [weak self] in self?.environment.screens.pop($0) },
        choose: { [weak self] path, prompt in
          self?.environment.screens.pop(prompt)
          self?.importFile(path, typed: prompt.text)
        }))
  }

  private func importFile(_ path: String, typed: String) {
    failedImport = nil
    let strings = environment.strings
    let book = environment.book
    let key = environment.keys.label(of: .warnings, in: .list)
    writeInBackground(strings("status.importing", path)) { report in
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
      let result = try importer.run([path])
      notices.count = importer.noticeCount
      let text = strings(
        "status.imported", strings.number(result.imported), strings.number(result.updated),
        strings.number(result.skipped))
      let warnings = notices.count == 0 ? "" : strings.count("status.importNotices", notices.count, key) + " "
      return Finished(
        message: warnings + text, step: strings("undo.import", path), journal: importer.journal, notices: notices)
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
      message = (environment.strings("status.noImportNotices"), false)
      return
    }
    environment.screens.push(ImportNoticesScreen(importNotices, environment: environment))
  }

  func fillWithDemoPeople() {
    let strings = environment.strings
    let book = environment.book
    writeInBackground(strings("list.loading")) { _ in
      let journal = try book.bulkWrite { writer in
        writer.keepsJournal = true
        for contact in DemoPeople(count: Self.demoCount, seed: Self.demoSeed) { try writer.write(contact) }
        return writer.journal
      }
      return Finished(
        message: strings("status.demo", String(Self.demoCount)), step: strings("undo.demo"), journal: journal)
    }
  }

  private nonisolated static var demoCount: Int { 500 }
  private nonisolated static var demoSeed: UInt64 { 7 }
}
