import AddressBookModel
import BookInterchange
import Contacts
import Synchronization
import SystemCalls

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
