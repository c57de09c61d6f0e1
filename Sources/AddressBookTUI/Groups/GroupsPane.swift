import AddressBookModel
import Contacts
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
      case .group: [.groupRename, .groupDelete, .groupMerge, .groupMail]
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
    let (loop, isClosed) = (actions.environment.loop, isClosed)
    for collection in choices.compactMap(\.collection) {
      list.search.count(
        collection, options: list.searchOptions, isWanted: { !isClosed.isSet }
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
    case (.groupMail, let choice?): return actions.mail(to: choice)
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

/// A line of the groups pane: something that the list can show, or the deleted contacts.
enum GroupChoice: Hashable {
  case all(count: Int)
  case favorites(count: Int)
  case folder(ContactFolder)
  case group(GroupSummary)
  /// A smart group. It is counted once the pane is open; `count` is nil until then.
  case smart(SmartGroup, count: Int?)
  /// A collection. It is counted once the pane is open; `count` is nil until then.
  case collection(ContactCollection, count: Int?)
  case trash(count: Int)

  /// How many days count as recent, and how far ahead birthdays are shown.
  private static let days = 30

  /// Returns all lines of the pane, in order. Favorites have one only if there are any.
  static func all(in book: AddressBook, today: CalendarDay) throws(StoreError) -> [GroupChoice] {
    let groups = try book.groups()
    let favorites = groups.first { $0.name == Favorites.group }?.count ?? 0
    let collections: [ContactCollection] = [
      .recentlyAdded(days: days), .recentlyChanged(days: days), .birthdays(from: today, days: days),
    ]
    return [.all(count: try book.contactCount())] + (favorites > 0 ? [.favorites(count: favorites)] : [])
      + (try book.folders().map(GroupChoice.folder))
      + groups.filter { $0.name != Favorites.group }.map(GroupChoice.group)
      + (try book.smartGroups().map { .smart($0, count: nil) })
      + collections.map { .collection($0, count: nil) } + [.trash(count: try book.deletedCount())]
  }

  /// The name of a group or a smart group; nil for everything else.
  var groupName: String? {
    switch self {
    case .group(let group): group.name
    case .smart(let group, _): group.name
    default: nil
    }
  }

  var folder: ContactFolder? {
    if case .folder(let folder) = self { folder } else { nil }
  }

  /// The collection that is counted lazily; nil for everything else.
  var collection: ContactCollection? {
    switch self {
    case .collection(let collection, _): collection
    case .smart(let group, _): .found(by: group.rule)
    default: nil
    }
  }

  /// Returns the same choice with its count, if it is counted lazily.
  func counted(_ count: Int) -> GroupChoice {
    switch self {
    case .collection(let collection, _): .collection(collection, count: count)
    case .smart(let group, _): .smart(group, count: count)
    default: self
    }
  }

  /// The color of a folder; nil if it has none, and for everything else.
  var color: Color? { folder?.dot }

  func text(_ strings: Strings) -> String {
    switch self {
    case .all: strings("list.all")
    case .favorites: strings("groups.favorites")
    case .folder(let folder): folder.dot == nil ? "▤ " + folder.name : folder.name
    case .group(let group): group.name
    case .smart(let group, _): "◇ " + group.name
    case .collection(let collection, _): strings(collection.titleKey)
    case .trash: strings("trash.title")
    }
  }

  /// The number of its contacts; nil if they are not counted yet.
  var count: Int? {
    switch self {
    case .all(let count), .favorites(let count), .trash(let count): count
    case .folder(let folder): folder.count
    case .group(let group): group.count
    case .collection(_, let count), .smart(_, let count): count
    }
  }

  /// Returns the filter with which the list shows the choice; nil for the deleted contacts, which have a screen of
  /// their own.
  func filter(query: String, _ strings: Strings) -> ContactFilter? {
    switch self {
    case .all: ContactFilter(query: query)
    case .favorites: Favorites.filter(query: query, strings)
    case .folder(let folder): ContactFilter(query: query, folder: folder)
    case .group(let group): ContactFilter(query: query, group: group.name)
    case .collection(let collection, _):
      ContactFilter(query: query, collection: collection, title: strings(collection.titleKey))
    case .smart(let group, _):
      ContactFilter(query: query, collection: .found(by: group.rule), title: "◇ " + group.name)
    case .trash: nil
    }
  }
}

extension ContactFolder {
  /// Its color on the screen; nil if it has none.
  var dot: Color? { Color(hexadecimal: color) }
}

extension ContactCollection {
  /// The order in which the list shows it; nil for the chosen one.
  var order: ContactSortOrder? {
    switch self {
    case .recentlyChanged: .changed
    case .birthdays: .birthday
    case .recentlyAdded, .found: nil
    }
  }

  fileprivate var titleKey: String {
    switch self {
    case .recentlyAdded: "groups.recentlyAdded"
    case .recentlyChanged: "groups.recentlyChanged"
    case .birthdays: "groups.birthdays"
    case .found: "groups.smart"
    }
  }
}

/// The favorites: the members of the group `starred`, in which Google Contacts exports starred contacts. A vCard has
/// the group as `CATEGORIES:starred`, and other programs see it too.
enum Favorites {
  static let group = "starred"
  /// Their mark in the list.
  static let star = "★"

  static func filter(query: String = "", _ strings: Strings) -> ContactFilter {
    ContactFilter(query: query, group: group, title: strings("groups.favorites"))
  }

  /// Returns the names of groups; if the favorites are among them, they come first, with the name `favorites`.
  static func shown(_ groups: [String], as favorites: String) -> [String] {
    groups.contains(group) ? [favorites] + groups.filter { $0 != group } : groups
  }

  /// Returns the localized name of a step, in which the favorites have their displayed name.
  /// - Parameter count: the number of contacts that the step writes.
  static func text(of step: StepName, count: Int, _ strings: Strings) -> String {
    let isTheirs = (step.action == .join || step.action == .leave) && step.subject == group
    return (isTheirs ? StepName(step.action, name(of: group, strings)) : step).text(
      in: strings.localization, count: count)
  }

  /// Returns the displayed name of a group.
  static func name(of group: String, _ strings: Strings) -> String {
    group == self.group ? strings("groups.favorites") : group
  }
}
