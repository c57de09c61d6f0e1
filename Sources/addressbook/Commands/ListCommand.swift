import AddressBookModel
import ArgumentParser
import ContactInterchange
import Contacts

/// `addressbook list`: lists all contacts, or those that match, in section order or sorted by another value.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: strings("Help/list"))

  @OptionGroup var book: BookOptions

  @OptionGroup var login: LoginOptions

  @OptionGroup var directory: DirectoryOptions

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
    let output = StandardOutput()
    let found = try source.idsInOrder(search, where: condition)
    let isStoredOrder = sort == .name && !reverse
    let ids = isStoredOrder ? found : try book.ids(found, sortedBy: sort, isReversed: reverse)
    if !isStoredOrder { try book.checkIndexes() }
    let rows = ContactRows(book: book, ids: ids, columns: columns)
    switch format ?? (endsWithNull ? .tsv : .table) {
    case .json: try JSONContacts.writeArray(of: book, ids, to: output)
    case .jsonl:
      try book.forEachEncoded(ids: ids) { contact, _, bytes in
        JSONContacts.append(contact, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
      } _: { line in
        output.write(text: line)
        return !output.hasFailed
      }
    case .tsv:
      try rows.forEach { cells in
        output.write(line(cells))
        return !output.hasFailed
      }
    case .table: try rows.printTable(output)
    }
    try output.flush()
    if source.answer == nil { try source.reportProblems() }
    if let found, found.isEmpty { throw CommandFailure.nothingFound(condition.description(with: search)) }
    try source.reportProblems()
  }

  /// A line of output. If it ends with NUL, cells may contain line ends, and a single cell may also contain tabs.
  private func line(_ cells: [String]) -> String {
    guard endsWithNull else { return TabSeparated.row(cells) + "\n" }
    let safe = cells.map { cell in
      String(String.UnicodeScalarView(cell.unicodeScalars.filter { $0 != "\0" && (cells.count == 1 || $0 != "\t") }))
    }
    return safe.joined(separator: "\t") + "\0"
  }
}

extension ContactSortOrder: ExpressibleByArgument {}

/// The contacts of a listing as rows of cells.
private struct ContactRows {
  let book: AddressBook
  let ids: [Int64]?
  let columns: ContactColumns?

  /// Calls the body with the cells of each contact: id, section, name, phone, email and organization by default.
  /// - Parameter body: returns false to stop.
  func forEach(_ body: ([String]) -> Bool) throws {
    if let columns {
      try book.forEachEncoded(ids: ids) { stored, _, bytes in
        for cell in columns.cells(stored.contact) { PackedTexts.append(cell, to: &bytes) }
      } _: { cells in
        body(PackedTexts.texts(in: cells))
      }
      return
    }
    try book.forEachRow(ids: ids) { row in
      body([String(row.id), row.sectionTitle, row.displayName, row.phone, row.email, row.organization])
    }
  }

  /// Prints the contacts in columns; they are read twice, first for the widths.
  func printTable(_ output: StandardOutput) throws {
    let names = ["id", "name", "phone", "email", "organization"]
    var table = TextTable(
      titles: columns?.titles ?? names.map { strings("Column/" + $0) },
      limits: columns.map { Array(repeating: 60, count: $0.titles.count) } ?? [20, 40, 24, 40, 40])
    try forEachLine { cells in
      table.measure(cells)
      return true
    }
    guard !table.isEmpty else { return }
    output.line(table.header)
    try forEachLine { cells in
      output.line(table.line(cells))
      return !output.hasFailed
    }
  }

  private func forEachLine(_ body: ([String]) -> Bool) throws {
    guard columns == nil else { return try forEach(body) }
    try book.forEachRow(ids: ids) { body([String($0.id), $0.displayName, $0.phone, $0.email, $0.organization]) }
  }
}
