import AddressBookModel
import Contacts
import TerminalKit

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
