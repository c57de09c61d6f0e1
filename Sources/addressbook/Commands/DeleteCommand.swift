import AddressBookModel
import ArgumentParser

/// `addressbook delete`: deletes contacts, all or none. Prints their ids once the change is stored.
struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "delete", abstract: strings("Help/delete"))

  @OptionGroup var book: BookOptions

  @Argument(help: help("references", valueName: "id"))
  var references: [String]

  func run() throws {
    let book = try book.openToChange()
    defer { book.closeAfterWriting() }
    let contacts = try ContactReference.findAll(references, in: book)
    let context = book.newContext()
    for person in try context.persons(contacts.map(\.id)) { try context.delete(person) }
    try context.saveOrFail()
    try StandardOutput.printStored(contacts.map(\.id))
  }
}
