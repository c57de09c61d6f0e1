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
      columns: [Column("made", 40), Column("contacts", 20), Column("bytes", 20), Column("file", 4096)], keepsLast: true,
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
