import AddressBookModel
import ArgumentParser
import BookInterchange
import ContactInterchange
import Contacts
import Messages

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

/// Contacts as a list. Tables and tab-separated text have some columns; JSON has all fields.
struct ContactListing {
  let book: AddressBook
  /// The contacts in their order; nil for all in section order.
  let ids: [Int64]?
  /// The columns that were asked for; nil for the usual ones.
  var columns: ContactColumns?
  /// True for the members of a group or folder, whose tab-separated text has only ids and names.
  var isBrief = false
  /// Whether a row of tab-separated text ends with NUL. Its cells may then contain line ends, and a single cell also
  /// tabs.
  var endsWithNull = false

  /// Writes the contacts to standard output.
  /// - Parameters:
  ///   - empty: thrown if there are none.
  ///   - check: reports problems of what was read, after the output and before that.
  func print(_ format: ListFormat, empty: @autoclosure () throws -> CommandFailure, check: () throws -> Void) throws {
    if format == .json || format == .jsonl {
      let output = StandardOutput()
      let count = try JSONContacts.write(of: book, ids, inLines: format == .jsonl, to: output)
      try output.flush()
      try check()
      if count == 0 { throw try empty() }
      return
    }
    let titles =
      columns?.titles.map { Column(title: $0, limit: 60) }
      ?? [Column("id", 20), Column("name", 40), Column("phone", 24), Column("email", 40), Column("organization", 40)]
    var listing = Listing<[String]>(columns: titles, rows: { [$0] }, json: JSON.texts)
    if endsWithNull { listing.tabbedLine = Self.nullTerminated }
    try listing.print(format, empty: try empty(), check: check) { try forEachRow(format, $0) }
  }

  /// Calls a function with the cells of each contact, until it returns false.
  private func forEachRow(_ format: ListFormat, _ body: ([String]) -> Bool) throws {
    if let columns {
      try book.forEachEncoded(ids: ids) { stored, _, bytes in
        for cell in columns.cells(stored.contact) { PackedTexts.append(cell, to: &bytes) }
      } _: { cells in
        body(PackedTexts.texts(in: cells))
      }
      return
    }
    try book.forEachRow(ids: ids) { row in
      let id = String(row.id)
      if format == .table { return body([id, row.displayName, row.phone, row.email, row.organization]) }
      if isBrief { return body([id, row.displayName]) }
      return body([id, row.sectionTitle, row.displayName, row.phone, row.email, row.organization])
    }
  }

  private static func nullTerminated(_ cells: [String]) -> String {
    let safe = cells.map { cell in
      String(String.UnicodeScalarView(cell.unicodeScalars.filter { $0 != "\0" && (cells.count == 1 || $0 != "\t") }))
    }
    return safe.joined(separator: "\t") + "\0"
  }
}

/// The columns that `list --columns` prints for each contact.
struct ContactColumns {
  /// The titles of the columns, which are their names.
  let titles: [String]
  private let columns: [ContactColumn]

  /// Parses names separated by commas: `id,name,phone[mobile]`.
  /// - Throws: `ValidationError` that lists the valid names.
  init(_ text: String) throws {
    titles = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
    columns = try titles.map { title in
      guard let column = ContactColumn(title) else {
        throw ValidationError(strings("Misuse/unknownColumn", title, Localization.shared.list(ContactColumn.allNames)))
      }
      return column
    }
  }

  func cells(_ contact: Contact) -> [String] { columns.map { $0.text(of: contact) } }
}
