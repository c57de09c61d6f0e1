import AddressBookModel
import ArgumentParser
import ContactInterchange
import Contacts

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

    func run() throws {
      let book = try book.openToRead()
      defer { book.close() }
      let output = StandardOutput()
      var isEmpty = true
      switch format {
      case .table:
        var table = TextTable(
          titles: ["id", "deleted", "name", "change"].map { strings("Column/" + $0) }, limits: [20, 16, 60, 60])
        try book.forEachDeleted { contact in
          table.measure(Self.cells(contact))
          return true
        }
        isEmpty = table.isEmpty
        if !isEmpty { output.line(table.header) }
        try book.forEachDeleted { contact in
          output.line(table.line(Self.cells(contact)))
          return !output.hasFailed
        }
      case .tsv:
        try book.forEachDeleted { contact in
          isEmpty = false
          output.line(TabSeparated.row([String(contact.id), contact.deletedAt, contact.displayName]))
          return !output.hasFailed
        }
      case .jsonl:
        try book.forEachDeleted { contact in
          isEmpty = false
          output.line(Self.json(contact))
          return !output.hasFailed
        }
      case .json:
        try book.forEachDeleted { contact in
          output.write(isEmpty ? "[\n" : ",\n")
          isEmpty = false
          output.write(Self.json(contact))
          return !output.hasFailed
        }
        output.write(isEmpty ? "[]\n" : "\n]\n")
      }
      try output.flush()
      try book.checkDeleted()
      try book.reportDamage()
      if isEmpty { throw CommandFailure(.nothingFound, strings("Found/nothingDeleted")) }
    }

    private static func cells(_ contact: DeletedContact) -> [String] {
      [String(contact.id), contact.localTime, contact.displayName, contact.reason(in: .shared)]
    }

    private static func json(_ contact: DeletedContact) -> String {
      "{\"id\": \(contact.id), \"name\": \(ContactJSON.encode(contact.displayName))"
        + ", \"deleted\": \(ContactJSON.encode(contact.deletedAt))}"
    }
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
      let contacts = try TrashCommand.find(restoresAll ? nil : references, in: book)
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
        count = try book.emptyTrash(TrashCommand.find(references, in: book).map(\.id))
      }
      if count == 0 {
        let older = try days.flatMap { try book.deletedCount() > 0 ? strings("Found/nothingOlder", count: $0) : nil }
        throw CommandFailure(.nothingFound, older ?? strings("Found/nothingDeleted"))
      }
      StandardError.line(strings("Trash/emptied", count: count))
    }
  }

  /// Restores contacts, prints their ids once the change is stored, and closes the book.
  static func restore(_ contacts: [DeletedContact], in book: AddressBook) throws {
    let ids = contacts.map(\.id)
    let name = contacts.count == 1 ? contacts[0].displayName : ""
    _ = try book.bulkEdit(ids, .restore, as: StepName(.restore, name), isCancelled: { Interruption.wasRequested })
    // Only after success: this also removes contacts deleted too long ago, and one of these could be among them.
    book.closeAfterWriting()
    try StandardOutput.printStored(ids)
  }

  /// The deleted contacts with these ids, each once; all of them for nil.
  /// - Throws: `CommandFailure` that names the first that is not deleted.
  static func find(_ references: [String]?, in book: AddressBook) throws -> [DeletedContact] {
    guard let references else { return try book.allDeleted() }
    let deleted = try book.deleted(ids: references.compactMap { Int64($0) })
    var seen: Set<Int64> = []
    return try references.compactMap { reference in
      guard let contact = Int64(reference).flatMap({ deleted[$0] }) else {
        throw CommandFailure(.nothingFound, strings("Found/notDeleted", reference))
      }
      return seen.insert(contact.id).inserted ? contact : nil
    }
  }
}
