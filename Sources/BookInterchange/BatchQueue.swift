import AddressBookModel
import Dispatch
import Synchronization

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
