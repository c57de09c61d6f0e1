import AddressBookModel
import AddressBookTUI
import ArgumentParser
import BookCare
import BookSearching
import Contacts
import Foundation
import Glibc
import LDAPDirectory
import Messages
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

extension AddressBook {
  /// Closes a book that a command opened for writing or, in a dry run, only for trying.
  func close(isDryRun: Bool) { isDryRun ? close() : closeAfterWriting() }

  /// Closes a book that a command opened for writing. A small book first gets the day's backup, if it has none yet; the
  /// full-screen interface backs up large ones. Then, unless the backup failed, contacts deleted too long ago are
  /// removed. If either fails, the command still succeeds.
  func closeAfterWriting() {
    defer { close() }
    do {
      let backup = AutomaticBackup(of: self, keeping: PersonalSettings.backups)
      if backup.isFast { try backup.run(on: CalendarDay(at: time(nil))) }
    } catch {
      return sayIfTerminal(strings("Backup/automaticFailed", BackupMessage.text(of: error, in: .shared)))
    }
    let days = PersonalSettings.trashDays
    guard days > 0 else { return }
    do {
      try emptyTrash(olderThanDays: days)
    } catch {
      sayIfTerminal(error.message(in: .shared))
    }
  }

  /// Prints a message only on a terminal, because a program that runs the command would take it to be about the change.
  private func sayIfTerminal(_ message: String) {
    if StandardError.isTerminal { StandardError.say(message) }
  }
}

extension AddressBook {
  /// Makes a command fail, after its output, if it read damaged contacts or an incomplete list.
  /// - Throws: `CommandFailure`.
  func reportDamage() throws {
    let ids = damage.contacts
    if !ids.isEmpty {
      let shown = ids.prefix(20).map(String.init) + (ids.count > 20 ? ["…"] : [])
      throw CommandFailure(.failed, strings("Failed/damaged", Localization.shared.list(shown)))
    }
    if damage.isListIncomplete { throw CommandFailure(.failed, strings("Failed/incompleteList")) }
  }

  /// Refuses to change contacts that were read and are damaged: the save would give them a new checksum, by which nobody
  /// notices the damage.
  func refuseDamage(of ids: [Int64]) throws {
    guard let id = ids.first(where: damage.has) else { return }
    throw CommandFailure(.failed, strings("Failed/changeDamaged", id))
  }
}

/// Warns when root works in another user's folder, as with `sudo -E`: files created there belong to root, and the
/// folder's owner cannot write them later.
enum RootNotice {
  static func say(_ location: StoreLocation) {
    guard geteuid() == 0 else { return }
    for path in [location.path, location.cacheFolder].compactMap(\.self) {
      guard let owner = owner(path), owner != 0 else { continue }
      StandardError.say(strings("Notice/root", path))
      return
    }
  }

  /// The owner of a file, or of the nearest folder above it that exists.
  private static func owner(_ path: String) -> uid_t? {
    var path = path
    while !path.isEmpty {
      if let status = stat(of: path) { return status.st_uid }
      guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
      path = String(path[..<slash])
    }
    return nil
  }
}

/// A book to read: a file, or the results of a search in a directory, as a book in memory.
struct BookToRead {
  let queries: BookQueries
  /// The answer of a directory; nil for a file.
  let answer: DirectoryAnswer?

  fileprivate init(_ book: AddressBook, _ answer: DirectoryAnswer? = nil) {
    queries = BookQueries(book)
    self.answer = answer
  }

  var book: AddressBook { queries.book }

  /// The contacts that match the words and the condition, in section order; nil for all.
  func idsInOrder(_ search: SearchArguments, where condition: ConditionArguments) throws -> [Int64]? {
    guard let answer else { return try search.idsInOrder(queries, where: condition) }
    return try answer.ids(in: book, where: condition)
  }

  /// The contacts that match the words and the condition, best first. A directory does not rank its results; those that
  /// a search of a book would find come first.
  func ranked(
    _ search: SearchArguments, where condition: ConditionArguments? = nil, withEmail: Bool = false,
    explaining: Bool = false
  ) throws -> [FoundContact] {
    guard let answer else {
      guard let condition else { return try search.ranked(queries, withEmail: withEmail, explaining: explaining) }
      return try search.ranked(queries, where: condition, withEmail: withEmail, explaining: explaining)
    }
    let ids = try answer.ids(in: book, where: condition)
    let best = search.isEmpty ? [] : try search.ranked(queries, withEmail: withEmail, explaining: explaining)
    let found = Set(ids)
    let ranked = best.filter { found.contains($0.id) }
    let known = Set(ranked.map(\.id))
    return ranked + ids.filter { !known.contains($0) }.map { FoundContact(id: $0) }
  }

  /// Saves the search index for the next search, and closes the book.
  func close() {
    if answer == nil { queries.keepIndex() }
    book.close()
  }

  /// Reports at the end of a command that contacts that it read are damaged, or that a directory did not send
  /// everything.
  /// - Throws: `CommandFailure`.
  func reportProblems() throws {
    guard let answer else { return try book.reportDamage() }
    if answer.isCut { throw CommandFailure(.incomplete, strings("Directory/cut", answer.host)) }
  }
}

struct DirectoryAnswer {
  let host: String
  /// True if the directory may have more results than it sent.
  let isCut: Bool

  fileprivate func ids(in book: AddressBook, where condition: ConditionArguments?) throws -> [Int64] {
    let all = try book.listRows().map(\.id)
    guard let allowed = try condition?.ids(in: book).map(Set.init) else { return try book.idsInOrder(of: all) }
    return try book.idsInOrder(of: all.filter(allowed.contains))
  }
}

extension BookOptions {
  /// Opens the book for reading. A directory is searched first, and its results become the book.
  /// - Parameters:
  ///   - search: what to search for; a directory does not support its fuzzy and T9 options.
  ///   - limit: the maximum number of contacts to request from a directory; 0 for as many as it sends.
  ///   - withPhotos: whether to request photos from a directory.
  func openToRead(
    _ login: LoginOptions, _ directory: DirectoryOptions, _ search: SearchArguments, limit: Int = 0, withPhotos: Bool
  ) throws -> BookToRead {
    guard let address = Self.directoryAddress(book) else { return BookToRead(try openToRead()) }
    if search.fuzzy || search.t9 { throw CommandFailure(.misuse, strings("Directory/noFuzzy")) }
    let access = try directory.access(to: address, as: login)
    var found: [DirectoryContact] = []
    let answer: DirectoryConnection.Answer
    do {
      answer = try DirectoryConnection(access).search(
        search.text, limit: limit, withPhotos: withPhotos, isCancelled: { false }
      ) { found += $0 }
    } catch {
      throw CommandFailure(error, host: access.url.host)
    }
    let memory = try AddressBook.inMemory()
    try memory.bulkWrite { writer in
      for entry in found { try writer.write(entry.contact, photo: entry.picture.flatMap { Photo(showing: $0) }) }
    }
    return BookToRead(memory, DirectoryAnswer(host: access.url.host, isCut: answer.isCut))
  }

  /// The address of a directory that `--book`, or else `ADDRESSBOOK_FILE`, names; nil for a file.
  static func directoryAddress(_ path: String?) -> String? {
    guard let named = path.flatMap({ $0.isEmpty ? nil : $0 }) ?? ProcessEnvironment["ADDRESSBOOK_FILE"] else {
      return nil
    }
    return DirectoryURL.hasLDAPScheme(named) ? named : nil
  }
}
