import AddressBookModel

/// What is done with all marked people at once, or with the selected one where nobody is marked.
extension BrowserScreen {
  private var chosenIDs: [Int64] { marked.isEmpty ? list.selectedID.map { [$0] } ?? [] : marked.sorted() }

  // MARK: Groups

  func askForGroupToJoin() {
    let words = environment.words
    let ids = chosenIDs
    guard !ids.isEmpty, let groups = allGroups() else { return }
    environment.choose(title: words("groups.join"), items: groups, ownText: words("groups.new")) { [weak self] choice in
      switch choice {
      case .item(let index): self?.join(groups[index], ids)
      case .own(let name): self?.join(name, ids)
      }
    }
  }

  func askForGroupToLeave() {
    let words = environment.words
    let ids = chosenIDs
    guard !ids.isEmpty, let all = allGroups() else { return }
    let groups: [String]
    do {
      let used = Set(try environment.book.contacts(ids: ids).flatMap(\.groups))
      groups = all.filter(used.contains)
    } catch {
      show(reading: error)
      return
    }
    guard !groups.isEmpty else {
      message = (words("groups.inNone"), false)
      return
    }
    environment.choose(title: words("groups.leave"), items: groups) { [weak self] choice in
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
    _ ids: [Int64], step: String, done: String, _ group: String,
    _ change: @escaping @MainActor (inout Contact) -> Void
  ) {
    let words = environment.words
    do {
      try editor.change(ids, name: words(step, group), change)
      message = (words.count(done, ids.count, group), false)
    } catch {
      show(error) { [weak self] in self?.change(ids, step: step, done: done, group, change) }
    }
  }

  // MARK: Export

  func askForExport() {
    let ids = chosenIDs
    guard !ids.isEmpty else { return }
    let words = environment.words
    environment.screens.push(
      PathPrompt(
        title: words("export.title"), hint: words("export.hint"), theme: environment.theme,
        close: { [weak self] in self?.environment.screens.pop($0) },
        choose: { [weak self] path in self?.export(ids, to: PrivateFile(path)) }))
  }

  private func export(_ ids: [Int64], to file: PrivateFile) {
    let words = environment.words
    guard !AddressBook.isOpen(path: file.path) else {
      message = (words("export.failed", file.path, words("export.isBook")), true)
      return
    }
    guard file.exists else {
      write(ids, to: file)
      return
    }
    environment.ask(
      words("export.replace", file.path), detail: words("export.replace.detail"),
      answers: [
        .init(key: "y", word: words("export.replace.yes")) { [weak self] in self?.write(ids, to: file) },
        .init(key: "n", word: words("export.replace.no")) {},
      ])
  }

  private func write(_ ids: [Int64], to file: PrivateFile) {
    let words = environment.words
    let book = environment.book
    do {
      var bytes: [UInt8] = []
      let contacts = try book.contacts(ids: ids)
      let exporter = CardExporter(version: nil)
      for contact in contacts {
        bytes += exporter.card(of: contact, photo: contact.photo == nil ? nil : try book.photo(of: contact.id))
      }
      try file.write(bytes, makesFolder: false, isDurable: true)
      message = (words.count("status.exported", contacts.count, file.path), false)
    } catch let failure as FileFailure {
      message = (words("export.failed", file.path, failure.message), true)
    } catch {
      show(reading: error)
    }
  }
}
