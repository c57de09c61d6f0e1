import AddressBookModel
import ArgumentParser
import Foundation
import Glibc
import SystemCalls

/// The book that a command uses; these options may come before or after the name of the command.
struct BookOptions: ParsableArguments {
  @Option(name: .long, help: help("book", valueName: "path"), completion: .file())
  var book: String?

  @Flag(name: .customLong("sql-trace"), help: help("sqlTrace"))
  var tracesSQL = false

  func location() throws -> StoreLocation { try Self.location(book) }

  /// Opens the book for writing; creates it if necessary.
  /// - Throws: `CommandFailure` for a directory, which is read-only.
  func openToChange() throws -> AddressBook {
    if let address = Self.directoryAddress(book) {
      throw CommandFailure(.failed, strings("Directory/readOnly", address))
    }
    return try open(.readWrite)
  }

  /// Opens a book for changing what is in it. No book is created: without one, there is nothing to change.
  func openToEdit() throws -> AddressBook {
    let isMissing = try Self.directoryAddress(book) == nil && !exists()
    return try isMissing ? openToRead() : openToChange()
  }

  func openToRead() throws -> AddressBook { try open(.readOnly) }

  /// Opens the book for a dry run: an in-memory one if there is no file yet, so that none is created.
  func openForTrial() throws -> AddressBook {
    try exists() ? openToChange() : AddressBook.inMemory()
  }

  private func exists() throws -> Bool { try Self.resolve(book).path.map { access($0, F_OK) == 0 } ?? true }

  private func open(_ mode: AddressBook.Mode) throws -> AddressBook {
    try Self.open(book, tracesSQL: tracesSQL, mode)
  }

  /// Opens the book at a path; without one, that of `ADDRESSBOOK_FILE`, or else the default book.
  static func open(_ path: String?, tracesSQL: Bool, _ mode: AddressBook.Mode) throws -> AddressBook {
    let location = try location(path)
    let book =
      tracesSQL
      ? try AddressBook.open(at: location, mode: mode) { StandardError.line($0) }
      : try AddressBook.open(at: location, mode: mode)
    if let log = book.renamedLog { StandardError.say(strings("Notice/foreignLog", log)) }
    return book
  }

  private static func location(_ path: String?) throws -> StoreLocation {
    let location = try resolve(path)
    RootNotice.say(location)
    return location
  }

  /// The location of the book, without the warning of ``RootNotice``.
  /// - Throws: `CommandFailure` for a directory, which is not a file.
  static func resolve(_ path: String?) throws -> StoreLocation {
    if let address = directoryAddress(path) { throw CommandFailure(.misuse, strings("Directory/unsupported", address)) }
    return try StoreLocation.resolve(book: path)
  }

  /// The location of the user's own book, to which entries of a directory are copied: `ADDRESSBOOK_FILE` unless that
  /// names a directory, or else the default book.
  static func resolveOwn() throws -> StoreLocation {
    var environment = ProcessEnvironment.values(of: StoreLocation.variables)
    if directoryAddress(nil) != nil { environment["ADDRESSBOOK_FILE"] = nil }
    return try StoreLocation.resolve(book: nil, environment: environment)
  }
}

/// The output formats of a listing.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
  case table
  case tsv
  case json
  /// One object per line.
  case jsonl
}
