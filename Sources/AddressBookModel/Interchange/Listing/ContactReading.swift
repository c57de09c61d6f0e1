import ContactSearch
import Dispatch
import GRDB

/// Reads the contacts of a listing on another thread, in one transaction.
///
/// In the order of a list, nearly every contact of a big book is on another page of the file. So only the first ones are
/// read in that order, for a reader who wants no more; the others are read in the order of their ids, which is that of
/// the file.
final class ContactReading: Sendable {
  /// A contact, its place in the listing, and its photo if photos were asked for.
  struct Entry: Sendable {
    let rank: Int
    let contact: StoredContact
    let photo: Photo?
  }

  struct Batch: Sendable {
    let order: ContactOrder
    let entries: [Entry]
    /// True if the entries follow those of the batch before.
    let isInOrder: Bool
  }

  /// How many contacts are read in the order of the listing.
  static let firstCount = 1000
  private static let batchCount = 64

  let queue = BatchQueue<Result<Batch?, StoreError>>(capacity: 16)
  private let finished = DispatchSemaphore(value: 0)
  private let store: Store
  private let ids: [Int64]?
  private let withPhotos: Bool

  init(_ store: Store, ids: [Int64]?, withPhotos: Bool) {
    (self.store, self.ids, self.withPhotos) = (store, ids, withPhotos)
  }

  /// False if the system has no thread for it.
  func start() -> Bool { SystemThread.start { self.run() } }

  /// Waits until the book is no longer being read.
  func finish() {
    queue.stop()
    finished.wait()
  }

  private func run() {
    defer { finished.signal() }
    do throws(StoreError) {
      try store.read { db in
        let order = try ids.map { ContactOrder($0) } ?? ContactOrder(db)
        if try ids == nil && Self.total(db) != order.count { store.damage.noteIncompleteList() }
        let first = min(order.count, Self.firstCount)
        guard try readInOrder(0..<first, of: order, db) else { return }
        let rest = first..<order.count
        // Reading past many other contacts would take longer than finding each.
        if rest.count > Self.firstCount, rest.count >= (try Self.total(db)) / 8 {
          try readByID(rest, of: order, db)
        } else {
          _ = try readInOrder(rest, of: order, db)
        }
      }
      _ = queue.put(.success(nil))
    } catch {
      _ = queue.put(.failure(error))
    }
  }

  private static func total(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT total(count) FROM section_count") ?? 0
  }

  private func readInOrder(_ ranks: Range<Int>, of order: ContactOrder, _ db: Database) throws -> Bool {
    for start in stride(from: ranks.lowerBound, to: ranks.upperBound, by: 250) {
      let page = start..<min(ranks.upperBound, start + 250)
      let entries = try Self.entries(page, of: order, store, db, withPhotos: withPhotos)
      guard queue.put(.success(Batch(order: order, entries: entries, isInOrder: true))) else { return false }
    }
    return true
  }

  /// These contacts in their order; those that are unknown or deleted are left out.
  static func entries(
    _ ranks: Range<Int>, of order: ContactOrder, _ store: Store, _ db: Database, withPhotos: Bool
  ) throws -> [Entry] {
    let ids = Array(order.ids[ranks])
    let photos = try withPhotos ? PhotoReader(db, store.damage) : nil
    let contacts = try ContactLoader(db, damage: store.damage).loadStored(ids).filter(\.row.deleted.isEmpty)
    var rank = ranks.lowerBound
    return try contacts.map { contact in
      while order.ids[rank] != contact.contact.id { rank += 1 }
      defer { rank += 1 }
      if !order.agrees(contact, at: rank) { store.damage.noteIncompleteList() }
      return Entry(rank: rank, contact: contact, photo: try photos?.photo(of: contact.contact))
    }
  }

  private func readByID(_ ranks: Range<Int>, of order: ContactOrder, _ db: Database) throws {
    let cursor = try ContactCursor(db, .living, damage: store.damage)
    let photos = try withPhotos ? PhotoReader(db, store.damage) : nil
    var entries: [Entry] = []
    var isComplete = true
    for rank in order.ranksByID(from: ranks.lowerBound) {
      let rank = Int(rank)
      guard let contact = try cursor.contact(id: order.ids[rank]) else {
        if ids == nil { isComplete = false }
        continue
      }
      if !order.agrees(contact, at: rank) { isComplete = false }
      entries.append(Entry(rank: rank, contact: contact, photo: try photos?.photo(of: contact.contact)))
      guard entries.count == Self.batchCount else { continue }
      guard queue.put(.success(Batch(order: order, entries: entries, isInOrder: false))) else { return }
      entries.removeAll(keepingCapacity: true)
    }
    if !isComplete { store.damage.noteIncompleteList() }
    _ = queue.put(.success(Batch(order: order, entries: entries, isInOrder: false)))
  }
}
