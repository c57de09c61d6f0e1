import Dispatch
import Glibc
import Synchronization
import TerminalKit

// A full-screen program that does what its argument names, such as a crash, for TerminalGuardTests and
// PipedProgramTests.

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

let handled = Atomic<Int>(0)
let mode = CommandLine.arguments.dropFirst().first
if mode == "own-signals" {
  for number in [SIGUSR1, SIGINT] { signal(number) { _ in handled.add(1, ordering: .relaxed) } }
  // The thread that started this process may have blocked the signals.
  var none = sigset_t()
  sigemptyset(&none)
  sigprocmask(SIG_SETMASK, &none, nil)
}
let hostSignals: Set<Int32> = mode == "own-signals" ? [SIGUSR1, SIGINT, SIGTERM] : []
// The pipe is read before the terminal is opened.
let piped = mode == "piped" ? readLine() ?? "" : ""
let terminal = try NcursesTerminal(options: .init(focus: true, hostSignals: hostSignals))
func send(_ text: String) { _ = write(STDOUT_FILENO, text, text.utf8.count) }

switch mode {
case "own-signals":
  draw(terminal)
  for number in [SIGUSR1, SIGINT] { raise(number) }
  terminal.restore()
  // SIGTERM has its default action, which ends the program.
  if handled.load(ordering: .relaxed) == 2 { raise(SIGTERM) }
  exit(1)
case "piped":
  let loop = EventLoop(terminal: terminal, input: terminal.input)
  var typed = ""
  loop.run(
    draw: { Canvas(size: terminal.size) },
    handle: { event in
      guard case .key(let key) = event else { return }
      typed += key.notation
      if key == .character("q") { loop.stop() }
    })
  terminal.restore()
  print("piped \(piped), typed \(typed), \(terminal.size.rows) lines")
  exit(0)
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
