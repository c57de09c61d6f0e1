import AddressBookModel
import ArgumentParser
import ContactInterchange
import Contacts

/// `addressbook list`: lists all contacts, or those that match, in section order or sorted by another value.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: strings("Help/list"))

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("listFormat"))
  var format: ListFormat?

  @Option(name: .long, help: help("columns", valueName: "names"))
  var columns: String?

  @Option(name: .long, help: help("sort", valueName: "order"))
  var sort = ContactSortOrder.name

  @Flag(name: .long, help: help("reverse"))
  var reverse = false

  @Flag(name: [.customShort("0"), .customLong("null")], help: help("null"))
  var endsWithNull = false

  @OptionGroup var condition: ConditionArguments

  @OptionGroup var search: SearchArguments

  @OptionGroup var login: LoginOptions

  @OptionGroup var directory: DirectoryOptions

  func validate() throws {
    let isJSON = format == .json || format == .jsonl
    if columns != nil, isJSON { throw ValidationError(strings("Misuse/columnsOfJSON")) }
    if endsWithNull, isJSON || format == .table { throw ValidationError(strings("Misuse/nullFormat")) }
    _ = try columns.map(ContactColumns.init)
  }

  func run() throws {
    let columns = try columns.map(ContactColumns.init)
    let source = try book.openToRead(login, directory, search, withPhotos: format == .json || format == .jsonl)
    defer { source.close() }
    let book = source.book
    let found = try source.idsInOrder(search, where: condition)
    let isStoredOrder = sort == .name && !reverse
    let ids = isStoredOrder ? found : try book.ids(found, sortedBy: sort, isReversed: reverse)
    if !isStoredOrder { try book.checkIndexes() }
    let listing = ContactListing(book: book, ids: ids, columns: columns, endsWithNull: endsWithNull)
    try listing.print(
      format ?? (endsWithNull ? .tsv : .table),
      empty: found == nil ? CommandFailure(.nothingFound, strings("Found/emptyBook")) : condition.nothingFound(search)
    ) {
      // What a directory left out is reported only if it sent something.
      if source.answer == nil { try source.reportProblems() }
    }
    try source.reportProblems()
  }
}

extension ContactSortOrder: ExpressibleByArgument {}
