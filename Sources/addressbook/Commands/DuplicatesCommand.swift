import AddressBookModel
import ArgumentParser
import ContactInterchange
import Contacts
import Messages

/// `addressbook duplicates`: lists contacts that are probably duplicates, and why.
struct DuplicatesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "duplicates", abstract: strings("Help/duplicates"))

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
  }

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("duplicatesFormat"))
  var format = Format.table

  func run() throws {
    let book = try book.openToRead()
    defer { book.close() }
    let groups = try book.duplicates()
    let contacts = Dictionary(
      try book.contacts(ids: groups.flatMap(\.ids)).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let output = StandardOutput()
    switch format {
    case .json: printJSON(groups, contacts, output)
    case .table: printTable(groups, contacts, output)
    }
    try output.flush()
    if groups.isEmpty { throw CommandFailure(.nothingFound, strings("Found/noDuplicates")) }
  }

  private func printJSON(_ groups: [DuplicateGroup], _ contacts: [Int64: Contact], _ output: StandardOutput) {
    func members(_ ids: [Int64]) -> String {
      let uids = ids.map { ContactJSON.encode(contacts[$0]?.uid ?? "") }
      return "\"ids\": [\(ids.map(String.init).joined(separator: ", "))], \"uids\": [\(uids.joined(separator: ", "))]"
    }
    let lines = groups.map { group in
      let pairs = group.pairs.map { pair in
        let reasons = pair.reasons.map { ContactJSON.encode($0.rawValue) }.joined(separator: ", ")
        return "{\(members([pair.first, pair.second])), \"reasons\": [\(reasons)]}"
      }
      return "{\(members(group.ids)), \"pairs\": [\(pairs.joined(separator: ", "))]}"
    }
    output.write(lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n")
  }

  /// The contacts of each group together, an empty line between groups.
  private func printTable(_ groups: [DuplicateGroup], _ contacts: [Int64: Contact], _ output: StandardOutput) {
    var table = TextTable(
      titles: ["id", "name", "phone", "email", "reason"].map { strings("Column/" + $0) }, limits: [20, 40, 24, 40, 60])
    let rows = groups.map { group in
      group.ids.map { id -> [String] in
        let reasons = Set(group.pairs.filter { $0.first == id || $0.second == id }.flatMap(\.reasons)).sorted()
        let contact = contacts[id] ?? Contact()
        return [
          String(id), contact.displayName, contact.phones.first?.value ?? "", contact.emails.first?.value ?? "",
          Localization.shared.list(reasons.map { Localization.shared.name(of: $0) }),
        ]
      }
    }
    for row in rows.joined() { table.measure(row) }
    for (index, group) in rows.enumerated() {
      output.line(index == 0 ? table.header : "")
      for row in group { output.line(table.line(row)) }
    }
  }
}
