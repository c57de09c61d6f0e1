import AddressBookModel
import ContactSearch
import GRDB
import Pinyin

/// The search index of a book, cached in a file: a query need not read all contacts first.
///
/// The file may be deleted at any time, and problems with it are never reported: the index is then built from the book.
/// Contacts that were written since the file was made are read from the book and replaced in the index: a result always
/// reflects the present book.
final class SearchCache: Sendable {
  /// How an index was made, and whether it should be saved.
  struct Ticket: Sendable {
    fileprivate let origin: CacheFile.Origin
    /// True if the index was built from the book, or differs from the file by many contacts.
    let isDue: Bool
    /// The order of the contacts in the file; nil without a file.
    var order: StoredOrder?
    /// The contacts that were written since the file was made, if the index is for one answer and lacks them.
    var recent: SearchIndex?
  }

  private static let kind = "index"
  /// The version of the packed format, of splitting and folding, and of the readings.
  private static let form = BookCache.form("ordered index \(SearchIndex.storedVersion) \(NameCollation.version)")
  private let cache: BookCache

  init(_ cache: BookCache) { self.cache = cache }

  /// Fills an index with the book as seen by a transaction, from the file if it is valid.
  /// - Parameters:
  ///   - isForOneAnswer: true to map the file (``CacheFile/read(_:isMapped:)``), and to keep what was written since apart
  ///     (``Ticket/recent``).
  ///   - progress: called from time to time with the number of contacts read, if all must be read.
  func fill(
    _ index: SearchIndex, _ db: Database, isForOneAnswer: Bool = false, progress: (Int) -> Void = { _ in }
  ) throws -> Ticket {
    let state = try BookState(db)
    if let ticket = try load(state, into: index, db, isMapped: isForOneAnswer) { return ticket }
    return try build(index, state, db, progress: progress)
  }

  /// Returns a ticket for an index that contains the book as seen by a transaction.
  func ticket(_ db: Database) throws -> Ticket {
    Ticket(origin: CacheFile.Origin(form: Self.form, state: try BookState(db)), isDue: true)
  }

  /// Fills an index from the book.
  private func build(
    _ index: SearchIndex, _ state: BookState, _ db: Database, progress: (Int) -> Void = { _ in }
  ) throws -> Ticket {
    let isComplete = try index.rebuild(from: db, progress: progress)
    return Ticket(origin: CacheFile.Origin(form: Self.form, state: state), isDue: isComplete)
  }

  /// Loads the file and the contacts written since; nil if it is not valid, or if rebuilding is better after that many
  /// writes.
  private func load(_ state: BookState, into index: SearchIndex, _ db: Database, isMapped: Bool) throws -> Ticket? {
    guard let file = try cache.read(Self.kind, form: Self.form, state, db, isMapped: isMapped),
      let places = file.parts.last,
      let order = StoredOrder(ids: file.parts[0], places: places, changed: file.changed),
      index.load(file.parts.dropLast())
    else { return nil }
    let changes = file.origin.changes + file.changed.count
    // Unused words accumulate in a file that is updated again and again.
    guard file.changed.count <= 1000 + index.count / 20, changes <= 2000 + index.count / 4 else { return nil }
    let ids = file.changed.sorted()
    let isDue = ids.count > 250 + index.count / 200
    // Adding a contact to an index copies arrays of the file, which takes a third of the time of an answer.
    let recent = isMapped && !isDue ? SearchIndex() : nil
    for page in ids.batches(of: 500) {
      let documents = try SearchDocument.of(page, db)
      index.replace(page, with: recent == nil ? documents : [])
      recent?.upsert(documents)
    }
    return Ticket(
      origin: CacheFile.Origin(form: Self.form, state: state, changes: changes), isDue: isDue, order: order,
      recent: recent)
  }

  /// Writes the file, if that is useful. An index that changed since its ticket was made may be saved too: the lines of
  /// the log after the ticket are applied again when the file is read.
  func keep(_ index: SearchIndex, _ ticket: Ticket) {
    guard ticket.isDue else { return }
    cache.write(Self.kind, ticket.origin) { write in
      func writeWithOrder(_ parts: [UnsafeRawBufferPointer]) throws {
        let places = try cache.places(of: parts[0].assumingMemoryBound(to: Int64.self))
        try places.withUnsafeBytes { try write(parts + [$0]) }
      }
      if try index.withStoredParts(writeWithOrder) == nil {
        index.pack()
        _ = try index.withStoredParts(writeWithOrder)
      }
    }
  }
}
