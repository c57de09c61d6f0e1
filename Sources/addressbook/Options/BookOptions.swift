import AddressBookModel
import ArgumentParser
import Foundation

/// Which book a command works on; every command has these options, before or after its name.
struct BookOptions: ParsableArguments {
  @Option(name: .long, help: help("book", valueName: "path"), completion: .file())
  var book: String?

  @Flag(name: .customLong("sql-trace"), help: help("sqlTrace"))
  var tracesSQL = false

  /// Where the book is.
  func location() throws -> StoreLocation {
    try StoreLocation.resolve(book: book, environment: ProcessInfo.processInfo.environment)
  }

  /// Opens the book to change it; makes it when there is none.
  func openToChange() throws -> AddressBook { try open(.readWrite) }

  /// Opens the book to look at it.
  func openToRead() throws -> AddressBook { try open(.readOnly) }

  private func open(_ mode: AddressBook.Mode) throws -> AddressBook {
    guard tracesSQL else { return try AddressBook.open(at: location(), mode: mode) }
    return try AddressBook.open(at: location(), mode: mode) { StandardError.line($0) }
  }
}
