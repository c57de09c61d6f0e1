import AddressBookModel
import Contacts

/// Group commands: which group or folder the list shows, and adding and removing members of groups.
@MainActor
final class GroupActions: BrowserAction {
  let parts: BrowserParts

  init(_ parts: BrowserParts) { self.parts = parts }

  /// Shows one folder, one group or all contacts in the list.
  func choose() {
    let strings = strings
    guard let groups = allGroups(), let folders = allFolders() else { return }
    guard !groups.isEmpty || !folders.isEmpty else { return status.say(strings("groups.none")) }
    let filter = list.filter
    let all =
      [ContactFilter(query: filter.query)] + folders.map { ContactFilter(query: filter.query, folder: $0) }
      + groups.map { ContactFilter(query: filter.query, group: $0.name) }
    let items =
      [strings("list.all")] + folders.map { strings("groups.folder", $0.name, strings.number($0.count)) }
      + groups.map { "\($0.name)  \(strings.number($0.count))" }
    let current = all.firstIndex { $0.group == filter.group && $0.folder?.id == filter.folder?.id } ?? 0
    environment.choose(title: strings("groups.title"), items: items, chosen: current, hint: strings("groups.hint")) {
      [weak list] choice in
      if case .item(let index) = choice { list?.setFilter(all[index]) }
    }
  }

  func askForGroupToJoin() {
    let ids = parts.listPane.chosenIDs
    guard !ids.isEmpty, let groups = allGroups()?.map(\.name), let whom = parts.chosenText() else { return }
    environment.choose(title: strings("groups.join"), items: groups, ownText: strings("groups.new"), hint: whom) {
      [weak self] choice in
      switch choice {
      case .item(let index): self?.join(groups[index], ids)
      case .own(let name): self?.join(name, ids)
      }
    }
  }

  func askForGroupToLeave() {
    let ids = parts.listPane.chosenIDs
    guard !ids.isEmpty, let whom = parts.chosenText() else { return }
    let groups: [String]
    do {
      // For very many, the groups of all contacts are quicker to find.
      groups =
        try ids.count > ContactEditor.bulkThreshold
        ? environment.book.groups().map(\.name) : environment.book.groupNames(ofContacts: ids)
    } catch {
      status.show(reading: error)
      return
    }
    guard !groups.isEmpty else {
      status.say(strings("groups.inNone"))
      return
    }
    environment.choose(title: strings("groups.leave"), items: groups, hint: whom) { [weak self] choice in
      if case .item(let index) = choice { self?.leave(groups[index], ids) }
    }
  }

  private func allFolders() -> [ContactFolder]? {
    do {
      return try environment.book.folders()
    } catch {
      status.show(reading: error)
      return nil
    }
  }

  private func allGroups() -> [GroupSummary]? {
    do {
      return try environment.book.groups()
    } catch {
      status.show(reading: error)
      return nil
    }
  }

  private func join(_ group: String, _ ids: [Int64]) {
    change(ids, step: .join, done: "status.joined", group) { contact in
      if !contact.groups.contains(group) { contact.groups = (contact.groups + [group]).sorted() }
    }
  }

  private func leave(_ group: String, _ ids: [Int64]) {
    change(ids, step: .leave, done: "status.left", group) { $0.groups.removeAll { $0 == group } }
  }

  private func change(
    _ ids: [Int64], step: StepName.Action, done: String, _ group: String,
    _ change: @escaping @Sendable (inout Contact) -> Void
  ) {
    let (name, text) = (StepName(step, group), strings.count(done, ids.count, group))
    if ids.count > ContactEditor.bulkThreshold {
      return parts.editInBulk(ids, .change(change), step: name, message: text)
    }
    do {
      try editor.change(ids, name: name, change)
      status.showUndoable(text)
    } catch {
      parts.show(error) { [weak self] in self?.change(ids, step: step, done: done, group, change) }
    }
  }
}
