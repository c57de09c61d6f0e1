import AddressBookModel
import ArgumentParser

/// `addressbook stats`: prints statistics of the book, one number per line or as one JSON object.
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "stats", abstract: strings("Help/stats"))

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("listFormats"))
  var format: ListFormat = .table

  func run() throws {
    let book = try book.openToRead()
    defer { book.close() }
    let statistics = try book.statistics()
    let numbers: [(key: String, value: Int)] = [
      ("contacts", statistics.persons + statistics.organizations), ("people", statistics.persons),
      ("organizations", statistics.organizations), ("deleted", statistics.deleted), ("groups", statistics.groups),
      ("phones", statistics.phones), ("emails", statistics.emails), ("photos", statistics.photos),
      ("birthdays", statistics.birthdays), ("bytes", statistics.bytes),
    ]
    let output = StandardOutput()
    switch format {
    case .table:
      let width = numbers.map { TextTable.width(strings("Stats/" + $0.key)) }.max() ?? 0
      for (key, value) in numbers {
        output.line(TextTable.padded(strings("Stats/" + key), to: width) + "  " + String(value))
      }
    case .tsv: for (key, value) in numbers { output.line(TabSeparated.row([strings("Stats/" + key), String(value)])) }
    case .json, .jsonl: output.line(JSON.object(numbers.map { ($0.key, .number($0.value)) }).line)
    }
    try output.flush()
    try book.checkGroups()
    try book.checkIndexes()
    try book.reportDamage()
  }
}
