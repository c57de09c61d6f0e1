import CCoveredThreads
import Dispatch
import Glibc
import TerminalKit

// A full-screen program whose second thread overflows its stack before it has called any function of TerminalKit, for
// the tests of CCoveredThreads.

@inline(never) func overflow(_ depth: Int) -> Int {
  withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { memory in
    memory[depth & 4095] = UInt8(truncatingIfNeeded: depth)
    return overflow(depth + 1) &+ Int(memory[depth & 2047])
  }
}

/// Starts work on many queues after the system has no more threads for this process. Returns false if any does not run.
func worksWithoutThreads() -> Bool {
  // If this waits for a thread, it ends.
  alarm(20)
  guard covered_threads_keep(4) != 0 else { return false }
  func runs(_ qos: DispatchQoS) -> Bool {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue(label: "probe", qos: qos).async { done.signal() }
    return done.wait(timeout: .now() + 10) == .success
  }
  guard runs(.default) else { return false }
  // The limit does not apply to root.
  if geteuid() == 0, setuid(54_321) != 0 { return false }
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  guard setrlimit(__rlimit_resource_t(6) /* RLIMIT_NPROC */, &none) == 0 else { return false }
  var thread = pthread_t()
  guard pthread_create(&thread, nil, { _ in nil }, nil) == EAGAIN else { return false }
  for _ in 0..<100 where ![.userInitiated, .utility].allSatisfy(runs) { return false }
  return true
}

if CommandLine.arguments.contains("threads") { exit(worksWithoutThreads() ? 0 : 1) }

let terminal = try NcursesTerminal()
terminal.present(Canvas(size: terminal.size))
DispatchQueue.global().async { exit(Int32(truncatingIfNeeded: overflow(0))) }
while true { pause() }
