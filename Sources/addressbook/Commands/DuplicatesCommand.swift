import AddressBookModel
import ArgumentParser
import ContactInterchange
import Contacts
import Messages

/// `addressbook duplicates`: lists contacts that are probably duplicates, and why.
struct DuplicatesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "duplicates", abstract: strings("Help/duplicates"))

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("listFormats"))
  var format: ListFormat = .table

  func run() throws {
    let book = try book.openToRead()
    defer { book.close() }
    let groups = try book.duplicates()
    let contacts = Dictionary(
      try book.contacts(ids: groups.flatMap(\.ids)).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    func members(_ ids: [Int64]) -> [(String, JSON)] {
      [("ids", .list(ids.map { .number(Int($0)) })), ("uids", .texts(ids.map { contacts[$0]?.uid ?? "" }))]
    }
    let listing = Listing<DuplicateGroup>(
      columns: [Column("id", 20), Column("name", 40), Column("phone", 24), Column("email", 40), Column("reason", 60)],
      rows: { group in
        group.ids.map { id in
          let reasons = Set(group.pairs.filter { $0.first == id || $0.second == id }.flatMap(\.reasons)).sorted()
          let contact = contacts[id] ?? Contact()
          return [
            String(id), contact.displayName, contact.phones.first?.value ?? "", contact.emails.first?.value ?? "",
            Localization.shared.list(reasons.map { Localization.shared.name(of: $0) }),
          ]
        }
      },
      json: { group in
        let pairs = group.pairs.map { pair in
          JSON.object(members([pair.first, pair.second]) + [("reasons", .texts(pair.reasons.map(\.rawValue)))])
        }
        return .object(members(group.ids) + [("pairs", .list(pairs))])
      })
    try listing.print(format, groups, empty: strings("Found/noDuplicates"))
  }
}

/// `addressbook merge`: merges contacts into the first one, which gets the values of all of them, and prints its id.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "merge", abstract: strings("Help/merge"))

  @OptionGroup var book: BookOptions

  @Flag(name: .customLong("dry-run"), help: help("mergeDryRun"))
  var isDryRun = false

  @Argument(help: help("references", valueName: "id"))
  var references: [String]

  func validate() throws {
    if Set(references).count < references.count || references.count < 2 {
      throw ValidationError(strings("Misuse/nothingToMerge"))
    }
  }

  func run() throws {
    let book = try isDryRun ? book.openToRead() : book.openToEdit()
    defer { book.close(isDryRun: isDryRun) }
    let ids = try ContactReference.findAll(references, in: book)
    guard ids.count == references.count else { throw CommandFailure(.misuse, strings("Misuse/nothingToMerge")) }
    do {
      if isDryRun {
        try show(try book.mergePreview(ids))
      } else {
        try book.merge(ids)
        try StandardOutput.printStored(ids.prefix(1))
      }
    } catch EditError.missing(let id) {
      throw CommandFailure.noContact(id)
    }
  }

  private func show(_ merge: DuplicateMerge) throws {
    let conflicts = merge.conflicts.map { conflict in
      JSON.object([
        ("field", .text(conflict.fieldName)), ("kept", .encoded(ContactJSON.encode(conflict.kept))),
        ("other", .encoded(ContactJSON.encode(conflict.other))),
      ])
    }
    let output = StandardOutput()
    output.line(
      ContactJSON.encode(
        merge.merged, section: merge.merged.sectionTitle,
        additions: [("conflicts", JSON.list(conflicts).line)]))
    try output.flush()
  }
}
