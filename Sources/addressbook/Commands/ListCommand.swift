import AddressBookModel
import ArgumentParser

/// `addressbook list`: lists all contacts, or those that match, in section order.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: strings("Help/list"))

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("listFormat"))
  var format: ListFormat = .table

  @OptionGroup var condition: ConditionArguments

  @OptionGroup var search: SearchArguments

  func run() throws {
    let book = try book.openToRead()
    defer {
      book.keepSearchIndex()
      book.close()
    }
    let output = StandardOutput()
    let ids = try search.idsInOrder(of: book, where: condition)
    switch format {
    case .json: try printJSON(book, ids, output)
    case .tsv:
      try book.forEachRow(ids: ids) { row in
        output.line(TabSeparated.row(Self.cells(row)))
        return !output.hasFailed
      }
    case .table: try printTable(book, ids, output)
    }
    try output.flush()
    try book.reportDamage()
    if let ids, ids.isEmpty { throw CommandFailure.nothingFound(condition.description(with: search)) }
  }

  private func printJSON(_ book: AddressBook, _ ids: [Int64]?, _ output: StandardOutput) throws {
    var isFirst = true
    output.write("[")
    try book.forEachContact(ids: ids) { contact in
      output.write(isFirst ? "\n" : ",\n")
      isFirst = false
      output.write(JSONContacts.text(contact))
      return !output.hasFailed
    }
    output.write(isFirst ? "]\n" : "\n]\n")
  }

  private func printTable(_ book: AddressBook, _ ids: [Int64]?, _ output: StandardOutput) throws {
    var table = TextTable(
      titles: ["id", "name", "phone", "email", "organization"].map { strings("Column/" + $0) },
      limits: [20, 40, 24, 40, 40])
    try book.forEachRow(ids: ids) { row in
      table.measure(Self.tableCells(row, isDamaged: book.damage.has(row.id)))
      return true
    }
    guard !table.isEmpty else { return }
    output.line(table.header)
    try book.forEachRow(ids: ids) { row in
      output.line(table.line(Self.tableCells(row, isDamaged: book.damage.has(row.id))))
      return !output.hasFailed
    }
  }

  /// Id, section, name, phone, email, organization.
  private static func cells(_ row: ContactRow) -> [String] {
    [
      String(row.id), row.sectionTitle, row.displayName, row.phone, row.email, row.organization,
    ]
  }

  private static func tableCells(_ row: ContactRow, isDamaged: Bool) -> [String] {
    [
      String(row.id), (isDamaged ? strings("Show/damagedMark") : "") + row.displayName, row.phone, row.email,
      row.organization,
    ]
  }
}
