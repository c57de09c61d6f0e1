import Foundation
import Glibc
import Synchronization
import SystemThreads
import Testing

/// The reserve of threads. It belongs to the process, so these tests run one after the other.
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
}
