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
  var minimumSent = 1

  @Option(name: .long, help: help("listFormats"))
  var format: ListFormat = .table

  @Argument(help: help("collectPaths", valueName: "path"), completion: .file())
  var paths: [String]

  func validate() throws {
    if let wrong = me.first(where: { MailAddress.bare($0) == nil }) {
      throw ValidationError(strings("Misuse/collectMe", wrong))
    }
    if minimumSent < 0 { throw ValidationError(strings("Misuse/collectMinSent")) }
  }

  /// A correspondent, and the contact with the address.
  private typealias Found = (person: Correspondents.Correspondent, contact: (id: Int64, name: String)?)

  func run() throws {
    Interruption.watch()
    let book = try add ? book.openToChange() : book.openToRead()
    defer { if add { book.closeAfterWriting() } else { book.close() } }
    let correspondents = try read()
    guard let owner = correspondents.likelyOwner else { throw CommandFailure(.nothingFound, strings("Collect/none")) }
    if me.isEmpty { StandardError.line(strings("Collect/owner", owner)) }
    let own = me.isEmpty ? [owner] : me.compactMap(MailAddress.bare)
    let known = try book.contactsByEmail()
    let found: [Found] = correspondents.all(own: own).map { ($0, known[MailAddress.key(of: $0.address)]) }
    if add { return try addUnknown(found, to: book) }
    try list(isForUnknown ? found.filter { $0.contact == nil } : found)
  }

  private func read() throws -> Correspondents {
    var correspondents = Correspondents()
    let progress = ProgressBar()
    defer { progress.clear() }
    for path in paths {
      var folder = MailFolder(path)
      folder.isCancelled = { Interruption.wasRequested }
      try folder.forEachHeader { header in
        correspondents.add(header)
        progress.show(strings("Collect/progress", count: correspondents.messageCount), nil)
      }
    }
    return correspondents
  }

  private func list(_ found: [Found]) throws {
    let listing = Listing<Found>(
      columns: [
        Column("sent", 8), Column("received", 8), Column("last", 10), Column("name", 30), Column("email", 40),
        Column("contact", 30),
      ],
      rows: { item in
        let person = item.person
        return [
          [
            String(person.sent), String(person.received), Self.day(of: person), person.name, person.address,
            item.contact?.name ?? "",
          ]
        ]
      },
      json: { item in
        let person = item.person
        return .object([
          ("address", .text(person.address)), ("name", .text(person.name)), ("sent", .number(person.sent)),
          ("received", .number(person.received)), ("last", person.last == nil ? .null : .text(Self.day(of: person))),
          ("contact", item.contact.map { .number(Int($0.id)) } ?? .null),
        ])
      })
    try listing.print(format, found, empty: strings("Collect/none"))
  }

  private static func day(of person: Correspondents.Correspondent) -> String {
    person.last.map { moment in
      let day = CalendarDay(at: moment)
      return [day.year, day.month, day.day].map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: "-")
    } ?? ""
  }

  /// Adds those that are not in the book and to whom enough was sent, as one step. Somebody with the name of a contact
  /// is not added, because it is probably that contact.
  private func addUnknown(_ found: [Found], to book: AddressBook) throws {
    var seen: Set<String> = []
    var (people, namesakes): ([Correspondents.Correspondent], [String]) = ([], [])
    for (person, contact) in found where contact == nil && person.sent >= minimumSent {
      let isNamesake =
        try !person.name.isEmpty && (!seen.insert(person.name).inserted || !book.contactIDs(named: person.name).isEmpty)
      if isNamesake { namesakes.append("\(person.name) <\(person.address)>") } else { people.append(person) }
    }
    for name in namesakes { StandardError.line(strings("Collect/namesake", name)) }
    guard !people.isEmpty else { throw CommandFailure(.nothingFound, strings("Collect/noneToAdd")) }
    let ids = try book.bulkWrite(as: StepName(.importing, paths.joined(separator: ", "))) { writer in
      try people.map { person in
        var contact = Contact()
        contact.formattedName = person.name
        contact.emails = [LabeledValue(value: person.address)]
        return try writer.write(contact).id
      }
    }
    StandardError.line(strings("Collect/added", count: ids.count))
    try StandardOutput.printStored(ids)
  }
}
