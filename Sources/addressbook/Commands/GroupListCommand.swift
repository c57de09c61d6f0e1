import AddressBookModel
import ArgumentParser
import BookSearching
import ContactInterchange
import Contacts

extension GroupCommand {
  /// `addressbook group list [NAME]`: lists all groups with their number of contacts, or the contacts of one.
  struct List: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
      case tsv, json
    }

    static let configuration = CommandConfiguration(commandName: "list", abstract: strings("Help/group.list"))

    @OptionGroup var book: BookOptions

    @Option(name: .long, help: help("groupFormat"))
    var format = Format.tsv

    @Argument(help: help("groupToList", valueName: "name"))
    var name: String?

    func run() throws {
      let book = try book.openToRead()
      let queries = BookQueries(book)
      defer {
        queries.keepIndex()
        book.close()
      }
      let output = StandardOutput()
      if let name {
        try list(members(of: name, queries), of: book, output)
      } else {
        try listGroups(queries, output)
      }
      try output.flush()
      try book.checkGroups()
      try book.checkIndexes()
      try book.reportDamage()
    }

    private func members(of name: String, _ queries: BookQueries) throws -> [Int64] {
      let book = queries.book
      if let group = try book.groups().first(where: { $0.name == name }) {
        return try Array(book.memberIDs(ofGroup: group.id))
      }
      guard let group = try book.smartGroup(namedOneOf: [name]) else { throw GroupCommand.noGroup(name) }
      return try book.idsInOrder(of: queries.ids(foundBy: group.rule))
    }

    private func list(_ ids: [Int64], of book: AddressBook, _ output: StandardOutput) throws {
      if format == .json { return try JSONContacts.writeArray(of: book, ids, to: output) }
      try book.forEachRow(ids: ids) { row in
        output.line(TabSeparated.row([String(row.id), row.displayName]))
        return !output.hasFailed
      }
    }

    private func listGroups(_ queries: BookQueries, _ output: StandardOutput) throws {
      let groups = try queries.book.groups()
      let smart = try queries.book.smartGroups().map { ($0, try queries.ids(foundBy: $0.rule).count) }
      guard format == .json else {
        for group in groups { output.line(TabSeparated.row([String(group.count), group.name])) }
        for (group, count) in smart {
          output.line(TabSeparated.row([String(count), group.name, "smart", Self.text(of: group.rule)]))
        }
        return
      }
      let items =
        groups.map { Self.object($0.name, $0.count, "group") }
        + smart.map { Self.object($0.0.name, $0.1, "smart", $0.0.rule) }
      var array = JSONArrayLines()
      output.write("[")
      for item in items { output.write(array.separator + item) }
      output.write(array.end)
    }

    private static func text(of rule: SmartGroup.Rule) -> String {
      if case .condition(let text) = rule { "where " + text } else { rule.text }
    }

    private static func object(
      _ name: String, _ count: Int, _ kind: String, _ rule: SmartGroup.Rule? = nil
    ) -> String {
      var members = [
        ("name", ContactJSON.encode(name)), ("count", String(count)), ("kind", ContactJSON.encode(kind)),
      ]
      switch rule {
      case .search(let text): members.append(("search", ContactJSON.encode(text)))
      case .condition(let text): members.append(("condition", ContactJSON.encode(text)))
      case nil: break
      }
      return "{" + members.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
    }
  }
}
