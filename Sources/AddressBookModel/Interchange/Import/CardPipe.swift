import ContactSearch
import Dispatch
import Synchronization

/// Cards of a file, read and understood in a thread of their own while the one before is being written. A few batches wait
/// at most, so that memory stays bounded.
final class CardPipe: Sendable {
  /// Cards and findings in the order of the file.
  struct Batch: Sendable {
    var events: [CardEvent] = []
    /// Part of the input that was read after them, 0 to 1; nil when its size is not known.
    var fraction: Double?
    /// What ends the file: nil while there is more.
    var end: Result<Void, ImportError>?
  }

  private static let eventsOfBatch = 128
  private static let bytesOfBatch = 1 << 19
  private static let batchesWaiting = 6

  private let waiting = Mutex<[Batch]>([])
  private let filled = DispatchSemaphore(value: 0)
  private let free = DispatchSemaphore(value: 0)
  private let isStopped = Atomic<Bool>(false)

  /// Begins to read.
  /// - Parameter open: opens the file; called in the other thread. Nil for an empty one.
  /// - Throws: `StoreError.outOfResources` when the system has no thread to give.
  init(_ open: @escaping @Sendable () throws(ImportError) -> (any CardSource)?) throws(StoreError) {
    // A semaphore that is made with more than 0 must not die with less than that; this one may.
    for _ in 0..<Self.batchesWaiting { free.signal() }
    // Not one of Dispatch's: without a thread to be had that would sleep until there is one, with the book locked.
    guard SystemThread.start({ self.produce(open) }) else { throw StoreError(.outOfResources, path: "") }
  }

  /// The next batch. Waits for it, but no longer than until `isCancelled` says so; then nil.
  func next(isCancelled: () -> Bool) -> Batch? {
    while filled.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if isCancelled() { return nil }
    }
    let batch = waiting.withLock { $0.removeFirst() }
    free.signal()
    return batch
  }

  /// Nobody will take another batch.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    free.signal()
  }

  private func produce(_ open: () throws(ImportError) -> (any CardSource)?) {
    var batch = Batch()
    do throws(ImportError) {
      if let source = try open() {
        var start = source.bytesTaken
        while let event = try source.next() {
          batch.events.append(event)
          guard batch.events.count >= Self.eventsOfBatch || source.bytesTaken - start >= Self.bytesOfBatch else {
            continue
          }
          batch.fraction = source.fraction
          guard put(batch) else { return }
          batch = Batch()
          start = source.bytesTaken
        }
      }
      batch.end = .success(())
    } catch {
      batch.end = .failure(error)
    }
    _ = put(batch)
  }

  /// False when nobody wants it.
  private func put(_ batch: Batch) -> Bool {
    free.wait()
    guard !isStopped.load(ordering: .relaxed) else { return false }
    waiting.withLock { $0.append(batch) }
    filled.signal()
    return true
  }
}
