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
  func location() throws -> StoreLocation { try Self.location(book) }

  /// Opens the book to change it; makes it when there is none.
  func openToChange() throws -> AddressBook { try open(.readWrite) }

  /// Opens the book to look at it.
  func openToRead() throws -> AddressBook { try open(.readOnly) }

  private func open(_ mode: AddressBook.Mode) throws -> AddressBook {
    try Self.open(book, tracesSQL: tracesSQL, mode)
  }

  /// Opens the book of a path, or without one the person's own.
  static func open(_ path: String?, tracesSQL: Bool, _ mode: AddressBook.Mode) throws -> AddressBook {
    let location = try location(path)
    guard tracesSQL else { return try AddressBook.open(at: location, mode: mode) }
    return try AddressBook.open(at: location, mode: mode) { StandardError.line($0) }
  }

  private static func location(_ path: String?) throws -> StoreLocation {
    try StoreLocation.resolve(book: path, environment: ProcessInfo.processInfo.environment)
  }
}

/// What a listing is printed as.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
  case table
  case tsv
  case json
}

/// What cards are read from and written to.
enum CardFormat: String, ExpressibleByArgument, CaseIterable {
  case vcard
  case json
}
