import AddressBookModel
import ArgumentParser

/// `addressbook delete`: deletes contacts, all or none. Prints their ids once the change is stored.
struct DeleteCommand: ReferenceCommand {
  static let configuration = CommandConfiguration(commandName: "delete", abstract: strings("Help/delete"))

  @OptionGroup var book: BookOptions

  @Argument(help: help("references", valueName: "id"))
  var references: [String]

  func run() throws {
    let book = try book.openToEdit()
    defer { book.closeAfterWriting() }
    let ids = try ContactReference.findAll(references, in: book)
    _ = try book.bulkEdit(ids, .delete, as: nil)
    try StandardOutput.printStored(ids)
  }
}
