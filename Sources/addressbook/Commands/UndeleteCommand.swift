import AddressBookModel
import ArgumentParser

/// `addressbook undelete`: restores deleted contacts; without an id, lists the 1,000 most recently deleted ones, the
/// latest first.
struct UndeleteCommand: ReferenceCommand {
  static let configuration = CommandConfiguration(commandName: "undelete", abstract: strings("Help/undelete"))

  @OptionGroup var book: BookOptions

  @Argument(help: help("deletedReferences", valueName: "id"))
  var references: [String] = []

  func run() throws {
    try references.isEmpty ? list() : restore()
  }

  private func list() throws {
    let book = try book.openToRead()
    defer { book.close() }
    let output = StandardOutput()
    var isEmpty = true
    try book.forEachDeleted { contact in
      isEmpty = false
      output.line(TabSeparated.row([String(contact.id), contact.displayName]))
      return !output.hasFailed
    }
    try output.flush()
    try book.checkDeleted()
    try book.reportDamage()
    if isEmpty { throw CommandFailure(.nothingFound, strings("Found/nothingDeleted")) }
  }

  private func restore() throws {
    Interruption.watch()
    let book = try book.openToEdit()
    defer { book.close() }
    try TrashCommand.restore(TrashCommand.find(references, in: book), in: book)
  }
}
