import Foundation
import Glibc
import Synchronization
import SystemThreads
import Testing

/// The reserve of threads, and threads on other processors. The reserve belongs to the process, so these tests run one
/// after the other.
@Suite(.serialized)
struct SystemThreadTests {
  @Test func theReserveRunsWorkAndWaits() throws {
    let ran = DispatchSemaphore(value: 0)
    #expect(SystemThread.startReserve(4) { ran.signal() })
    #expect(ran.wait(timeout: .now() + 10) == .success)
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
    #expect(threads.count >= 5, "they wait")
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

  @Test func aThreadElsewhereIsTiedToTheOtherProcessors() throws {
    let all = try Self.allowedProcessors()
    let others = Mutex<Set<Int>?>(nil)
    let done = DispatchSemaphore(value: 0)
    let isStarted = SystemThread.startElsewhere {
      let found = try? Self.allowedProcessors()
      others.withLock { $0 = found }
      done.signal()
    }
    #expect(isStarted)
    done.wait()
    let found = try #require(others.withLock { $0 })
    #expect(found.isSubset(of: all))
    #expect(found.count == max(1, all.count - 1))
  }

  /// Returns the numbers of the processors that the calling thread may run on.
  private static func allowedProcessors() throws -> Set<Int> {
    let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") })
    let ranges = try #require(line.split(separator: "\t").last).split(separator: ",")
    return try Set(
      ranges.flatMap { range in
        let ends = try range.split(separator: "-").map { try #require(Int($0)) }
        return Array(ends[0]...ends[ends.count - 1])
      })
  }
}
