import GRDB
import Synchronization

/// A record of a bulk write, so that it can be undone as one step.
///
/// Its memory is bounded: the rest is stored in an unlinked file (``JournalStorage``), which is removed with this
/// object.
public final class BulkJournal: Sendable {
  /// A contact before and after the write.
  struct Entry {
    /// The state of a contact before or after.
    enum State {
      /// It is not in the book, or is deleted.
      case absent
      /// It is in the book; with its content only if the write changed it.
      case present(JournalRecord?)
    }

    let id: Int64
    var before: State
    var after: State
    /// Version of the contact after the write.
    var version = 0
    /// Digest of the content after the write, if it is present; see ``JournalRecord/digest(_:)``.
    var digest = 0
  }

  private struct Content {
    var waiting: [Entry] = []
    var bytes = 0
    var count = 0
    var someID: Int64?
    var failure: StoreError?

    mutating func takeWaiting() -> [Entry] {
      defer {
        waiting = []
        bytes = 0
      }
      return waiting
    }
  }

  private let storage: JournalStorage
  private let number: Int64
  private let content = Mutex(Content())

  init(storage: JournalStorage) {
    self.storage = storage
    number = storage.makeNumber()
  }

  deinit { if count > 0 { storage.discard(number) } }

  /// The number of contacts written.
  public var count: Int { content.withLock { $0.count } }

  /// True if nothing was written.
  public var isEmpty: Bool { count == 0 }

  /// One of the contacts that were added or changed, for a screen to show; nil if there is none.
  public var someID: Int64? { content.withLock { $0.someID } }

  /// Why the write cannot be undone, although it is stored: no room for the file, for instance. Nil if it can.
  public var failure: StoreError? { content.withLock { $0.failure } }

  /// Records a contact that was written. If it is written twice, the first state before counts.
  func record(_ entry: Entry) {
    let batch = content.withLock { content -> [Entry] in
      content.count += 1
      if content.someID == nil, case .present = entry.after { content.someID = entry.id }
      guard content.failure == nil else { return [] }
      content.waiting.append(entry)
      content.bytes += entry.byteCount
      guard content.waiting.count >= 1000 || content.bytes >= 1 << 20 else { return [] }
      return content.takeWaiting()
    }
    store(batch)
  }

  /// At most `limit` entries after an id, sorted by id.
  func entries(after id: Int64, limit: Int = 500) throws -> [Entry] {
    store(content.withLock { $0.takeWaiting() })
    if let failure { throw failure }
    return try storage.entries(number, after: id, limit: limit)
  }

  private func store(_ batch: [Entry]) {
    guard !batch.isEmpty else { return }
    do {
      try storage.add(batch, to: number)
    } catch {
      content.withLock { $0.failure = StoreError(error, path: "") }
    }
  }
}

extension BulkJournal.Entry {
  fileprivate var byteCount: Int {
    [before, after].reduce(64) { sum, state in
      if case .present(let record?) = state { sum + record.byteCount } else { sum }
    }
  }
}
