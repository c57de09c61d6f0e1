import AddressBookModel
import TerminalKit

/// Making, renaming and deleting smart groups, from the groups pane.
extension GroupActions {
  /// What a condition begins with, to tell it from the words of a search; `--where` of the command line.
  private static let conditionMark = "where "

  /// Asks what a smart group finds, which is at first the search of the list, and then for its name.
  func askForSmartGroup() {
    ask(
      title: strings("groups.smart.rule"), hint: strings("groups.smart.hint"), text: list.filter.query
    ) { [weak self] text, prompt in
      guard let self else { return }
      let rule: SmartGroup.Rule
      if text.lowercased().hasPrefix(Self.conditionMark) {
        do throws(ContactConditionError) {
          rule = .condition(try ContactCondition(String(text.dropFirst(Self.conditionMark.count))).text)
        } catch {
          return prompt.show(error: error.message(in: strings.localization))
        }
      } else {
        guard !BookSearch.isEmptyQuery(text) else { return }
        rule = .search(text)
      }
      environment.screens.pop(prompt)
      askForName(of: rule)
    }
  }

  private func askForName(of rule: SmartGroup.Rule) {
    ask(title: strings("groups.smart.name"), text: rule.text) { [weak self] name, prompt in
      guard let self else { return }
      edit(.addSmart(name, rule), done: strings("status.groupAdded", name), showing: name, prompt)
    }
  }

  /// Asks for another name of a smart group.
  func askForName(of group: SmartGroup) {
    ask(title: strings("groups.rename", DisplayText.clean(group.name)), text: group.name) { [weak self] name, prompt in
      guard let self else { return }
      edit(
        .renameSmart(group, to: name), done: strings("status.groupRenamed", group.name, name), showing: name, prompt
      ) { [weak self] in self?.follow(group) }
    }
  }

  /// Asks before a smart group is deleted.
  func askToDelete(_ group: SmartGroup) {
    let undo = strings("confirm.delete.detail", environment.keys.label(of: .undo, in: .list))
    environment.ask(
      strings("groups.delete", group.name), detail: strings("groups.smart.detail", group.rule.text) + "\n" + undo,
      answers: [
        .init(key: "y", word: strings("confirm.delete.yes")) { [weak self] in
          guard let self else { return }
          edit(.deleteSmart(group), done: strings("status.groupDeleted", group.name)) { [weak self] in
            self?.follow(group)
          }
        },
        .init(key: "n", word: strings("confirm.delete.no")) { [weak self] in self?.open(selecting: group.name) },
      ])
  }

  /// Shows all contacts if the list shows a smart group that was renamed or deleted.
  private func follow(_ group: SmartGroup) {
    let filter = list.filter
    guard filter.collection == .found(by: group.rule) else { return }
    list.setFilter(ContactFilter(query: filter.query), selecting: list.selectedID)
  }
}
