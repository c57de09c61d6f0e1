import AddressBookModel
import BookSearching
import TerminalKit

/// Creating, changing, renaming and deleting smart groups, from the groups pane.
extension GroupActions {
  /// The prefix that tells a condition from the words of a search, like `--where` on the command line.
  private static let conditionPrefix = "where "

  /// Asks for the rule of a new smart group, starting with the search of the list, and then for its name.
  func askForSmartGroup() {
    ask(
      title: strings("groups.smart.rule"), hint: strings("groups.smart.hint"), text: list.filter.query
    ) { [self] text, prompt in
      guard let rule = rule(text, prompt) else { return }
      environment.screens.pop(prompt)
      askForName(of: rule)
    }
  }

  /// Asks for a new rule for a smart group.
  func askForRule(of group: SmartGroup) {
    ask(
      title: strings("groups.smart.edit", DisplayText.clean(group.name)), hint: strings("groups.smart.hint"),
      text: Self.text(of: group.rule), selecting: group.name
    ) { [self] text, prompt in
      guard let rule = rule(text, prompt) else { return }
      edit(
        .changeSmart(group, to: rule), done: strings("status.smartGroupChanged", group.name), showing: group.name,
        prompt
      ) { [self] in follow(group, name: group.name, rule: rule) }
    }
  }

  /// Returns the rule that was typed; nil if it is empty, or, with a message in the prompt, if it is not valid.
  private func rule(_ text: String, _ prompt: TextPrompt) -> SmartGroup.Rule? {
    guard text.lowercased().hasPrefix(Self.conditionPrefix) else {
      return BookSearch.isEmptyQuery(text) ? nil : .search(text)
    }
    do throws(ContactConditionError) {
      return .condition(try ContactCondition(String(text.dropFirst(Self.conditionPrefix.count))).text)
    } catch {
      prompt.show(error: error.message(in: strings.localization))
      return nil
    }
  }

  /// Returns the text of a rule, as typed in the prompt.
  private static func text(of rule: SmartGroup.Rule) -> String {
    if case .condition(let text) = rule { conditionPrefix + text } else { rule.text }
  }

  private func askForName(of rule: SmartGroup.Rule) {
    ask(title: strings("groups.smart.name"), text: rule.text) { [self] name, prompt in
      edit(.addSmart(name, rule), done: strings("status.groupAdded", name), showing: name, prompt)
    }
  }

  /// Asks for a new name for a smart group.
  func askForName(of group: SmartGroup) {
    ask(title: strings("groups.rename", DisplayText.clean(group.name)), text: group.name) { [self] name, prompt in
      edit(
        .renameSmart(group, to: name), done: strings("status.groupRenamed", group.name, name), showing: name, prompt
      ) { [self] in follow(group, name: name, rule: group.rule) }
    }
  }

  /// Asks before a smart group is deleted.
  func askToDelete(_ group: SmartGroup) {
    environment.ask(
      strings("groups.delete", group.name),
      detail: environment.undoableDetail([strings("groups.smart.detail", group.rule.text)]),
      answers: [
        .init(key: "y", word: strings("confirm.delete.yes")) { [self] in
          edit(.deleteSmart(group), done: strings("status.groupDeleted", group.name)) { [self] in
            follow(group, name: nil, rule: group.rule)
          }
        },
        .init(key: "n", word: strings("confirm.delete.no")) { [self] in open(selecting: group.name) },
      ])
  }

  /// If the list shows the smart group, shows it with its new name and rule, or all contacts if it was deleted.
  private func follow(_ group: SmartGroup, name: String?, rule: SmartGroup.Rule) {
    let filter = list.filter
    guard filter.collection == .found(by: group.rule) else { return }
    let collection = name.map { _ in ContactCollection.found(by: rule) }
    list.setFilter(
      ContactFilter(query: filter.query, collection: collection, title: name.map { "◇ " + $0 }),
      selecting: list.selectedID)
  }
}
