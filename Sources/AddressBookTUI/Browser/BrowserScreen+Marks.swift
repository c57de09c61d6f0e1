import AddressBookModel
import Contacts

/// What is done with all marked people at once, or with the selected one where nobody is marked.
extension BrowserScreen {
  var chosenIDs: [Int64] { marked.isEmpty ? list.selectedID.map { [$0] } ?? [] : marked.sorted() }

  // MARK: Groups

  func askForGroupToJoin() {
    let strings = environment.strings
    let ids = chosenIDs
    guard !ids.isEmpty, let groups = allGroups() else { return }
    environment.choose(title: strings("groups.join"), items: groups, ownText: strings("groups.new")) {
      [weak self] choice in
      switch choice {
      case .item(let index): self?.join(groups[index], ids)
      case .own(let name): self?.join(name, ids)
      }
    }
  }

  func askForGroupToLeave() {
    let strings = environment.strings
    let ids = chosenIDs
    guard !ids.isEmpty else { return }
    let groups: [String]
    do {
      groups = try environment.book.groupNames(ofContacts: ids)
    } catch {
      show(reading: error)
      return
    }
    guard !groups.isEmpty else {
      message = (strings("groups.inNone"), false)
      return
    }
    environment.choose(title: strings("groups.leave"), items: groups) { [weak self] choice in
      if case .item(let index) = choice { self?.leave(groups[index], ids) }
    }
  }

  private func allGroups() -> [String]? {
    do {
      return try environment.book.groups().map(\.name)
    } catch {
      show(reading: error)
      return nil
    }
  }

  private func join(_ group: String, _ ids: [Int64]) {
    change(ids, step: "undo.join", done: "status.joined", group) { contact in
      if !contact.groups.contains(group) { contact.groups = (contact.groups + [group]).sorted() }
    }
  }

  private func leave(_ group: String, _ ids: [Int64]) {
    change(ids, step: "undo.leave", done: "status.left", group) { $0.groups.removeAll { $0 == group } }
  }

  private func change(
    _ ids: [Int64], step: String, done: String, _ group: String, _ change: @escaping @Sendable (inout Contact) -> Void
  ) {
    let strings = environment.strings
    let (name, text) = (strings(step, group), strings.count(done, ids.count, group))
    if ids.count > ContactEditor.bulkThreshold { return editInBulk(ids, .change(change), step: name, message: text) }
    do {
      try editor.change(ids, name: name, change)
      message = (text, false)
    } catch {
      show(error) { [weak self] in self?.change(ids, step: step, done: done, group, change) }
    }
  }

  // MARK: Export

  func askForExport() {
    let ids = chosenIDs
    guard !ids.isEmpty else { return }
    let strings = environment.strings
    environment.screens.push(
      PathPrompt(
        title: strings("export.title"), hint: strings("export.hint"), theme: environment.theme,
        loop: environment.loop, close: { [weak self] in self?.environment.screens.pop($0) },
        choose: { [weak self] path, prompt in self?.export(ids, to: PrivateFile(path), prompt) }))
  }

  /// A file that cannot be written brings the prompt back, with what was typed.
  private func export(_ ids: [Int64], to file: PrivateFile, _ prompt: PathPrompt) {
    let strings = environment.strings
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
        .init(key: "y", word: strings("export.replace.yes")) { [weak self] in self?.write(ids, to: file, prompt) },
        .init(key: "n", word: strings("export.replace.no")) {},
      ])
  }

  private func write(_ ids: [Int64], to file: PrivateFile, _ prompt: PathPrompt) {
    guard !isBusy else { return }
    environment.screens.pop(prompt)
    let (strings, book) = (environment.strings, environment.book)
    runInBackground(strings("status.exporting", file.path, ""), stopped: "status.exportStopped") { report in
      let replacement = try FileReplacement(path: file.path)
      let exporter = CardExporter(version: nil)
      var count = 0
      for start in stride(from: 0, to: ids.count, by: 500) {
        for contact in try book.contacts(ids: Array(ids[start..<min(start + 500, ids.count)])) {
          if report.isCancelled() { throw CancellationError() }
          let photo = try book.photoForExport(of: contact)
          try replacement.write(exporter.card(of: contact, photo: photo))
          count += 1
        }
        report.progress(strings("status.exporting", file.path, " (\(start * 100 / ids.count) %)"))
      }
      try replacement.commit()
      return count
    } failed: { [weak self] error in
      guard let self, let failure = error as? FileFailure else { return false }
      let reason = strings("export.failed", file.path, failure.message)
      if mode == .list, environment.screens.top === self {
        prompt.show(error: reason)
        environment.screens.push(prompt)
      } else {
        message = (reason, true)
      }
      return true
    } done: { [weak self] count in
      self?.message = (strings.count("status.exported", count, file.path), false)
    }
  }
}
