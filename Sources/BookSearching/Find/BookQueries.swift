import AddressBookModel
import ContactSearch
import GRDB
import Glibc
import Synchronization

/// Queries of a command, which runs one: the index comes from the cache file, or is built for the query. A screen that
/// searches as you type keeps a ``BookSearch``.
public final class BookQueries: Sendable {
  /// The book that is searched.
  public let book: AddressBook
  private let cache: SearchCache
  private let mailLineCache: MailLineCache
  /// The index that answered the last query, until it is saved.
  let askedIndex = Mutex<(index: SearchIndex, ticket: SearchCache.Ticket)?>(nil)

  /// Queries of a book; nothing is read yet.
  public init(_ book: AddressBook) {
    self.book = book
    let files = BookCache(store: book.store)
    cache = SearchCache(files)
    mailLineCache = MailLineCache(files, store: book.store)
  }

  /// Returns the contacts that match a query, best first, equally good ones in the order of the list.
  /// - Parameters:
  ///   - query: the words, in the syntax of `SearchQuery`.
  ///   - fuzzy: treats commonly confused sounds as equal.
  ///   - t9: lets digits also match the letters on their phone keys.
  ///   - withEmail: true to find only contacts that have an email address.
  ///   - correcting: true to forgive one typing error if nothing is found.
  ///   - explaining: true to include where each contact matches, which takes longer.
  public func find(
    _ query: String, fuzzy: Bool = false, t9: Bool = false, withEmail: Bool = false, correcting: Bool = false,
    explaining: Bool = false
  ) throws(StoreError) -> [FoundContact] {
    let options = SearchOptions(fuzzy: fuzzy, t9: t9)
    return try book.store.read { db in
      let (hits, order, isCorrected) = try hits(
        SearchQuery(query, options: options, withEmail: withEmail), correcting: correcting, db)
      let ranked = try Self.ranked(hits, order, db)
      func found(_ hit: SearchHit, _ matches: [ContactMatch] = []) -> FoundContact {
        FoundContact(id: hit.id, score: hit.score, matches: matches, isCorrected: isCorrected)
      }
      guard explaining else { return ranked.map { found($0) } }
      var result: [FoundContact] = []
      result.reserveCapacity(ranked.count)
      let matcher = ContactMatcher(query, options: options, corrected: isCorrected)
      let loader = ContactLoader(db, damage: book.store.damage)
      for page in ranked.batches(of: 500) {
        for (hit, contact) in zip(page, try loader.load(page.map(\.id))) {
          result.append(found(hit, matcher.matches(in: contact)))
        }
      }
      return result
    }
  }

  /// Returns the ids of the contacts that match a query, in the order of the list; see ``find(_:fuzzy:t9:withEmail:correcting:explaining:)``.
  public func ids(matching query: String, fuzzy: Bool = false, t9: Bool = false) throws(StoreError) -> [Int64] {
    try book.store.read { db in
      let query = SearchQuery(query, options: SearchOptions(fuzzy: fuzzy, t9: t9))
      let (hits, order, _) = try hits(query, correcting: false, db)
      return try Self.placed(hits, order, db).sorted { $0.place < $1.place }.map(\.hit.id)
    }
  }

  private func hits(
    _ query: SearchQuery, correcting: Bool, _ db: Database
  ) throws -> (hits: [SearchHit], order: StoredOrder?, isCorrected: Bool) {
    let index = SearchIndex()
    let ticket = try cache.fill(index, db, isForOneAnswer: true)
    askedIndex.withLock { $0 = (index, ticket) }
    let indexes = [index, ticket.recent].compactMap(\.self)
    let contacted = try query.contacted(db)
    func limited(_ hits: [SearchHit]) -> [SearchHit] {
      contacted.map { contacted in hits.filter { contacted.contains($0.id) } } ?? hits
    }
    let hits = limited(indexes.flatMap { $0.search(query) })
    guard hits.isEmpty, correcting else { return (hits, ticket.order, false) }
    let corrected = indexes.map { index in query.correcting { index.find($0, ranking: .max) }?.best ?? [] }
    return (limited(corrected.flatMap(\.self)), ticket.order, true)
  }

  /// Returns hits best first, equally good ones in the order of the list. The later a contact wrote or was written to, the
  /// better it is: at most by what the length of the match counts, so that a match in a better place stays better.
  private static func ranked(_ hits: [SearchHit], _ order: StoredOrder?, _ db: Database) throws -> [SearchHit] {
    let (times, now) = (try AddressBook.lastContacts(db), time(nil))
    func value(_ hit: SearchHit) -> Double {
      guard let time = times[hit.id] else { return hit.score }
      return hit.score + SearchHit.lengthScore / (1 + Double(now - time) / (30 * 86_400))
    }
    let placed = try placed(hits, order, db).map { (hit: $0.hit, place: $0.place, value: value($0.hit)) }
    return placed.sorted { $0.value == $1.value ? $0.place < $1.place : $0.value > $1.value }.map(\.hit)
  }

  /// Returns hits with numbers in the order of the list, without those that are not in it.
  private static func placed(
    _ hits: [SearchHit], _ order: StoredOrder?, _ db: Database
  ) throws -> [(hit: SearchHit, place: UInt64)] {
    let ids = hits.map(\.id)
    if let places = try order?.places(of: ids, db) { return zip(hits, places).map { ($0, $1) } }
    let listed = try AddressBook.idsInOrder(of: ids, db)
    let places = Dictionary(zip(listed, UInt64(0)...)) { first, _ in first }
    return hits.compactMap { hit in places[hit.id].map { (hit, $0) } }
  }

  /// Formats the email addresses of contacts, one line each, in the order of the contacts.
  /// - Returns: the lines, each with a line end, and their number.
  public func mailLines(of ids: [Int64], form: MailLineForm) throws(StoreError) -> (text: [UInt8], count: Int) {
    try mailLineCache.lines(of: ids, form: form)
  }

  /// Returns the ids of the contacts of a smart group, in no particular order; none for a condition that this version
  /// of the program does not understand.
  public func ids(foundBy rule: SmartGroup.Rule) throws(StoreError) -> [Int64] {
    try book.ids(in: .found(by: rule)) { text throws(StoreError) in try find(text).map(\.id) }
  }

  /// Writes the data that answered the last query to files, if that makes the next query much faster. Call it after the
  /// answer was printed: it takes a moment.
  public func keepIndex() {
    if let asked = askedIndex.withLock({ $0.take() }) { cache.keep(asked.index, asked.ticket) }
    mailLineCache.keep()
  }
}

extension AddressBook {
  /// Updates the file of the search index, after many contacts were written.
  public func refreshSearchIndex() throws(StoreError) {
    guard location.cacheFolder != nil else { return }
    let index = SearchIndex()
    let cache = SearchCache(BookCache(store: store))
    cache.keep(index, try store.read { try cache.fill(index, $0) })
  }
}

/// A contact found by a query, with its score and matches.
public struct FoundContact: Hashable, Sendable, Identifiable {
  /// Id of the contact.
  public let id: Int64
  /// How well it matches, 0 to 1; higher is better.
  public let score: Double
  /// Where it matches, in the best field of each term; empty unless requested.
  public let matches: [ContactMatch]
  /// True if it matches only without one typing error.
  public let isCorrected: Bool

  init(id: Int64, score: Double, matches: [ContactMatch], isCorrected: Bool = false) {
    self.id = id
    self.score = score
    self.matches = matches
    self.isCorrected = isCorrected
  }

  /// A contact found by a condition alone: all match equally well.
  public init(id: Int64) { self.init(id: id, score: 1, matches: []) }
}
