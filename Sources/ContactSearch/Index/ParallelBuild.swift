import Dispatch
import Synchronization
import SystemThreads

/// A build of an index from documents that one thread reads and another one encodes.
final class ParallelBuild: Sendable {
  static let batchSize = 1024
  /// How many batches may wait; together they take one or two MB.
  private static let waiting = 4

  private let batches = Mutex<[SearchDocumentBatch]>([])
  /// Batches without documents, to be filled again.
  private let spare = Mutex<[SearchDocumentBatch]>([])
  private let built = Mutex<SearchStorage?>(nil)
  private let isCancelled = Atomic(false)
  private let free = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)
  private let finished = DispatchSemaphore(value: 0)

  private init() {
    // A semaphore that was created with a value must have that value again when it is released, and a canceled build
    // does not restore it.
    for _ in 0..<Self.waiting { free.signal() }
  }

  /// Returns the contents, packed; nil if canceled.
  /// - Parameters:
  ///   - isSplit: true to encode in another thread if one is available. The contents are the same either way.
  ///   - read: called on this thread to append the next document to a batch; returns false after the last one.
  ///   - progress: called after every batch and at the end with the number of documents read so far.
  ///   - isCancelled: called after every batch.
  /// - Throws: what `read` throws.
  static func storage<Failure: Error>(
    isSplit: Bool = SystemThread.hasSecond, reading read: (inout SearchDocumentBatch) throws(Failure) -> Bool,
    progress: (Int) -> Void, isCancelled: () -> Bool
  ) throws(Failure) -> SearchStorage? {
    var own = SearchStorage()
    var other: ParallelBuild?
    var batch = SearchDocumentBatch()
    var count = 0
    do {
      while try read(&batch) {
        count += 1
        guard batch.count == batchSize else { continue }
        // Less than one batch needs no other thread.
        if isSplit, other == nil, count == batchSize { other = ParallelBuild().started() }
        if let other {
          other.send(batch)
          batch = other.spare.withLock { $0.popLast() } ?? SearchDocumentBatch()
        } else {
          own.take(&batch)
        }
        progress(count)
        if isCancelled() {
          other?.cancel()
          return nil
        }
      }
    } catch {
      other?.cancel()
      throw error
    }
    defer { progress(count) }
    if let other { return other.end(with: batch) }
    own.take(&batch)
    own.pack()
    return own
  }

  /// Starts the second thread; returns nil if none is available.
  private func started() -> ParallelBuild? { SystemThread.start { self.encode() } ? self : nil }

  private func encode() {
    var storage = SearchStorage()
    while true {
      filled.wait()
      var batch = batches.withLock { $0.removeFirst() }
      free.signal()
      if batch.count == 0 || isCancelled.load(ordering: .relaxed) { break }
      storage.take(&batch)
      spare.withLock { $0.append(batch) }
    }
    storage.pack()
    built.withLock { $0 = storage }
    finished.signal()
  }

  private func send(_ batch: SearchDocumentBatch) {
    free.wait()
    batches.withLock { $0.append(batch) }
    filled.signal()
  }

  private func end(with last: SearchDocumentBatch) -> SearchStorage? {
    if last.count > 0 { send(last) }
    send(SearchDocumentBatch())
    finished.wait()
    return built.withLock { $0.take() }
  }

  private func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    _ = end(with: SearchDocumentBatch())
  }
}

extension SearchStorage {
  /// Puts the documents of a batch, and empties it.
  fileprivate mutating func take(_ batch: inout SearchDocumentBatch) {
    put(batch)
    batch.removeAll()
  }
}
