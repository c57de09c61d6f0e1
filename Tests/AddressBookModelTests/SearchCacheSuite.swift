import ContactSearch
import Contacts
import Foundation
import Testing

@testable import AddressBookModel
@testable import BookSearching

/// Tests of the cache file of a book's search index.
protocol SearchCacheSuite {
  var folder: TemporaryFolder { get }
}

extension SearchCacheSuite {
  var cacheFolder: String { folder.file("cache/addressbook") }
  var location: StoreLocation { .file(folder.file("book.db"), cacheFolder: cacheFolder) }

  var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: cacheFolder)) ?? []).sorted() }
  var file: String { cacheFolder + "/" + (files.first { $0.hasSuffix(".index") } ?? "none") }

  /// Makes a book of sample contacts with a cached index.
  func makeBook(_ count: Int = 300) throws -> AddressBook {
    let book = try AddressBook.open(at: location)
    try book.bulkWrite { writer in
      for person in SampleContacts(count: count, seed: 3) { try writer.write(person) }
    }
    try book.keepSearchIndex()
    return book
  }

  /// Runs a query, and returns whether its index came from the file and need not be saved again.
  func isUsed(_ book: AddressBook) throws -> Bool {
    let queries = BookQueries(book)
    _ = try queries.find("li")
    let ticket = queries.askedIndex.withLock { $0?.ticket }
    return try #require(ticket).isDue == false
  }

  static var queries: [String] {
    [
      "li", "wxm", "王", "138", "+86", "gmail", "a", "-a", "org:公司", "has:email", "z l", "\"li\"", "note:a", "group:a",
      "",
    ]
  }

  /// Expects that the book finds what an index built without the cache file finds, in the order of the book.
  func expectFresh(_ book: AddressBook, _ extra: [String] = [], _ comment: Comment? = nil) throws {
    let index = SearchIndex()
    try book.store.read { db in _ = try index.rebuild(from: db) }
    let listed = try book.listRows().map(\.id)
    for query in Self.queries + extra {
      let scores = Dictionary(uniqueKeysWithValues: index.search(SearchQuery(query)).map { ($0.id, $0.score) })
      let found = listed.filter { scores[$0] != nil }
      #expect(found.count == scores.count, comment)
      let ranked = Dictionary(grouping: found) { scores[$0] ?? 0 }.sorted { $0.key > $1.key }.flatMap(\.value)
      #expect(try book.find(query).map(\.id) == ranked, comment)
      #expect(try BookQueries(book).ids(matching: query) == found, comment)
    }
  }
}

final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  func add() { lock.withLock { count += 1 } }
  var value: Int { lock.withLock { count } }
}

extension AddressBook {
  func find(_ query: String) throws -> [FoundContact] { try BookQueries(self).find(query) }

  /// Runs a query, and saves the index that answered it.
  func keepSearchIndex() throws {
    let queries = BookQueries(self)
    _ = try queries.find("li")
    queries.keepIndex()
  }
}
