import Dispatch
import Synchronization
import SystemThreads

/// A build of an index from documents that one thread reads and another one encodes.
final class ParallelBuild: Sendable {
  static let batchSize = 1024
  /// How many batches may wait; together they take one or two MB.
  private static let waiting = 4

  private let batches = Mutex<[[SearchDocument]]>([])
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
  ///   - documents: read once, by this thread.
  ///   - isSplit: true to encode in another thread if one is available. The contents are the same either way.
  ///   - progress: called after every batch and at the end with the number of documents read so far.
  ///   - isCancelled: called after every batch.
  static func storage(
    from documents: some Sequence<SearchDocument>, isSplit: Bool = SystemThread.hasSecond, progress: (Int) -> Void,
    isCancelled: () -> Bool
  ) -> SearchStorage? {
    var own = SearchStorage()
    var other: ParallelBuild?
    var batch: [SearchDocument] = []
    batch.reserveCapacity(batchSize)
    var count = 0
    for document in documents {
      batch.append(document)
      count += 1
      guard batch.count == batchSize else { continue }
      // Less than one batch needs no other thread.
      if isSplit, other == nil, count == batchSize { other = ParallelBuild().started() }
      if let other {
        other.send(batch)
        batch = []
        batch.reserveCapacity(batchSize)
      } else {
        own.take(&batch)
      }
      progress(count)
      if isCancelled() {
        other?.cancel()
        return nil
      }
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
      if batch.isEmpty || isCancelled.load(ordering: .relaxed) { break }
      storage.take(&batch)
    }
    storage.pack()
    built.withLock { $0 = storage }
    finished.signal()
  }

  private func send(_ batch: [SearchDocument]) {
    free.wait()
    batches.withLock { $0.append(batch) }
    filled.signal()
  }

  private func end(with last: [SearchDocument]) -> SearchStorage? {
    if !last.isEmpty { send(last) }
    send([])
    finished.wait()
    return built.withLock { $0.take() }
  }

  private func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    _ = end(with: [])
  }
}

extension SearchStorage {
  /// Moves the documents here.
  fileprivate mutating func take(_ documents: inout [SearchDocument]) {
    for index in documents.indices {
      // An element that stays in the array would be copied, and each of its texts retained.
      var document = SearchDocument(id: 0, name: "")
      swap(&document, &documents[index])
      put(document)
    }
    documents.removeAll(keepingCapacity: true)
  }
}
