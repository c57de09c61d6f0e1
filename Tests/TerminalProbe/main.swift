import Dispatch
import Glibc
import Synchronization
import TerminalKit

// A full-screen program that crashes in the way that its argument names, for the tests of TerminalGuard.

@inline(never) func overflow(_ depth: Int) -> Int {
  withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { memory in
    memory[depth & 4095] = UInt8(truncatingIfNeeded: depth)
    return overflow(depth + 1) &+ Int(memory[depth & 2047])
  }
}

let drawn = Atomic<Int>(0)

func crash(after pictures: Int, _ body: @escaping @Sendable () -> Void) {
  DispatchQueue.global().async {
    while drawn.load(ordering: .relaxed) < pictures { sched_yield() }
    body()
  }
}

@MainActor func draw(_ terminal: NcursesTerminal) {
  let size = terminal.size
  var canvas = Canvas(size: size)
  let text = "picture \(drawn.load(ordering: .relaxed)) " + String(repeating: "x", count: size.columns)
  for row in 0..<size.rows { canvas.put(text, at: Point(row: row, column: 0), limit: size.columns, style: .plain) }
  terminal.present(canvas)
  drawn.add(1, ordering: .relaxed)
}

let terminal = try NcursesTerminal(options: .init(focus: true))
func send(_ text: String) { _ = write(STDOUT_FILENO, text, text.utf8.count) }

switch CommandLine.arguments.dropFirst().first {
case "overflow-on-another-thread":
  crash(after: 1) {
    TerminalGuard.coverThread()
    exit(Int32(truncatingIfNeeded: overflow(0)))
  }
case "overflow-after-a-post":
  let loop = EventLoop(terminal: terminal, input: terminal.input)
  crash(after: 1) {
    loop.post {}
    exit(Int32(truncatingIfNeeded: overflow(0)))
  }
case "fault-on-another-thread":
  crash(after: 200) { raise(SIGSEGV) }
case "unfinished-sequences":
  draw(terminal)
  send("\u{1B}[2;3r\u{1B}]0;unfinished")
  abort()
default: exit(2)
}
while true { draw(terminal) }
