import AddressBookModel
import AddressBookTUI
import BookSearching
import Contacts
import Foundation
import LDAPDirectory
import SystemCalls

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
