import AddressBookModel
import ArgumentParser
import BookCare

/// `addressbook backup FILE`: the whole book as one file; `addressbook backup list`: the automatic backups.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "backup", abstract: strings("Help/backup"))

  @OptionGroup var book: BookOptions

  /// The old spelling of `backup list`.
  @Flag(name: .customLong("list"), help: .hidden)
  var lists = false

  @Flag(name: .long, help: help("backupForce"))
  var force = false

  @Option(name: .long, help: help("backupFormat"))
  var format: ListFormat = .table

  @Argument(help: help("backupFile", valueName: "file"), completion: .file())
  var file: String?

  func validate() throws {
    guard (file == nil) == lists, !(lists && force) else { throw ValidationError(strings("Misuse/backup")) }
  }

  func run() throws {
    if let file, file != "list" { try make(file) } else { try list() }
  }

  private func make(_ file: String) throws {
    Interruption.watch()
    let book = try book.openToRead()
    defer { book.close() }
    try book.backUp(to: file, isReplacing: force, isCancelled: { Interruption.wasRequested })
    StandardError.line(strings("Backup/done", count: try book.contactCount()))
  }

  /// Lists the automatic backups, the newest first.
  private func list() throws {
    let location = try book.location()
    let listing = Listing<BackupSummary>(
      columns: [Column("made", 40), Column("contacts", 20), Column("bytes", 20), Column("file", 4096)],
      endsWithPath: true,
      rows: { [[$0.made, $0.contacts.map(String.init) ?? "-", String($0.bytes), $0.path]] },
      json: {
        .object([
          ("made", .text($0.made)), ("contacts", $0.contacts.map(JSON.number) ?? .null),
          ("bytes", .number(Int($0.bytes))), ("path", .text($0.path)),
        ])
      })
    try listing.print(
      format, AddressBook.backups(of: location), empty: strings("Backup/none", location.backupFolder ?? ""))
  }
}

/// `addressbook restore`: replaces the book with a backup; the previous book is kept under another name.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "restore", abstract: strings("Help/restore"))

  @OptionGroup var book: BookOptions

  @Argument(help: help("restoreFile", valueName: "file"), completion: .file())
  var file: String

  func run() throws {
    Interruption.watch()
    let result = try BookRestore.run(
      from: file, to: try book.location(), isCancelled: { Interruption.wasRequested })
    StandardError.line(strings("Restore/done", count: result.contacts))
    if let kept = result.kept { StandardError.line(strings("Restore/kept", kept)) }
  }
}

/// `addressbook demo`: adds sample contacts to the book, the same ones for the same number and seed.
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "demo", abstract: strings("Help/demo"))

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("contacts", valueName: "number"))
  var contacts = 500

  /// The old name of `--contacts`.
  @Option(name: .long, help: .hidden)
  var people: Int?

  @Option(name: .long, help: help("seed", valueName: "number"))
  var seed: UInt64 = 7

  func validate() throws {
    guard (1...2_000_000).contains(count) else { throw ValidationError(strings("Misuse/contacts", count)) }
  }

  private var count: Int { people ?? contacts }

  func run() throws {
    let book = try book.openToChange()
    defer { book.closeAfterWriting() }
    let added = try book.bulkWrite(as: StepName(.samples)) { writer in
      for person in SampleContacts(count: count, seed: seed) { try writer.write(person) }
      return writer.added
    }
    StandardError.line(strings("Demo/done", count: added))
    try book.refreshSearchIndex()
  }
}

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
