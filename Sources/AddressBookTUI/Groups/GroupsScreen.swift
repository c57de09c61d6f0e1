import AddressBookModel
import Synchronization
import TerminalKit

/// The groups pane: what the list can show, and the deleted contacts, each with the number of contacts. Typing filters
/// the pane, and Enter shows the selected choice. Groups are created, renamed, deleted and merged from here.
@MainActor
final class GroupsScreen: Screen {
  let keyContext = KeyContext.groups
  var isOverlay: Bool { true }
  private let environment: AppEnvironment
  private let actions: GroupActions
  private(set) var choices: [GroupChoice]
  private var state: ChooserState
  /// Set when the pane is closed, to stop counting.
  private let isClosed = CancellationFlag()

  init(environment: AppEnvironment, actions: GroupActions, choices: [GroupChoice], selected: Int) {
    self.environment = environment
    self.actions = actions
    self.choices = choices
    let strings = environment.strings
    state = ChooserState(
      title: strings("groups.title"), items: Self.items(choices, strings), selected: selected,
      texts: environment.chooserTexts(placeholder: strings("chooser.typeToFilter")))
  }

  private static func items(_ choices: [GroupChoice], _ strings: Strings) -> [ChooserState.Item] {
    let counts = choices.map { $0.count.map(strings.number) ?? TextWidth.ellipsis }
    let widest = counts.map(\.count).max() ?? 0
    return zip(choices, counts).map { choice, count in
      ChooserState.Item(
        choice.text(strings), detail: String(repeating: " ", count: widest - count.count) + count, dot: choice.color
      ).withPinyin
    }
  }

  /// The keys for the selected line, those specific to it first.
  func bottomLine(in context: ScreenContext) -> BottomLine? {
    let ofLine: [Command] =
      switch selected {
      case .group: [.groupRename, .groupDelete, .groupMerge]
      case .folder: [.groupRename, .groupColor]
      case .smart: [.groupRename, .groupDelete, .groupEdit]
      default: []
      }
    return BottomLine(
      hints: environment.hint(.chooserOpen, as: "show", in: .groups)
        + environment.hints(ofLine + [.groupAdd, .groupSave, .chooserCancel], in: .groups))
  }

  /// Counts on other threads what is not counted yet.
  func count(with list: ContactList) {
    if choices.contains(where: { if case .found(.search)? = $0.collection { true } else { false } }) {
      list.buildIndex()
    }
    let search = list.search
    let (isFuzzy, takesKeys) = (list.searchesFuzzily, list.searchesByPhoneKeys)
    let (loop, isClosed) = (environment.loop, isClosed)
    for collection in choices.compactMap(\.collection) {
      search.count(collection, options: .init(fuzzy: isFuzzy, t9: takesKeys), isWanted: { !isClosed.isSet }) {
        [self] result in
        // Without a number the line stays as it is; choosing it shows the error.
        guard case .success(let count) = result else { return }
        loop.post { self.show(count, of: collection) }
      }
    }
  }

  private func show(_ count: Int, of collection: ContactCollection) {
    choices = choices.map { $0.collection == collection ? $0.counted(count) : $0 }
    state.items = Self.items(choices, environment.strings)
  }

  private func close() {
    isClosed.set()
    environment.screens.pop(self)
  }

  private var selected: GroupChoice? {
    if case .item(let index)? = state.selectedChoice { choices[index] } else { nil }
  }

  // MARK: Events

  func perform(_ command: Command, in context: ScreenContext) {
    actions.status.clear()
    switch command {
    case .groupAdd: change { $0.askForNewGroup(name: self.state.field.text) }
    case .groupSave: change { $0.askForSmartGroup() }
    case .groupEdit: changeRule()
    case .groupColor: changeColor()
    case .groupRename: rename()
    case .groupDelete: delete()
    case .groupMerge: withGroup { $0.askForTarget(of: $1) }
    case .chooserCancel where !state.field.isEmpty: state.clear()
    case .chooserCancel: close()
    case .chooserOpen: show()
    default:
      if case .move(let movement)? = command.role { state.move(movement) }
    }
  }

  func type(_ key: Key, in context: ScreenContext) { state.type(key) }

  func handle(_ event: Event, in context: ScreenContext) {
    switch event {
    case .paste(let text): state.insert(text)
    case .mouse(let mouse): if state.handle(mouse) { show() }
    default: break
    }
  }

  private func show() {
    guard let selected else { return }
    close()
    actions.show(selected)
  }

  private func rename() {
    switch selected {
    case .smart(let group, _): change { $0.askForName(of: group) }
    case .folder(let folder): change { $0.askForName(of: folder) }
    default: withGroup { $0.askForName(of: $1) }
    }
  }

  private func changeRule() {
    guard case .smart(let group, _)? = selected else {
      return actions.status.say(environment.strings("groups.smart.only"))
    }
    change { $0.askForRule(of: group) }
  }

  private func changeColor() {
    guard case .folder(let folder)? = selected else {
      return actions.status.say(environment.strings("folders.color.only"))
    }
    change { $0.askForColor(of: folder) }
  }

  private func delete() {
    if case .smart(let group, _)? = selected { return change { $0.askToDelete(group) } }
    withGroup { $0.askToDelete($1) }
  }

  /// Changes the selected group. Anything else, such as a smart group, is refused with a message.
  private func withGroup(_ body: @escaping (GroupActions, GroupSummary) -> Void) {
    guard case .group(let group)? = selected else {
      return actions.status.say(environment.strings("groups.fixed"))
    }
    change { body($0, group) }
  }

  /// Closes the pane and begins a change; the pane opens again when the change is done.
  private func change(_ body: (GroupActions) -> Void) {
    close()
    body(actions)
  }

  // MARK: Drawing

  func prepare(in rect: Rect) {
    state.layOut(in: rect)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) { state.draw(on: &canvas, style: environment.theme.widgets) }
}
