import Foundation
import SharedMaterial
import Testing

@testable import TerminalKit

/// Programs that a signal ends, each on a pseudo terminal of its own; see `Tests/TerminalProbe` and
/// `Tests/CoveredProbe`.
@Suite(.serialized) struct TerminalGuardTests {
  private struct Crash {
    var output: [UInt8] = []
    /// The signal that ended the program; 0 if it exited.
    var signal: Int32 = 0
    var isModesSame = false
  }

  private func run(_ program: String, _ arguments: [String] = []) throws -> Crash {
    var master: Int32 = -1
    var slave: Int32 = -1
    var window = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&master, &slave, nil, nil, &window) == 0)
    defer {
      close(master)
      close(slave)
    }
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    let before = modes(slave)
    let process = Process()
    let folder = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process.executableURL = URL(fileURLWithPath: folder).deletingLastPathComponent()
      .appendingPathComponent(program)
    process.arguments = arguments
    process.environment = ["TERM": "xterm-256color", "LANG": "C.UTF-8"]
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardInput = terminal
    process.standardOutput = terminal
    try process.run()
    var crash = Crash()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    func read() -> Bool {
      guard case .bytes(let count) = DescriptorRead(master, into: &buffer) else { return false }
      crash.output += buffer[..<count]
      return true
    }
    let deadline = Date().addingTimeInterval(30)
    while process.isRunning, Date() < deadline {
      var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      if poll(&descriptor, 1, 20) > 0 { _ = read() }
    }
    if process.isRunning {
      Issue.record("\(program) \(arguments) did not end")
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    // The kernel delivers the rest of the output asynchronously.
    let mark = Array("\u{1B}]mark\u{7}".utf8)
    _ = write(slave, mark, mark.count)
    while !crash.output.suffix(mark.count).elementsEqual(mark), Date() < deadline { _ = read() }
    crash.output.removeLast(mark.count)
    crash.signal = process.terminationReason == .uncaughtSignal ? process.terminationStatus : 0
    crash.isModesSame = modes(slave) == before
    return crash
  }

  private func modes(_ descriptor: Int32) -> [UInt32] {
    var modes = termios()
    tcgetattr(descriptor, &modes)
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
  }

  /// The end of the output: the alternate screen is left, and nothing is drawn after that.
  private let end = Array("\u{1B}[?1049l\u{1B}[23;0;0t\r".utf8)

  @Test(arguments: ["overflow-on-another-thread", "overflow-after-a-post", "fault-on-another-thread"])
  func aCrashOnAnotherThreadRestoresTheTerminal(name: String) throws {
    let crash = try run("TerminalProbe", [name])
    #expect(crash.signal == SIGSEGV)
    #expect(crash.isModesSame)
    #expect(crash.output.suffix(end.count).elementsEqual(end), "\(tail(crash.output))")
  }

  @Test func aHostKeepsTheSignalsThatItHandles() throws {
    let result = try run("TerminalProbe", ["own-signals"])
    #expect(result.signal == SIGTERM, "both handlers were called, and SIGTERM had none")
    #expect(result.isModesSame)
  }

  @Test func everyThreadOfAProgramHasAStackForTheHandler() throws {
    let crash = try run("CoveredProbe")
    #expect(crash.signal == SIGSEGV)
    #expect(crash.isModesSame)
    #expect(crash.output.suffix(end.count).elementsEqual(end), "\(tail(crash.output))")
  }

  /// libdispatch waits for a thread, also on the main thread, while the system has none.
  @Test func queuesWorkAtTheLimitOfProcesses() throws {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let probe = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("CoveredProbe").path
    #expect(try CommandResult.run(probe, ["threads"], environment: [:]).status == 0)
  }

  @Test func anUnfinishedSequenceAndAScrollRegionEnd() throws {
    let crash = try run("TerminalProbe", ["unfinished-sequences"])
    #expect(crash.signal == SIGABRT)
    #expect(crash.isModesSame)
    #expect(crash.output.suffix(end.count).elementsEqual(end), "\(tail(crash.output))")
    let rest = Array("\u{1B}]0;unfinished\u{1B}\\".utf8)
    let range = try #require(crash.output.ranges(of: rest).last, "\(tail(crash.output))")
    // Modes that the program may have set.
    for reset in ["[r", "[?2026l", "[?1004l", "[?1000l", "[?1002l", "[?1006l", "[?2004l", "[0 q"] {
      #expect(!crash.output[range.upperBound...].ranges(of: Array("\u{1B}\(reset)".utf8)).isEmpty, "\(reset)")
    }
  }

  private func tail(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.suffix(300), as: UTF8.self).debugDescription
  }
}
