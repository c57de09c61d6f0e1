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
    let contacts = try book.deletedContacts()
    guard !contacts.isEmpty else { throw CommandFailure(.nothingFound, strings("Found/nothingDeleted")) }
    let output = StandardOutput()
    for contact in contacts { output.line(TabSeparated.row([String(contact.id), contact.displayName])) }
    try output.flush()
    try book.reportDamage()
  }

  private func restore() throws {
    Interruption.watch()
    let book = try book.openToEdit()
    defer { book.close() }
    try TrashCommand.restore(TrashCommand.find(references, in: book), in: book)
  }
}
