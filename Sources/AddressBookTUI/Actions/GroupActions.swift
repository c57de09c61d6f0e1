import AddressBookModel
import Contacts

/// Group commands: choosing what the list shows, and adding and removing members. `GroupActions+Editing` edits the
/// groups themselves.
@MainActor
final class GroupActions: BrowserAction {
  let parts: BrowserParts
  private let openTrash: @MainActor () -> Void

  init(_ parts: BrowserParts, openTrash: @escaping @MainActor () -> Void) {
    self.parts = parts
    self.openTrash = openTrash
  }

  /// Opens the groups pane, and selects a group or a folder; without either, what the list shows.
  /// - Parameters:
  ///   - name: the name of the group to select.
  ///   - folder: the id of the folder to select; then `name` is ignored.
  func open(selecting name: String? = nil, folder: Int64? = nil) {
    do {
      let choices = try GroupChoice.all(in: environment.book, today: environment.days.today)
      let shown = list.filter.searching("")
      let selected = choices.firstIndex { choice in
        if let folder { return choice.folder?.id == folder }
        return name.map { choice.groupName == $0 } ?? (choice.filter(query: "", strings) == shown)
      }
      GroupsPane.open(choices, selected: selected ?? 0, self)
    } catch {
      status.show(reading: error)
    }
  }

  /// Shows a group, a folder, a collection or all contacts in the list, or the deleted contacts.
  func show(_ choice: GroupChoice) {
    guard let filter = choice.filter(query: list.filter.query, strings) else { return openTrash() }
    list.setFilter(filter)
  }

  /// Adds the selected contact, or all marked ones, to the favorites; if all of them are favorites, removes them.
  func toggleFavorites() {
    let ids = parts.listPane.chosenIDs
    guard !ids.isEmpty else { return }
    do {
      let isFavorite = try environment.book.areMembers(ids, ofGroup: Favorites.group)
      isFavorite ? leave(Favorites.group, ids) : join(Favorites.group, ids)
    } catch {
      status.show(reading: error)
    }
  }

  func askForGroupToJoin() {
    let ids = parts.listPane.chosenIDs
    guard !ids.isEmpty, let groups = allGroups()?.map(\.name).filter({ $0 != Favorites.group }),
      let chosenText = parts.chosenText()
    else { return }
    environment.choose(title: strings("groups.join"), items: groups, ownText: strings("groups.new"), hint: chosenText) {
      [self] choice in
      switch choice {
      case .item(let index): join(groups[index], ids)
      case .own(let name): joinNamed(name, ids)
      }
    }
  }

  /// Adds contacts to the group with a typed name, which is created if it does not exist, unless a smart group has it.
  private func joinNamed(_ name: String, _ ids: [Int64]) {
    if let issue = GroupEdit.issue(ofName: name) {
      return status.fail(strings("status.saveFailed", issue.message(in: strings.localization)))
    }
    do {
      guard let smart = try environment.book.smartGroup(namedOneOf: [name]) else { return join(name, ids) }
      status.fail(strings("form.groups.smart", smart.name))
    } catch {
      status.show(reading: error)
    }
  }

  func askForGroupToLeave() {
    let ids = parts.listPane.chosenIDs
    guard !ids.isEmpty, let chosenText = parts.chosenText() else { return }
    let groups: [String]
    do {
      // For many contacts, reading all groups is faster. Groups that none of them is in are then offered too.
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
    environment.choose(
      title: strings("groups.leave"), items: groups.map { Favorites.name(of: $0, strings) }, hint: chosenText
    ) { [self] choice in
      if case .item(let index) = choice { leave(groups[index], ids) }
    }
  }

  /// All groups; nil, with a message, if they cannot be read.
  func allGroups() -> [GroupSummary]? {
    do {
      return try environment.book.groups()
    } catch {
      status.show(reading: error)
      return nil
    }
  }

  private func join(_ group: String, _ ids: [Int64]) { change(ids, .join(group), .join, group, done: "status.joined") }

  private func leave(_ group: String, _ ids: [Int64]) { change(ids, .leave(group), .leave, group, done: "status.left") }

  /// - Parameter done: key of the message; see ``Strings/changed(_:_:of:_:)``.
  private func change(_ ids: [Int64], _ edit: BulkEdit, _ step: StepName.Action, _ group: String, done: String) {
    let strings = strings
    parts.edit(ids, edit, step: StepName(step, group)) { changed in
      strings.changed(done, changed, of: ids.count, Favorites.name(of: group, strings))
    }
  }
}
