import ContactSearch
import GRDB
import Pinyin

/// The search index of a book, kept in a file so that a question need not read everybody first.
///
/// The file may be deleted at any time, and nothing that is wrong with it is ever told: the index is built from the book
/// then. What was written to the book since the file was made is read from the book and put on top, so that an answer is
/// always that of the book as it is now.
final class SearchCache: Sendable {
  /// How an index came about, and whether it should be kept.
  struct Ticket: Sendable {
    fileprivate let origin: CacheFile.Origin
    /// False when the file serves as well.
    let isDue: Bool
  }

  private static let kind = "index"
  /// How the index is packed, how texts are split and folded, and the readings.
  private static let form = BookCache.form("index \(SearchIndex.storedVersion) \(NameCollation.version)")
  private let cache: BookCache

  init(_ cache: BookCache) { self.cache = cache }

  /// Fills an index with the book as a transaction sees it, from the file where it fits.
  /// - Parameters:
  ///   - progress: called now and then with the number of contacts read, when all must be read.
  ///   - isCancelled: asked as often.
  func fill(
    _ index: SearchIndex, _ db: Database, progress: (Int) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws -> Ticket {
    let state = try BookState(db)
    if let ticket = try take(state, into: index, db) { return ticket }
    return try build(index, state, db, progress: progress, isCancelled: isCancelled)
  }

  /// Refills an index whose file changed while it was used; nil when the index is intact.
  func repair(_ index: SearchIndex, _ db: Database) throws -> Ticket? {
    index.isIntact ? nil : try build(index, BookState(db), db)
  }

  /// Fills an index from the book.
  private func build(
    _ index: SearchIndex, _ state: BookState, _ db: Database, progress: (Int) -> Void = { _ in },
    isCancelled: () -> Bool = { false }
  ) throws -> Ticket {
    let documents = try SearchDocuments(db)
    let isComplete = index.rebuild(from: documents, progress: progress, isCancelled: isCancelled)
    if let error = documents.error { throw error }
    return Ticket(origin: CacheFile.Origin(form: Self.form, state: state), isDue: isComplete)
  }

  /// Takes the file and what was written since; nil when it does not fit or so much was written that building is better.
  private func take(_ state: BookState, into index: SearchIndex, _ db: Database) throws -> Ticket? {
    guard let file = try cache.read(Self.kind, form: Self.form, state, db),
      index.load(file.parts.map { SearchIndex.StoredPart(memory: $0.memory, count: $0.count, owner: $0.owner) })
    else { return nil }
    let changes = file.origin.changes + file.changed.count
    // Words that nobody has any more stay in a file that is carried on.
    guard file.changed.count <= 1000 + index.count / 20, changes <= 2000 + index.count / 4 else { return nil }
    let ids = file.changed.sorted()
    for start in stride(from: 0, to: ids.count, by: 500) {
      let page = Array(ids[start..<min(ids.count, start + 500)])
      let documents = try SearchDocuments.of(page, db)
      let found = Set(documents.map(\.id))
      for id in page where !found.contains(id) { index.remove(id) }
      index.upsert(documents)
    }
    guard index.isIntact else { return nil }
    return Ticket(
      origin: CacheFile.Origin(form: Self.form, state: state, changes: changes),
      isDue: ids.count > 250 + index.count / 200)
  }

  /// Writes the file, if that is of use. An index that changed since its ticket was given may be kept too: what the log
  /// has after the ticket is put on top again.
  func keep(_ index: SearchIndex, _ ticket: Ticket) {
    guard ticket.isDue else { return }
    cache.write(Self.kind, ticket.origin, isValid: { index.isIntact }) { write in
      if try index.withStoredParts(write) == nil {
        index.pack()
        _ = try index.withStoredParts(write)
      }
    }
  }
}
