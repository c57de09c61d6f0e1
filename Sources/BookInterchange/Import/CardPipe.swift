import AddressBookModel
import Contacts
import SystemCalls

/// A pipe from a thread that reads and parses the cards of a file to the one that writes them. At most a few batches
/// are queued: memory stays bounded.
final class CardPipe: Sendable {
  /// Cards and diagnostics in the order of the file.
  struct Batch: Sendable {
    var events: [PipedEvent] = []
    /// The fraction of the input read so far, 0 to 1; nil if its size is unknown, or if reading failed.
    var fraction: Double?
    /// In the last batch, success or the error that ended the reading; nil in the others.
    var end: Result<Void, ImportError>?
  }

  private static let eventsOfBatch = 128
  private static let bytesOfBatch = 1 << 19
  private static let batchesWaiting = 6

  private let queue = BatchQueue<Batch>(capacity: batchesWaiting)

  /// Starts reading.
  /// - Parameters:
  ///   - book: the path of the book, for errors.
  ///   - moment: the time of the import, for the rows of new contacts.
  ///   - open: opens the file; called on the other thread. Returns nil for an empty file.
  /// - Throws: `StoreError.outOfResources` if no thread is available.
  init(
    book: String, moment: String, _ open: @escaping @Sendable () throws(ImportError) -> CardSource?
  ) throws(StoreError) {
    // Not a Dispatch thread: if none is available, Dispatch waits for one while the book is locked.
    guard SystemThread.start({ self.produce(moment, open) }) else { throw StoreError(.outOfResources, path: book) }
  }

  /// Waits for the next batch and returns it; nil if `isCancelled` returns true.
  func next(isCancelled: () -> Bool) -> Batch? { queue.next(isCancelled: isCancelled) }

  /// Tells the reader that no more batches will be taken.
  func stop() { queue.stop() }

  private func produce(_ moment: String, _ open: () throws(ImportError) -> CardSource?) {
    var batch = Batch()
    do throws(ImportError) {
      if let source = try open() {
        var start = source.bytesTaken
        while try source.next({ batch.events.append(PipedEvent($0, moment: moment)) }) {
          guard batch.events.count >= Self.eventsOfBatch || source.bytesTaken - start >= Self.bytesOfBatch else {
            continue
          }
          batch.fraction = source.fraction
          guard queue.put(batch) else { return }
          batch = Batch()
          start = source.bytesTaken
        }
        batch.fraction = source.fraction
      }
      batch.end = .success(())
    } catch {
      batch.end = .failure(error)
    }
    _ = queue.put(batch)
  }
}

/// A card on its way through the threads of an import: one reads it, one writes it. It is a class, because copying a
/// contact would retain dozens of objects.
final class PipedCard: Sendable {
  let card: IncomingCard
  /// The rows to write if its contact is new; nil if they were not made in advance.
  let image: ContactImage?
  /// The canonical spelling of its UID; empty if ``image`` is nil.
  let uidKey: String

  /// Makes the rows too, unless the card must be checked or merged first.
  /// - Parameter moment: the time of the import.
  init(_ card: consuming IncomingCard, moment: String) {
    let isPlain =
      card.group == nil && card.patch == nil && card.picture == nil && !card.isEmpty && !card.contact.uid.isEmpty
      && !card.contact.mayBeInvalid
    image =
      isPlain ? ContactImage(card.contact, DerivedColumns(card.contact), photo: nil, moment: moment) : nil
    uidKey = isPlain ? CardIdentity.canonical(card.contact.uid) : ""
    self.card = card
  }
}

/// A ``CardEvent`` in a ``CardPipe``.
enum PipedEvent: Sendable {
  case card(PipedCard)
  case finding(line: Int, ImportNotice.Kind, name: String)
  case unreadable(line: Int, ImportNotice.Kind)

  init(_ event: consuming CardEvent, moment: String) {
    switch consume event {
    case .card(let card): self = .card(PipedCard(card, moment: moment))
    case .finding(let line, let kind, let name): self = .finding(line: line, kind, name: name)
    case .unreadable(let line, let kind): self = .unreadable(line: line, kind)
    }
  }
}
