import AddressBookModel
import ArgumentParser
import BookInterchange
import BookSearching
import ContactInterchange
import Contacts
import Messages

/// `addressbook collect`: lists with whom one exchanges email, and who of them is in the book; adds others if asked to.
struct CollectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect", abstract: strings("Help/collect"), discussion: strings("Help/collect.discussion"))

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("collectMe", valueName: "address"))
  var me: [String] = []

  @Flag(name: .customLong("unknown"), help: help("collectUnknown"))
  var isForUnknown = false

  @Flag(name: .long, help: help("collectAdd"))
  var add = false

  @Option(name: .customLong("min-sent"), help: help("collectMinSent", valueName: "number"))
  var minimumSent: Int?

  @Option(name: .long, help: help("listFormats"))
  var format: ListFormat = .table

  @Argument(help: help("collectPaths", valueName: "path"), completion: .file())
  var paths: [String]

  func validate() throws {
    if let wrong = me.first(where: { MailAddress.bare($0) == nil }) {
      throw ValidationError(strings("Misuse/collectMe", wrong))
    }
    if let minimumSent, minimumSent < 0 { throw ValidationError(strings("Misuse/collectMinSent")) }
  }

  func run() throws {
    Interruption.watch()
    let book = try add ? book.openToChange() : book.openToEdit()
    defer { book.isReadOnly ? book.close() : book.closeAfterWriting() }
    let correspondents = try read(for: book)
    guard let owner = correspondents.likelyOwner else { throw CommandFailure(.nothingFound, strings("Collect/none")) }
    if me.isEmpty { StandardError.line(strings("Collect/owner", owner)) }
    let own = me.isEmpty ? [owner] : me.compactMap(MailAddress.bare)
    let found = try book.known(correspondents.all(own: own))
    let asked = found.filter { $0.person.sent >= minimumSent ?? (add ? 1 : 0) }
    if !book.isReadOnly, case let count = try book.recordLastContact(of: found), count > 0 {
      StandardError.line(strings("Collect/recorded", count: count))
    }
    if add { return try addUnknown(asked, to: book) }
    try list(isForUnknown ? asked.filter { $0.contact == nil } : asked)
  }

  /// Reads what is new, and keeps what was read even if the user interrupts it.
  private func read(for book: AddressBook) throws -> Correspondents {
    var mail = ReadMail(paths, in: book.location.cacheFolder)
    let progress = ProgressBar()
    let result = Result {
      try mail.read(isCancelled: { Interruption.wasRequested }) { count in
        progress.show(strings("Collect/progress", count: count), nil)
      }
    }
    progress.clear()
    do {
      try mail.keep()
    } catch {
      StandardError.say(strings("Collect/notKept", error.path, error.message))
    }
    try result.get()
    return mail.correspondents
  }

  private func list(_ found: [KnownCorrespondent]) throws {
    let listing = Listing<KnownCorrespondent>(
      columns: [
        Column("sent", 8), Column("received", 8), Column("last", 10), Column("name", 30), Column("email", 40),
        Column("contact", 30),
      ],
      rows: { item in
        let person = item.person
        return [
          [
            String(person.sent), String(person.received), item.lastDay, person.name, person.address,
            item.contactName,
          ]
        ]
      },
      json: { item in
        let person = item.person
        return .object([
          ("address", .text(person.address)), ("name", .text(person.name)), ("sent", .number(person.sent)),
          ("received", .number(person.received)), ("last", person.last == nil ? .null : .text(item.lastDay)),
          ("contact", item.contact.map { .number(Int($0)) } ?? .null),
        ])
      })
    try listing.print(format, found, empty: strings("Collect/none"))
  }

  /// Adds those who are not in the book.
  private func addUnknown(_ found: [KnownCorrespondent], to book: AddressBook) throws {
    let (ids, namesakes) = try book.add(found, from: paths.joined(separator: ", "))
    for person in namesakes { StandardError.line(strings("Collect/namesake", "\(person.name) <\(person.address)>")) }
    if ids.isEmpty { throw CommandFailure(.nothingFound, strings("Collect/noneToAdd")) }
    StandardError.line(strings("Collect/added", count: ids.count))
    try StandardOutput.printStored(ids)
  }
}
