import AddressBookModel
import Contacts
import TerminalKit

/// Group commands: choosing what the list shows, and adding and removing members. `GroupActions+Editing` edits the
/// groups themselves.
@MainActor
final class GroupActions: BrowserAction {
  let parts: BrowserParts
  private let links: LinkActions
  private let openTrash: @MainActor () -> Void

  init(_ parts: BrowserParts, links: LinkActions, openTrash: @escaping @MainActor () -> Void) {
    self.parts = parts
    self.links = links
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

  /// Returns what writes one email to the members of a group or folder; nil, with a message, for anything else, for too
  /// many members, or if they cannot be read.
  func mail(to choice: GroupChoice) -> (@MainActor () -> Void)? {
    do {
      let ids: [Int64]
      switch choice {
      case .folder(let folder): ids = try environment.book.memberIDs(ofFolder: folder.id)
      case .group(let group): ids = try Array(environment.book.memberIDs(ofGroup: group.id))
      default:
        status.say(strings("groups.mail.only"))
        return nil
      }
      guard ids.count <= LinkActions.mostContacts else {
        status.say(strings("links.tooMany", strings.number(LinkActions.mostContacts)))
        return nil
      }
      let contacts = try environment.book.contacts(ids: ids)
      return { [links] in links.writeEmail(to: contacts) }
    } catch {
      status.show(reading: error)
      return nil
    }
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

/// Creating, renaming, deleting and merging groups, from the groups pane, which opens again after a change.
extension GroupActions {

  /// Asks for the name of a new group.
  /// - Parameter name: the initial text.
  func askForNewGroup(name: String) {
    ask(title: strings("groups.add"), text: name) { [self] name, prompt in
      edit(.add(name), done: strings("status.groupAdded", name), showing: name, prompt)
    }
  }

  /// Asks for a new name for a group.
  func askForName(of group: GroupSummary) {
    ask(title: strings("groups.rename", DisplayText.clean(group.name)), text: group.name) { [self] name, prompt in
      edit(
        .rename(group.name, to: name), done: strings("status.groupRenamed", group.name, name), showing: name, prompt
      ) { [self] in moveScope(from: group, to: name) }
    }
  }

  /// Asks before a group is deleted.
  func askToDelete(_ group: GroupSummary) {
    environment.ask(
      strings("groups.delete", group.name),
      detail: environment.undoableDetail([members(of: group, "groups.delete.detail")]),
      answers: [
        .init(key: "y", word: strings("confirm.delete.yes")) { [self] in
          edit(.delete(group.name), done: strings("status.groupDeleted", group.name)) { [self] in
            moveScope(from: group, to: nil)
          }
        },
        .init(key: "n", word: strings("confirm.delete.no")) { [self] in open(selecting: group.name) },
      ])
  }

  /// Returns what happens to the contacts of a group, or that it has none.
  private func members(of group: GroupSummary, _ key: String) -> String {
    group.count == 0 ? strings("groups.isEmpty") : strings.count(key, group.count)
  }

  /// Asks which group to merge a group into.
  func askForTarget(of group: GroupSummary) {
    guard let others = allGroups()?.filter({ $0.id != group.id && $0.name != Favorites.group }) else { return }
    let reopen: @MainActor () -> Void = { [self] in open(selecting: group.name) }
    guard !others.isEmpty else {
      status.say(strings("groups.noOther"))
      return reopen()
    }
    environment.choose(
      title: strings("groups.merge", DisplayText.clean(group.name)), items: others.map(\.name),
      hint: members(of: group, "groups.merge.hint"), cancel: reopen
    ) { [self] choice in
      guard case .item(let index) = choice else { return }
      let target = others[index].name
      edit(
        .merge(group.name, into: target), done: strings("status.groupMerged", group.name, target), showing: target
      ) { [self] in moveScope(from: group, to: target) }
    }
  }

  /// If the list shows the group, shows another one instead, or all contacts, with the same search.
  private func moveScope(from old: GroupSummary, to group: String?) {
    guard list.filter.group == old.name else { return }
    list.setFilter(ContactFilter(query: list.filter.query, group: group), selecting: list.selectedID)
  }

  /// Asks for a text, such as the name of a group; if the user cancels, the pane opens again.
  /// - Parameters:
  ///   - name: the group that the pane then selects; nil for the group that `text` names.
  ///   - folder: the id of the folder that the pane selects instead; nil for a group.
  func ask(
    title: String, hint: String? = nil, text: String, selecting name: String? = nil, folder: Int64? = nil,
    _ accept: @escaping @MainActor (String, TextPrompt) -> Void
  ) {
    environment.screens.push(
      TextPrompt(
        PromptState(title: title, hint: hint ?? "", text: text), context: .prompt,
        style: environment.theme.widgets, word: strings("hint.save"),
        cancel: { [self] in open(selecting: name ?? text, folder: folder) },
        accept: { text, prompt in
          let name = text.trimmed
          if !name.isEmpty { accept(name, prompt) }
        }))
  }

  /// Changes groups, on another thread, because a group may have many members.
  /// - Parameters:
  ///   - done: the message shown when the edit is done.
  ///   - name: the group that the pane then selects; nil for the choice that the list shows.
  ///   - prompt: shown again if the name is refused.
  ///   - change: called when the edit is done, unless it changes nothing.
  func edit(
    _ edit: GroupEdit, done: String, showing name: String? = nil, _ prompt: TextPrompt? = nil,
    change: @escaping @MainActor () -> Void = {}
  ) {
    guard !work.refusesWork() else { return }
    if let prompt { environment.screens.pop(prompt) }
    guard !edit.changesNothing else { return open(selecting: name) }
    let (book, session) = (environment.book, editor.session)
    work.write(strings("groups.changing"), stopped: "status.writeStopped") { _ in
      try book.edit(edit, in: session)
      return BackgroundWork.Outcome(message: done, count: 1)
    } failed: { [self] error in
      guard let error = error as? EditError else { return false }
      if let reason = reason(of: error) {
        refuse(reason, prompt)
      } else {
        parts.show(error, isRequested: false) { [self] in
          self.edit(edit, done: done, showing: name, prompt, change: change)
        }
      }
      return true
    } done: { [self] _ in
      change()
      if parts.isListOnTop { open(selecting: name) }
    }
  }

  /// Shows why a name was refused: in its prompt, to be corrected, or in the bottom line if something else is open by
  /// now.
  private func refuse(_ reason: String, _ prompt: TextPrompt?) {
    guard let prompt, parts.isListOnTop else { return status.fail(reason) }
    prompt.show(error: reason)
    environment.screens.push(prompt)
  }

  /// Returns why groups were not changed; nil for an error of the store.
  private func reason(of error: EditError) -> String? {
    switch error {
    case .missing(let name): strings("groups.missing", name)
    case .exists(let name): strings("groups.exists", name)
    case .invalid(let issues): issues.map { $0.message(in: strings.localization) }.joined(separator: " ")
    case .conflict, .writtenSince: error.message(in: strings.localization)
    case .store: nil
    }
  }
}
