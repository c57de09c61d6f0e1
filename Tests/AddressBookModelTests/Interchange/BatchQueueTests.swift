import Foundation
import Synchronization
import Testing

@testable import AddressBookModel
@testable import BookInterchange

struct BatchQueueTests {
  @Test func batchesComeInTheirOrder() {
    let queue = BatchQueue<Int>(capacity: 3)
    for number in 1...3 { #expect(queue.put(number)) }
    #expect(!queue.hasRoom)
    #expect([queue.next(), queue.next(), queue.next()] == [1, 2, 3])
    #expect(queue.hasRoom)
  }

  @Test func aReaderMayGiveUp() {
    #expect(BatchQueue<Int>(capacity: 1).next { true } == nil)
  }

  /// A thread that goes on adding after the queue was stopped must not wait for room that nobody makes.
  @Test(.timeLimit(.minutes(1))) func aStoppedQueueTakesNothingAndNobodyWaits() async {
    let queue = BatchQueue<Int>(capacity: 1)
    #expect(queue.put(1))
    queue.stop()
    let answers = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: (0..<3).map(queue.put)) }
    }
    #expect(answers == [false, false, false])
  }

  @Test(.timeLimit(.minutes(1))) func stoppingWakesAThreadThatWaitsForRoom() async {
    let queue = BatchQueue<Int>(capacity: 1)
    #expect(queue.put(1))
    let thread = Mutex("")
    let answer = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        thread.withLock { $0 = folder ?? "" }
        continuation.resume(returning: queue.put(2))
      }
      // Until it sleeps.
      while true {
        let path = "/proc/\(thread.withLock { $0 })/status"
        if let status = try? String(contentsOfFile: path, encoding: .utf8), status.contains("\nState:\tS") { break }
        sched_yield()
      }
      queue.stop()
    }
    #expect(!answer)
  }
}
