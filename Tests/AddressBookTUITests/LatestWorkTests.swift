import Dispatch
import Synchronization
import TerminalKitTesting
import Testing

@testable import AddressBookTUI

@MainActor
struct LatestWorkTests {
  /// Values from any thread, and a gate that lets the test release each piece of work.
  private final class Record: Sendable {
    let values = Mutex<[Int]>([])
    let gate = DispatchSemaphore(value: 0)
  }

  @Test func replacedRequestsAreDropped() throws {
    let record = Record()
    let loop = ManualLoop()
    let taken = Record()
    let work = LatestWork<Int, Int>(
      loop: loop,
      work: { request in
        record.gate.wait()
        record.values.withLock { $0.append(request) }
        return request * 10
      }, deliver: { _, product in taken.values.withLock { $0.append(product) } })
    for request in 1...5 { work.request(request) }
    #expect(!work.isIdle)
    for _ in 1...2 { record.gate.signal() }
    while !work.isIdle {
      try #require(loop.waitForPost(until: .now() + .seconds(20)))
      loop.drain()
    }
    #expect(record.values.withLock { $0 } == [1, 5])
    #expect(taken.values.withLock { $0 } == [10, 50])
  }
}
