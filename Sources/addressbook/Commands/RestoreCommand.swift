import AddressBookModel
import ArgumentParser
import BookCare

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
