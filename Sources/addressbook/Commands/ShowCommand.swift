import AddressBookModel
import ArgumentParser
import Contacts

/// `addressbook show`: prints all details of a contact by id, UID or URI, or of every contact that a query
/// finds.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: strings("Help/show"))

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, tsv, json, jsonl, vcard

    /// Reads a format, or `text`, the old name of `table`.
    init?(argument: String) { self.init(rawValue: argument == "text" ? "table" : argument) }
  }

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("showFormat"))
  var format = Format.table

  @OptionGroup var search: SearchArguments

  @OptionGroup var login: LoginOptions

  @OptionGroup var directory: DirectoryOptions

  func validate() throws {
    if search.query.isEmpty { throw ValidationError(strings("Misuse/nothingToShow")) }
  }

  func run() throws {
    let source = try book.openToRead(login, directory, search, withPhotos: true)
    let book = source.book
    defer { book.close() }
    let contacts = try contacts(in: source)
    guard !contacts.isEmpty else { throw CommandFailure.unknownField(in: search.text) ?? .nothingFound(search.text) }
    let output = StandardOutput()
    for (index, contact) in contacts.enumerated() {
      switch format {
      case .table, .tsv:
        let folders = try book.folderNames(ofContact: contact.id)
        if format == .tsv {
          let pairs =
            [(strings("Column/name"), contact.displayName)] + ContactDescription.pairs(contact, folders: folders)
          for (title, value) in pairs { output.line(TabSeparated.row([String(contact.id), title, value])) }
          continue
        }
        if index > 0 { output.line("") }
        if book.damage.has(contact.id) { output.line(strings("Show/damaged")) }
        for line in ContactDescription.lines(contact, folders: folders) { output.line(line) }
      case .json, .jsonl: output.line(JSONContacts.text(contact))
      case .vcard: try CardOutput(book: book, version: nil).write(contact) { output.write($0) }
      }
    }
    try output.flush()
    try source.reportProblems()
  }

  private func contacts(in source: BookToRead) throws -> [Contact] {
    let book = source.book
    if source.answer == nil, search.query.count == 1,
      let contact = try ContactReference.identified(search.query[0], in: book)
    {
      return [contact]
    }
    return try book.contacts(ids: source.ranked(search).map(\.id))
  }
}
