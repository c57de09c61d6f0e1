import AddressBookModel
import Synchronization
import TerminalKit

/// The groups pane: what the list can show, and the deleted contacts, each with the number of contacts. Groups are
/// created, renamed, deleted and merged from here.
@MainActor
final class GroupsPane {
  private let actions: GroupActions
  private var choices: [GroupChoice]
  private weak var chooser: Chooser?
  /// Set when the pane is closed, to stop counting.
  private let isClosed = CancellationFlag()

  /// Opens the pane.
  static func open(_ choices: [GroupChoice], selected: Int, _ actions: GroupActions) {
    let pane = GroupsPane(choices, actions)
    let (environment, strings) = (actions.environment, actions.strings)
    // The chooser holds the pane.
    let chooser = Chooser(
      ChooserState(
        title: strings("groups.title"), items: pane.items, selected: selected,
        texts: environment.chooserTexts(placeholder: strings("chooser.typeToFilter"))),
      context: .groups, style: environment.theme.widgets,
      commands: .init(hints: pane.hints, perform: pane.action),
      choose: { if let choice = pane.choice($0) { actions.show(choice) } })
    pane.chooser = chooser
    environment.screens.push(chooser)
    pane.count(with: actions.list)
  }

  private init(_ choices: [GroupChoice], _ actions: GroupActions) {
    self.actions = actions
    self.choices = choices
  }

  deinit { isClosed.set() }

  private var items: [ChooserState.Item] {
    let strings = actions.strings
    let counts = choices.map { $0.count.map(strings.number) ?? TextWidth.ellipsis }
    let widest = counts.map(\.count).max() ?? 0
    return zip(choices, counts).map { choice, count in
      ChooserState.Item(
        choice.text(strings), detail: String(repeating: " ", count: widest - count.count) + count, dot: choice.color
      ).withPinyin
    }
  }

  private func choice(_ choice: ChooserState.Choice?) -> GroupChoice? {
    if case .item(let index)? = choice { choices[index] } else { nil }
  }

  /// The keys for the selected line, those specific to it first.
  private func hints(_ selected: ChooserState.Choice?) -> [Hint] {
    let ofLine: [Command] =
      switch choice(selected) {
      case .group: [.groupRename, .groupDelete, .groupMerge]
      case .folder: [.groupRename, .groupColor]
      case .smart: [.groupRename, .groupDelete, .groupEdit]
      default: []
      }
    return actions.environment.hint(.chooserOpen, as: "show", in: .groups)
      + actions.environment.hints(ofLine + [.groupAdd, .groupSave, .chooserCancel], in: .groups)
  }

  // MARK: Counts

  /// Counts on other threads what is not counted yet.
  private func count(with list: ContactList) {
    if choices.contains(where: { if case .found(.search)? = $0.collection { true } else { false } }) {
      list.buildIndex()
    }
    let (isFuzzy, takesKeys) = (list.searchesFuzzily, list.searchesByPhoneKeys)
    let (loop, isClosed) = (actions.environment.loop, isClosed)
    for collection in choices.compactMap(\.collection) {
      list.search.count(
        collection, options: .init(fuzzy: isFuzzy, t9: takesKeys), isWanted: { !isClosed.isSet }
      ) { [weak self] result in
        // Without a number the line stays as it is; choosing it shows the error.
        guard case .success(let count) = result else { return }
        loop.post { self?.show(count, of: collection) }
      }
    }
  }

  private func show(_ count: Int, of collection: ContactCollection) {
    choices = choices.map { $0.collection == collection ? $0.counted(count) : $0 }
    chooser?.state.items = items
  }

  // MARK: Commands

  /// Returns the change that a command begins, after which the pane opens again. A line that does not support it is
  /// refused with a message.
  private func action(_ command: Command, _ state: ChooserState) -> (@MainActor () -> Void)? {
    let actions = actions
    actions.status.clear()
    switch (command, choice(state.selectedChoice)) {
    case (.groupAdd, _): return { actions.askForNewGroup(name: state.field.text) }
    case (.groupSave, _): return { actions.askForSmartGroup() }
    case (.groupEdit, .smart(let group, _)?): return { actions.askForRule(of: group) }
    case (.groupEdit, _): return refuse("groups.smart.only")
    case (.groupColor, .folder(let folder)?): return { actions.askForColor(of: folder) }
    case (.groupColor, _): return refuse("folders.color.only")
    case (.groupRename, .smart(let group, _)?): return { actions.askForName(of: group) }
    case (.groupRename, .folder(let folder)?): return { actions.askForName(of: folder) }
    case (.groupRename, .group(let group)?): return { actions.askForName(of: group) }
    case (.groupDelete, .smart(let group, _)?): return { actions.askToDelete(group) }
    case (.groupDelete, .group(let group)?): return { actions.askToDelete(group) }
    case (.groupMerge, .group(let group)?): return { actions.askForTarget(of: group) }
    case (.groupRename, _), (.groupDelete, _), (.groupMerge, _): return refuse("groups.fixed")
    default: return nil
    }
  }

  private func refuse(_ key: String) -> (@MainActor () -> Void)? {
    actions.status.say(actions.strings(key))
    return nil
  }
}
