import AddressBookModel
import ArgumentParser
import Contacts

/// `addressbook delete`: deletes contacts, all or none. Prints their ids once the change is stored.
struct DeleteCommand: ReferenceCommand {
  static let configuration = CommandConfiguration(commandName: "delete", abstract: strings("Help/delete"))

  @OptionGroup var book: BookOptions

  @Argument(help: help("references", valueName: "id"))
  var references: [String]

  func run() throws {
    let book = try book.openToEdit()
    defer { book.closeAfterWriting() }
    let ids = try ContactReference.findAll(references, in: book)
    _ = try book.bulkEdit(ids, .delete, as: nil)
    try StandardOutput.printStored(ids)
  }
}

/// `addressbook undelete`: restores deleted contacts; without an id, lists them.
struct UndeleteCommand: ReferenceCommand {
  static let configuration = CommandConfiguration(commandName: "undelete", abstract: strings("Help/undelete"))

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("trashFormat"))
  var format: ListFormat = .table

  @Argument(help: help("deletedReferences", valueName: "id"))
  var references: [String] = []

  func run() throws {
    if references.isEmpty { return try TrashCommand.list(book, format) }
    Interruption.watch()
    let book = try book.openToEdit()
    defer { book.close() }
    try TrashCommand.restore(DeletedReference.findAll(references, in: book), in: book)
  }
}

/// `addressbook trash`: deleted contacts.
struct TrashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trash", abstract: strings("Help/trash"), subcommands: [List.self, Restore.self, Empty.self],
    defaultSubcommand: List.self)

  /// `addressbook trash list`: what was deleted and when, the most recently deleted first.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: strings("Help/trash.list"))

    @OptionGroup var book: BookOptions

    @Option(name: .long, help: help("trashFormat"))
    var format: ListFormat = .table

    func run() throws { try TrashCommand.list(book, format) }
  }

  /// `addressbook trash restore ID…|--all`: restores contacts. Prints their ids once the change is stored.
  struct Restore: ReferenceCommand {
    static let configuration = CommandConfiguration(commandName: "restore", abstract: strings("Help/trash.restore"))

    @OptionGroup var book: BookOptions

    @Flag(name: .customLong("all"), help: help("trashAll"))
    var restoresAll = false

    @Argument(help: help("deletedReferences", valueName: "id"))
    var references: [String] = []

    func validate() throws {
      if references.isEmpty != restoresAll { throw ValidationError(strings("Misuse/idsOrAll")) }
    }

    func run() throws {
      Interruption.watch()
      let book = try book.openToEdit()
      defer { book.close() }
      let contacts = try restoresAll ? book.allDeleted() : DeletedReference.findAll(references, in: book)
      if contacts.isEmpty { throw CommandFailure(.nothingFound, strings("Found/nothingDeleted")) }
      try TrashCommand.restore(contacts, in: book)
    }
  }

  /// `addressbook trash empty`: removes deleted contacts for good.
  struct Empty: ReferenceCommand {
    static let configuration = CommandConfiguration(commandName: "empty", abstract: strings("Help/trash.empty"))

    @OptionGroup var book: BookOptions

    @Option(name: .customLong("older-than"), help: help("trashDays", valueName: "days"))
    var days: Int?

    @Argument(help: help("deletedReferences", valueName: "id"))
    var references: [String] = []

    func validate() throws {
      if days.map({ $0 < 0 }) == true { throw ValidationError(strings("Misuse/days")) }
      if days != nil, !references.isEmpty { throw ValidationError(strings("Misuse/idsOrDays")) }
    }

    func run() throws {
      let book = try book.openToEdit()
      defer { book.closeAfterWriting() }
      let count: Int
      if let days {
        count = try book.emptyTrash(olderThanDays: days)
      } else if references.isEmpty {
        count = try book.emptyTrash()
      } else {
        count = try book.emptyTrash(DeletedReference.findAll(references, in: book).map(\.id))
      }
      if count == 0 {
        let older = try days.flatMap { try book.deletedCount() > 0 ? strings("Found/nothingOlder", count: $0) : nil }
        throw CommandFailure(.nothingFound, older ?? strings("Found/nothingDeleted"))
      }
      StandardError.line(strings("Trash/emptied", count: count))
    }
  }

  fileprivate static func list(_ options: BookOptions, _ format: ListFormat) throws {
    let book = try options.openToRead()
    defer { book.close() }
    let listing = Listing<DeletedContact>(
      columns: [Column("id", 20), Column("deleted", 16), Column("name", 60), Column("change", 60)],
      rows: { [[String($0.id), $0.localTime, $0.displayName, $0.reason(in: .shared)]] },
      tabbed: { [[String($0.id), $0.deletedAt, $0.displayName]] },
      json: {
        .object([("id", .number(Int($0.id))), ("name", .text($0.displayName)), ("deleted", .text($0.deletedAt))])
      })
    let check = {
      try book.checkDeleted()
      try book.reportDamage()
    }
    try listing.print(
      format, empty: CommandFailure(.nothingFound, strings("Found/nothingDeleted")), check: check
    ) { body in
      try book.forEachDeleted(body)
    }
  }

  /// Restores contacts, prints their ids once the change is stored, and closes the book.
  fileprivate static func restore(_ contacts: [DeletedContact], in book: AddressBook) throws {
    let ids = contacts.map(\.id)
    let name = contacts.count == 1 ? contacts[0].displayName : ""
    _ = try book.bulkEdit(ids, .restore, as: StepName(.restore, name), isCancelled: { Interruption.wasRequested })
    // Only after success: this also removes contacts deleted too long ago, and one of these could be among them.
    book.closeAfterWriting()
    try StandardOutput.printStored(ids)
  }
}
