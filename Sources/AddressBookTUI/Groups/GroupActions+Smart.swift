import AddressBookModel
import BookSearching
import FolderSync
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

/// Renaming folders and choosing their colors, from the groups pane, which opens again after a change.
extension GroupActions {
  /// The colors to choose from, with the string keys of their names.
  private static let colors: [(key: String, color: String)] = [
    ("color.red", "#E53935"), ("color.orange", "#FB8C00"), ("color.yellow", "#FDD835"), ("color.green", "#43A047"),
    ("color.teal", "#00897B"), ("color.blue", "#1E88E5"), ("color.purple", "#8E24AA"), ("color.pink", "#EC407A"),
    ("color.brown", "#8D6E63"), ("color.gray", "#9E9E9E"),
  ]

  /// Asks for a new name for a folder.
  func askForName(of folder: ContactFolder) {
    ask(
      title: strings("groups.rename", DisplayText.clean(folder.name)), hint: strings("folders.name.hint"),
      text: folder.name, folder: folder.id
    ) { [self] name, prompt in
      rename(folder, to: name, prompt)
    }
  }

  private func rename(_ folder: ContactFolder, to name: String, _ prompt: TextPrompt) {
    do {
      try environment.book.rename(folder, to: name)
    } catch let error as SyncError {
      return prompt.show(error: error.message(in: strings.localization))
    } catch {
      environment.screens.pop(prompt)
      return show(error)
    }
    environment.screens.pop(prompt)
    status.say(strings("status.folderRenamed", folder.name, name))
    showChange()
    open(folder: folder.id)
  }

  /// Asks for the color of a folder: one of a few, or any that is typed as `#RRGGBB`, or none.
  func askForColor(of folder: ContactFolder) {
    var colors = Self.colors.map { (name: strings($0.key), color: $0.color) }
    let present = colors.firstIndex { $0.color == folder.color.uppercased() }
    if present == nil, folder.dot != nil { colors.insert((folder.color, folder.color), at: 0) }
    colors.append((strings("color.none"), ""))
    environment.choose(
      title: strings("folders.color", DisplayText.clean(folder.name)),
      items: colors.map { name, color in
        ChooserState.Item(name, detail: name == color ? "" : color, aliases: [color], dot: Color(hexadecimal: color))
      },
      chosen: present ?? (folder.dot == nil ? colors.count - 1 : 0), ownText: strings("folders.color.own"),
      cancel: { [self] in open(folder: folder.id) }
    ) { [self] choice in
      switch choice {
      case .item(let index): setColor(colors[index].color, of: folder)
      case .own(let text): setColor(text.trimmed, of: folder)
      }
    }
  }

  private func setColor(_ color: String, of folder: ContactFolder) {
    defer { open(folder: folder.id) }
    guard color.isEmpty || ContactFolder.isColor(color) else { return status.fail(strings("folders.color.bad", color)) }
    do {
      try environment.book.setColor(color, of: folder)
    } catch {
      return show(error)
    }
    status.say(strings(color.isEmpty ? "status.folderColorRemoved" : "status.folderColored", folder.name))
    showChange()
  }

  /// Says why a folder's name or color was not written.
  private func show(_ error: any Error) {
    switch error {
    case let error as SyncError: status.fail(error.message(in: strings.localization))
    case let error as StoreError: parts.show(error)
    default: status.fail(strings("status.saveFailed", String(describing: error)))
    }
  }

  /// Makes the title line and the detail show a folder's new name and color.
  private func showChange() {
    list.discardDetail()
    do {
      try list.refreshFolder()
    } catch {
      status.show(reading: error)
    }
  }
}
