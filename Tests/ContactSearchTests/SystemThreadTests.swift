import Foundation
import Glibc
import Synchronization
import Testing

@testable import ContactSearch

/// Threads that are kept back so that they are known to be available. The reserve belongs to the process, so these
/// tests run one after the other.
@Suite(.serialized)
struct SystemThreadTests {
  @Test func theReserveRunsWorkAndWaits() {
    let ran = DispatchSemaphore(value: 0)
    #expect(SystemThread.startReserve(4) { ran.signal() })
    #expect(ran.wait(timeout: .now() + 10) == .success)
    #expect(threads(atLeast: 5), "they wait")
    SystemThread.releaseReserve()
    SystemThread.releaseReserve()
  }

  @Test func threadsInReserveAreLent() {
    #expect(SystemThread.startReserve(2))
    #expect(SystemThread.canStart(1))
    #expect(SystemThread.canStart(1))
    #expect(SystemThread.canStart(1), "another one is started when none is left")
    SystemThread.releaseReserve()
    #expect(SystemThread.canStart(4))
  }

  private func threads(atLeast count: Int) -> Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count >= count) ?? true
  }
}
