import ContactSearch
import Contacts
import GRDB

/// The search index of a book that was empty before an import, built while the contacts are written, because reading
/// them back would take as long.
final class NewBookIndex {
  private let index = SearchIndex()
  /// Contacts that were written again after they had been added.
  private var rewritten: Set<Int64> = []
  private var ticket: SearchCache.Ticket?

  /// Adds a contact that was inserted.
  /// - Parameters:
  ///   - name: its display name.
  ///   - groups: its groups as the book has them.
  func add(_ contact: Contact, id: Int64, name: String, groups: [String], hasPhoto: Bool) {
    var document = contact.searchDocument
    document.id = id
    document.name = name
    document.groups = groups
    document.hasPhoto = hasPhoto
    index.upsert(document)
  }

  /// Records that a contact was written again, so that ``finish(_:_:)`` rereads it.
  func rewrite(_ id: Int64) { rewritten.insert(id) }

  /// Brings the index up to date with the book at the end of the import's transaction.
  func finish(_ db: Database, _ cache: SearchCache) throws {
    let ids = rewritten.sorted()
    for start in stride(from: 0, to: ids.count, by: 500) {
      index.upsert(try SearchDocuments.of(Array(ids[start..<min(ids.count, start + 500)]), db))
    }
    ticket = try cache.ticket(db)
  }

  /// Writes the file, after the commit.
  func keep(_ cache: SearchCache) {
    if let ticket { cache.keep(index, ticket) }
  }
}
