import AddressBookModel
import ArgumentParser

/// `addressbook backup`: the whole book as one file, or the list of the automatic backups.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "backup", abstract: strings("Help/backup"))

  @OptionGroup var book: BookOptions

  @Flag(name: .long, help: help("backupList"))
  var list = false

  @Flag(name: .long, help: help("backupForce"))
  var force = false

  @Argument(help: help("backupFile", valueName: "file"), completion: .file())
  var file: String?

  func validate() throws {
    guard (file == nil) == list else { throw ValidationError(strings("Misuse/backup")) }
    if list, force { throw ValidationError(strings("Misuse/listAndForce")) }
  }

  func run() throws {
    if let file { try make(file) } else { try printList() }
  }

  private func make(_ file: String) throws {
    Interruption.watch()
    let book = try book.openToRead()
    defer { book.close() }
    try book.backUp(to: file, isReplacing: force, isCancelled: { Interruption.wasRequested })
    StandardError.line(strings("Backup/done", count: try book.contactCount()))
  }

  private func printList() throws {
    let location = try book.location()
    let backups = AddressBook.backups(of: location)
    guard !backups.isEmpty else {
      throw CommandFailure(.nothingFound, strings("Backup/none", location.backupFolder ?? ""))
    }
    let rows = backups.map { [$0.made, $0.contacts.map(String.init) ?? "-", String($0.bytes), $0.path] }
    var table = TextTable(
      titles: ["made", "contacts", "bytes", "file"].map { strings("Column/" + $0) }, limits: [40, 20, 20, 4096],
      keepsLast: true)
    for row in rows { table.measure(row) }
    let output = StandardOutput()
    output.line(table.header)
    for row in rows { output.line(table.line(row)) }
    try output.flush()
  }
}
