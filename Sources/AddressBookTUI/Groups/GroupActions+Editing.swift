import AddressBookModel
import TerminalKit

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
