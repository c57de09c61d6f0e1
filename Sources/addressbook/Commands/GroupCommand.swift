import AddressBookModel
import ArgumentParser
import Contacts

/// `addressbook group`: manages groups and their members.
struct GroupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group", abstract: strings("Help/group"),
    subcommands: [List.self, Add.self, Remove.self, Rename.self, Delete.self], defaultSubcommand: List.self)

  /// `addressbook group list [NAME]`: lists all groups with their sizes, or the contacts of one.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: strings("Help/group.list"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("groupToList", valueName: "name"))
    var name: String?

    func run() throws {
      let book = try book.openToRead()
      defer { book.close() }
      let output = StandardOutput()
      let groups = try book.groups()
      if let name {
        guard let group = groups.first(where: { $0.name == name }) else { throw noGroup(name) }
        try book.forEachRow(ids: book.memberIDs(ofGroup: group.id)) { row in
          output.line(TabSeparated.row([String(row.id), row.displayName]))
          return !output.hasFailed
        }
      } else {
        for group in groups { output.line(TabSeparated.row([String(group.count), group.name])) }
      }
      try output.flush()
      try book.checkGroups()
      try book.reportDamage()
    }
  }

  /// `addressbook group add NAME ID…`: adds contacts to a group, which is created if necessary.
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: strings("Help/group.add"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("groupName", valueName: "name"))
    var name: String

    @Argument(help: help("references", valueName: "id"))
    var references: [String]

    func run() throws {
      try changeMembers(book, references) { contact in
        if !contact.groups.contains(name) { contact.groups.append(name) }
      }
    }
  }

  /// `addressbook group remove NAME ID…`: removes contacts from a group.
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: strings("Help/group.remove"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("groupName", valueName: "name"))
    var name: String

    @Argument(help: help("references", valueName: "id"))
    var references: [String]

    func run() throws {
      try changeMembers(book, references) { $0.groups.removeAll { $0 == name } }
    }
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
      let book = try book.openToChange()
      defer { book.closeAfterWriting() }
      let context = book.newContext()
      guard let group = try context.existingGroup(named: name) else { throw noGroup(name) }
      if newName != name, try context.existingGroup(named: newName) != nil {
        throw CommandFailure(.failed, strings("Failed/groupExists", newName))
      }
      group.name = newName
      try context.saveOrFail()
    }
  }

  /// `addressbook group delete NAME`: deletes a group and keeps its contacts.
  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: strings("Help/group.delete"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("groupName", valueName: "name"))
    var name: String

    func run() throws {
      let book = try book.openToChange()
      defer { book.closeAfterWriting() }
      let context = book.newContext()
      guard let group = try context.existingGroup(named: name) else { throw noGroup(name) }
      try context.delete(group)
      try context.saveOrFail()
    }
  }

  private static func noGroup(_ name: String) -> CommandFailure {
    CommandFailure(.nothingFound, strings("Found/noGroup", name))
  }

  private static func changeMembers(
    _ options: BookOptions, _ references: [String], _ change: (inout Contact) -> Void
  ) throws {
    let book = try options.openToChange()
    defer { book.closeAfterWriting() }
    let contacts = try ContactReference.findAll(references, in: book)
    try book.refuseDamage(of: contacts.map(\.id))
    let context = book.newContext()
    for person in try context.persons(contacts.map(\.id)) {
      var contact = try person.contact
      change(&contact)
      try person.apply(contact)
    }
    try context.saveOrFail()
    try StandardOutput.printStored(contacts.map(\.id))
  }
}
