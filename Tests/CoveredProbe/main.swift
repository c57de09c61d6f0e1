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

let terminal = try NcursesTerminal()
terminal.present(Canvas(size: terminal.size))
DispatchQueue.global().async { exit(Int32(truncatingIfNeeded: overflow(0))) }
while true { pause() }
