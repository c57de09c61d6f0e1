import AddressBookModel
import ArgumentParser
import BookSearching
import Contacts

/// `addressbook group`: manages groups and their members.
struct GroupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group", abstract: strings("Help/group"),
    subcommands: [List.self, Add.self, Remove.self, Smart.self, Rename.self, Delete.self], defaultSubcommand: List.self)

  /// `addressbook group list [NAME]`: lists all groups with their number of contacts, or the contacts of one.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: strings("Help/group.list"))

    @OptionGroup var book: BookOptions

    @Option(name: .long, help: help("groupFormat"))
    var format: ListFormat = .table

    @Argument(help: help("groupToList", valueName: "name"))
    var name: String?

    func run() throws {
      let book = try book.openToRead()
      let queries = BookQueries(book)
      defer {
        queries.keepIndex()
        book.close()
      }
      let check = {
        try book.checkGroups()
        try book.checkIndexes()
        try book.reportDamage()
      }
      if let name {
        let members = ContactListing(book: book, ids: try members(of: name, queries), isBrief: true)
        return try members.print(
          format, empty: CommandFailure(.nothingFound, strings("Found/noMembers", name)), check: check)
      }
      let groups = try book.groups().map { Found(name: $0.name, count: $0.count, rule: nil) }
      let smart = try book.smartGroups().map {
        Found(name: $0.name, count: try queries.ids(foundBy: $0.rule).count, rule: $0.rule)
      }
      let listing = Listing<Found>(
        columns: [Column("contacts", 12), Column("group", 60), Column("rule", 60)],
        rows: { [[String($0.count), $0.name, $0.rule.map(Self.text) ?? ""]] },
        tabbed: { [[String($0.count), $0.name] + ($0.rule.map { ["smart", Self.text(of: $0)] } ?? [])] },
        json: Self.json)
      try listing.print(format, groups + smart, empty: strings("Found/noGroups"), check: check)
    }

    /// A group, or a smart group with its rule.
    private struct Found {
      let name: String
      let count: Int
      let rule: SmartGroup.Rule?
    }

    private func members(of name: String, _ queries: BookQueries) throws -> [Int64] {
      let book = queries.book
      if let group = try book.groups().first(where: { $0.name == name }) {
        return try Array(book.memberIDs(ofGroup: group.id))
      }
      guard let group = try book.smartGroup(namedOneOf: [name]) else { throw GroupCommand.noGroup(name) }
      return try book.idsInOrder(of: queries.ids(foundBy: group.rule))
    }

    private static func text(of rule: SmartGroup.Rule) -> String {
      if case .condition(let text) = rule { "where " + text } else { rule.text }
    }

    private static func json(_ group: Found) -> JSON {
      let rule: [(String, JSON)] =
        switch group.rule {
        case .search(let text): [("search", .text(text))]
        case .condition(let text): [("condition", .text(text))]
        case nil: []
        }
      let kind = group.rule == nil ? "group" : "smart"
      return .object([("name", .text(group.name)), ("count", .number(group.count)), ("kind", .text(kind))] + rule)
    }
  }

  /// `addressbook group add NAME ID…`: adds contacts to a group, which is created if necessary.
  struct Add: ReferenceCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: strings("Help/group.add"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("groupName", valueName: "name"))
    var name: String

    @Argument(help: help("references", valueName: "id"))
    var references: [String]

    func run() throws { try changeMembers(of: name, book, references, .join(name), .join) }
  }

  /// `addressbook group remove NAME ID…`: removes contacts from a group.
  struct Remove: ReferenceCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: strings("Help/group.remove"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("groupName", valueName: "name"))
    var name: String

    @Argument(help: help("references", valueName: "id"))
    var references: [String]

    func run() throws { try changeMembers(of: name, book, references, .leave(name), .leave) }
  }

  /// `addressbook group rename NAME NEW`: renames a group.
  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: strings("Help/group.rename"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("groupName", valueName: "name"))
    var name: String

    @Argument(help: help("newGroupName", valueName: "new"))
    var newName: String

    func run() throws {
      let book = try book.openToEdit()
      defer { book.closeAfterWriting() }
      if let group = try book.smartGroup(namedOneOf: [name]) {
        try edit(.renameSmart(group, to: newName), in: book)
      } else {
        try edit(.rename(name, to: newName), in: book)
      }
    }
  }

  /// `addressbook group delete NAME`: deletes a group and keeps its contacts.
  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: strings("Help/group.delete"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("groupName", valueName: "name"))
    var name: String

    func run() throws {
      let book = try book.openToEdit()
      defer { book.closeAfterWriting() }
      if let group = try book.smartGroup(namedOneOf: [name]) {
        try edit(.deleteSmart(group), in: book)
      } else {
        try edit(.delete(name), in: book)
      }
    }
  }

  /// `addressbook group smart NAME [QUERY…]`: creates a smart group, or changes its rule.
  struct Smart: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "smart", abstract: strings("Help/group.smart"))

    @OptionGroup var book: BookOptions

    @Option(name: .customLong("where"), parsing: .unconditional, help: help("smartGroupWhere", valueName: "condition"))
    var condition: String?

    @Argument(help: help("smartGroupName", valueName: "name"))
    var name: String

    @Argument(parsing: .allUnrecognized, help: help("smartGroupQuery", valueName: "query"))
    var query: [String] = []

    func validate() throws {
      try SearchWords.refuseOptions(in: query)
      _ = try rule()
    }

    private func rule() throws -> SmartGroup.Rule {
      let text = SearchWords.text(query)
      guard (condition == nil) != BookSearch.isEmptyQuery(text) else {
        throw ValidationError(strings("Misuse/smartGroupRule"))
      }
      return try condition.map { .condition(try ContactCondition(argument: $0).text) } ?? .search(text)
    }

    func run() throws {
      let rule = try rule()
      let book = try book.openToChange()
      defer { book.closeAfterWriting() }
      if case .search(let text) = rule, let failure = CommandFailure.unknownField(in: text) {
        guard try !BookQueries(book).ids(foundBy: rule).isEmpty else { throw failure }
      }
      if let group = try book.smartGroup(namedOneOf: [name]) {
        try edit(.changeSmart(group, to: rule), in: book)
      } else {
        try edit(.addSmart(name, rule), in: book)
      }
    }
  }

  private static func edit(_ edit: GroupEdit, in book: AddressBook) throws {
    do {
      try book.edit(edit)
    } catch {
      switch error {
      case .missing(let name): throw noGroup(name)
      case .exists(let name): throw CommandFailure(.failed, strings("Failed/groupExists", name))
      case .invalid(let issues):
        throw CommandFailure(.failed, issues.map { $0.message(in: .shared) }.joined(separator: " "))
      default: throw error
      }
    }
  }

  private static func noGroup(_ name: String) -> CommandFailure {
    CommandFailure(.nothingFound, strings("Found/noGroup", name))
  }

  private static func changeMembers(
    of group: String, _ options: BookOptions, _ references: [String], _ edit: BulkEdit, _ action: StepName.Action
  ) throws {
    let book = try options.openToEdit()
    defer { book.closeAfterWriting() }
    try book.refuseSmartGroups([group])
    let ids = try ContactReference.findAll(references, in: book)
    if try !book.groupNames().contains(group) {
      if action == .leave { throw noGroup(group) }
      // An import may have made a group with a name that a user cannot choose.
      if let issue = GroupEdit.issue(ofName: group) { throw CommandFailure(.failed, issue.message(in: .shared)) }
    }
    _ = try book.bulkEdit(ids, edit, as: StepName(action, group))
    try StandardOutput.printStored(ids)
  }
}

extension AddressBook {
  /// Refuses to add contacts to groups if one of them is a smart group.
  /// - Throws: `CommandFailure` for a smart group; `StoreError` if the smart groups cannot be read.
  func refuseSmartGroups(_ names: [String]) throws {
    guard let group = try smartGroup(namedOneOf: names) else { return }
    throw CommandFailure(.failed, strings("Failed/smartGroupMembers", group.name))
  }
}
