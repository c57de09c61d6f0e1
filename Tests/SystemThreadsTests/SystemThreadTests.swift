import Foundation
import Glibc
import Synchronization
import SystemThreads
import Testing

/// The reserve of threads, and threads on other processors. The reserve belongs to the process, so these tests run one
/// after the other.
@Suite(.serialized)
struct SystemThreadTests {
  /// Starts this many threads in reserve. Returns the folder of the first one in /proc.
  private func startReserve(_ count: Int) throws -> String {
    let found = Mutex<String?>(nil)
    let done = DispatchSemaphore(value: 0)
    let isStarted = SystemThread.startReserve(count) {
      let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
      found.withLock { $0 = folder.map { "/proc/" + $0 } }
      done.signal()
    }
    #expect(isStarted)
    done.wait()
    return try #require(found.withLock { $0 })
  }

  /// Waits until a thread sleeps or has ended. Returns whether it sleeps.
  private func isWaiting(_ thread: String) -> Bool {
    while let status = try? String(contentsOfFile: thread + "/status", encoding: .utf8) {
      if status.contains("\nState:\tS") { return true }
      sched_yield()
    }
    return false
  }

  @Test(.timeLimit(.minutes(1))) func threadsInReserveWaitUntilTheyAreReleased() throws {
    let thread = try startReserve(4)
    #expect(isWaiting(thread))
    SystemThread.releaseReserve()
    #expect(!FileManager.default.fileExists(atPath: thread))
    SystemThread.releaseReserve()
  }

  @Test(.timeLimit(.minutes(1))) func threadsInReserveAreLent() throws {
    let threads = [try startReserve(1), try startReserve(1)]
    for waiting in [1, 0] {
      #expect(SystemThread.canStart(1))
      while threads.count(where: FileManager.default.fileExists) > waiting { sched_yield() }
      #expect(threads.count(where: isWaiting) == waiting)
    }
    #expect(SystemThread.canStart(1), "another one is started when none is left")
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
