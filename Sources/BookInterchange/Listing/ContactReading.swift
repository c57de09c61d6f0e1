import AddressBookModel
import Dispatch
import GRDB
import Synchronization
import SystemCalls

/// A reader of the contacts of a listing on another thread, in one transaction.
///
/// In the order of a list, nearly every contact of a big book is on a different page of the file. So only the first
/// contacts are read in that order, for a consumer that needs no more; the others, unless they are few or a small part
/// of the book, are read in the order of their ids, which is the order of the file. While the queue to the consumer's
/// thread is full, the reader's thread encodes as well.
final class ContactReading: Sendable {
  /// A contact, its position in the listing, and its photo if photos were asked for.
  struct Entry: Sendable {
    let rank: Int
    let contact: StoredContact
    let photo: Photo?
  }

  /// Contacts that were read, and possibly encoded.
  struct Batch: Sendable {
    enum Content: Sendable {
      /// Contacts that follow those of the previous batch in the listing.
      case inOrder([Entry])
      /// Contacts that have not been compared with their checksums yet.
      case entries([Entry])
      /// The positions of encoded contacts, and the numbers of their bytes.
      case encoded([(rank: Int, count: Int)], bytes: [UInt8])
    }

    let order: ContactOrder
    let content: Content
  }

  typealias Encode = @Sendable (StoredContact, Photo?, inout [UInt8]) throws -> Void

  /// How many contacts are read first, in the order of the listing.
  static let firstCount = 1000
  private static let batchCount = 64

  let queue = BatchQueue<Result<Batch?, any Error>>(capacity: 16)
  private let finished = DispatchSemaphore(value: 0)
  private let store: Store
  private let ids: [Int64]?
  private let withPhotos: Bool
  private let encode: Encode

  init(_ store: Store, ids: [Int64]?, withPhotos: Bool, _ encode: @escaping Encode) {
    (self.store, self.ids, self.withPhotos, self.encode) = (store, ids, withPhotos, encode)
  }

  /// Starts reading.
  /// - Returns: false if the system has no thread for it.
  func start() -> Bool { SystemThread.start { self.run() } }

  /// Stops reading, and waits until the book is no longer being read.
  func finish() {
    queue.stop()
    finished.wait()
  }

  private func run() {
    defer { finished.signal() }
    do throws(StoreError) {
      try store.read { db in
        let order = try ids.map { ContactOrder($0) } ?? ContactOrder(db)
        if try ids == nil && AddressBook.contactCount(db) != order.count { store.damage.noteIncompleteList() }
        let first = min(order.count, Self.firstCount)
        guard try readInOrder(0..<first, of: order, db) else { return }
        let rest = first..<order.count
        // For a small part of the book, looking up each contact is faster than reading past all others.
        if rest.count > Self.firstCount, rest.count >= (try AddressBook.contactCount(db)) / 8 {
          do {
            try readByID(rest, of: order, db)
          } catch let failure as EncodingFailure {
            _ = queue.put(.failure(failure.error))
          }
        } else {
          _ = try readInOrder(rest, of: order, db)
        }
      }
      _ = queue.put(.success(nil))
    } catch {
      _ = queue.put(.failure(error))
    }
  }

  private func readInOrder(_ ranks: Range<Int>, of order: ContactOrder, _ db: Database) throws -> Bool {
    for start in stride(from: ranks.lowerBound, to: ranks.upperBound, by: 250) {
      let page = start..<min(ranks.upperBound, start + 250)
      let entries = try Self.entries(page, of: order, store, db, withPhotos: withPhotos)
      if ids == nil, entries.count < page.count { store.damage.noteIncompleteList() }
      guard queue.put(.success(Batch(order: order, content: .inOrder(entries)))) else { return false }
    }
    return true
  }

  /// Returns these contacts in their order; those that are unknown or deleted are left out.
  static func entries(
    _ ranks: Range<Int>, of order: ContactOrder, _ store: Store, _ db: Database, withPhotos: Bool
  ) throws -> [Entry] {
    let ids = Array(order.ids[ranks])
    let photos = try withPhotos ? PhotoReader(db, store.damage) : nil
    let contacts = try ContactLoader(db, damage: store.damage).loadStored(ids).filter { !$0.isDeleted }
    var rank = ranks.lowerBound
    return try contacts.map { contact in
      while order.ids[rank] != contact.contact.id { rank += 1 }
      defer { rank += 1 }
      if !order.agrees(contact, at: rank) { store.damage.noteIncompleteList() }
      return Entry(rank: rank, contact: contact, photo: try photos?.photo(of: contact.contact))
    }
  }

  private func readByID(_ ranks: Range<Int>, of order: ContactOrder, _ db: Database) throws {
    var cursor = try ContactCursor(db, .living)
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
      let content = queue.hasRoom ? Batch.Content.entries(entries) : try encoded(entries)
      guard queue.put(.success(Batch(order: order, content: content))) else { return }
      entries.removeAll(keepingCapacity: true)
    }
    if !isComplete { store.damage.noteIncompleteList() }
    _ = queue.put(.success(Batch(order: order, content: .entries(entries))))
  }

  private func encoded(_ entries: [Entry]) throws -> Batch.Content {
    var bytes: [UInt8] = []
    var digest = ContactDigest()
    var counts: [(rank: Int, count: Int)] = []
    for entry in entries {
      entry.contact.check(&digest, store.damage)
      let start = bytes.count
      do {
        try encode(entry.contact, entry.photo, &bytes)
      } catch {
        throw EncodingFailure(error: error)
      }
      counts.append((entry.rank, bytes.count - start))
    }
    return .encoded(counts, bytes: bytes)
  }
}

/// An error of the encoding, not of the book.
private struct EncodingFailure: Error {
  let error: any Error
}

/// The contacts of a listing in the order in which they are listed.
struct ContactOrder: Sendable {
  let ids: [Int64]
  /// A hash of the section and the sort key that the index has for each contact, with which its row must agree; empty
  /// if the order does not come from the index.
  private var marks: [UInt64] = []

  init(_ ids: [Int64]) { self.ids = ids }

  /// Reads all contacts in section order.
  init(_ db: Database) throws {
    let rows = try StatementRows(
      db,
      db.makeStatement(
        sql: "SELECT section, sort_key, id FROM contact WHERE deleted_at IS NULL ORDER BY section, sort_key, id"))
    var ids: [Int64] = []
    while let row = try rows.next() {
      marks.append(row.withBytes(1) { Self.mark(row.number(0), $0) })
      ids.append(row.integer(2))
    }
    self.ids = ids
  }

  var count: Int { ids.count }

  /// Returns false if the section or sort key in a contact's row differs from the index.
  func agrees(_ contact: StoredContact, at rank: Int) -> Bool {
    let derived = contact.derived
    return marks.isEmpty || derived.sortKey.withUnsafeBufferPointer { Self.mark(derived.section, $0) } == marks[rank]
  }

  /// Returns the positions of the contacts from `start` on, in the order of their ids.
  func ranksByID(from start: Int) -> [UInt32] {
    (UInt32(start)..<UInt32(ids.count)).sorted { ids[Int($0)] < ids[Int($1)] }
  }

  private static func mark(_ section: Int, _ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
    Checksum.of(UnsafeRawBufferPointer(key)) ^ UInt64(truncatingIfNeeded: section)
  }
}

/// Hands batches from one thread to another. Only a few wait at a time, so that memory stays bounded.
final class BatchQueue<Batch: Sendable>: Sendable {
  private let waiting = Mutex<[Batch]>([])
  private let filled = DispatchSemaphore(value: 0)
  private let free = DispatchSemaphore(value: 0)
  private let isStopped = Atomic<Bool>(false)

  /// - Parameter capacity: the number of batches that may wait.
  init(capacity: Int) {
    // Deallocating a semaphore whose value is below its initial one traps, so start at 0.
    for _ in 0..<capacity { free.signal() }
  }

  /// Whether a batch can be added without waiting. Use it only on the thread that adds batches.
  var hasRoom: Bool {
    guard free.wait(timeout: .now()) == .success else { return false }
    free.signal()
    return true
  }

  /// Adds a batch, after waiting for room; false if no more will be taken.
  func put(_ batch: Batch) -> Bool {
    // Stopping wakes this thread once, so it must not wait again.
    guard !isStopped.load(ordering: .relaxed) else { return false }
    free.wait()
    guard !isStopped.load(ordering: .relaxed) else { return false }
    waiting.withLock { $0.append(batch) }
    filled.signal()
    return true
  }

  /// Waits for the next batch; nil if none is waiting and `isCancelled` returns true.
  func next(isCancelled: () -> Bool = { false }) -> Batch? {
    while filled.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if isCancelled() { return nil }
    }
    let batch = waiting.withLock { $0.removeFirst() }
    free.signal()
    return batch
  }

  /// Tells the other thread that no more batches will be taken.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    free.signal()
  }
}
