import ContactSearch
import Contacts
import Dispatch
import GRDB
import Synchronization
import SystemThreads

/// The search index of a book that was empty before an import, built while the contacts are written, so that they need
/// not be read back. A separate thread encodes them during the writes and the commit.
final class NewBookIndex {
  /// A contact that was inserted.
  private enum Entry: Sendable {
    case card(PipedCard, ContactImage, id: Int64)
    case document(SearchDocument)

    var document: SearchDocument {
      switch self {
      case .card(let piped, let image, let id):
        NewBookIndex.document(of: piped.card.contact, image, id: id, hasPhoto: false)
      case .document(let document): document
      }
    }
  }

  /// What the thread works on. An empty batch is the last one.
  private final class Work: Sendable {
    let index = SearchIndex()
    let batches = BatchQueue<[Entry]>(capacity: 6)
    let isCancelled = Atomic(false)
    let finished = DispatchSemaphore(value: 0)

    func run() {
      while let batch = batches.next(), !batch.isEmpty {
        if !isCancelled.load(ordering: .relaxed) { put(batch) }
      }
      finished.signal()
    }

    func put(_ batch: [Entry]) { for entry in batch { index.upsert(entry.document) } }
  }

  private let work = Work()
  /// False if no thread was available: the contacts are then encoded on the caller's thread.
  private let hasThread: Bool
  private var isOpen = true
  private var batch: [Entry] = []
  /// Contacts that were written again after they had been added.
  private var rewritten: Set<Int64> = []
  private var ticket: SearchCache.Ticket?

  init() {
    hasThread = SystemThread.start { [work] in work.run() }
  }

  deinit { cancel() }

  func add(_ contact: Contact, _ image: ContactImage, id: Int64, hasPhoto: Bool) {
    batch.append(.document(Self.document(of: contact, image, id: id, hasPhoto: hasPhoto)))
  }

  /// Adds a contact without a photo that was inserted unchanged.
  func add(_ piped: PipedCard, _ image: ContactImage, id: Int64) { batch.append(.card(piped, image, id: id)) }

  /// Passes on what was added since the last call.
  func send() {
    guard isOpen, !batch.isEmpty else { return }
    if hasThread { _ = work.batches.put(batch) } else { work.put(batch) }
    batch = []
  }

  /// Records that a contact was written again, so that ``finish(_:_:)`` rereads it.
  func rewrite(_ id: Int64) { rewritten.insert(id) }

  /// Brings the index up to date with the book at the end of the import's transaction.
  func finish(_ db: Database, _ cache: SearchCache) throws {
    send()
    let ids = rewritten.sorted()
    for start in stride(from: 0, to: ids.count, by: 500) {
      batch = try SearchDocument.of(Array(ids[start..<min(ids.count, start + 500)]), db).map(Entry.document)
      send()
    }
    ticket = try cache.ticket(db)
    end()
  }

  /// Lets the thread end once it has encoded what was sent, without waiting for it.
  private func end() {
    if isOpen, hasThread { _ = work.batches.put([]) }
    isOpen = false
  }

  /// Ends the work, for an import that is rolled back.
  func cancel() {
    work.isCancelled.store(true, ordering: .relaxed)
    end()
  }

  /// Writes the file, after the commit.
  func keep(_ cache: SearchCache) {
    guard let ticket, !isOpen else { return }
    if hasThread { work.finished.wait() }
    cache.keep(work.index, ticket)
  }

  /// Returns the search document of a contact as the book has it.
  private static func document(
    of contact: Contact, _ image: ContactImage, id: Int64, hasPhoto: Bool
  ) -> SearchDocument {
    var document = contact.searchDocument(name: image.name)
    document.id = id
    document.groups = image.groups
    document.hasPhoto = hasPhoto
    return document
  }
}
