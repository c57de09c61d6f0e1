import Foundation
import Synchronization
import Testing

@testable import TerminalKit

struct DetachedProgramTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("detached-\(UUID().uuidString)")

  private func wait(_ what: String, until condition: () -> Bool) {
    let deadline = Date().addingTimeInterval(20)
    while !condition() {
      guard Date() < deadline else {
        Issue.record("Waited for \(what)")
        return
      }
      usleep(5000)
    }
  }

  @Test func aDetachedProgramGetsItsArgumentsButNotTheTerminal() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Without O_CLOEXEC, as a careless library would open a file.
    let leak = open("/dev/zero", O_RDONLY)
    defer { close(leak) }
    let result = folder.appendingPathComponent("result").path
    // The shell reads its signal masks itself, because it blocks signals while it starts another program.
    let script = """
      exec 3>"$0.part"; printf '<%s>\\n' "$@" >&3
      for f in /proc/self/fd/*; do echo "fd $(readlink /proc/$$/fd/${f##*/})" >&3; done
      while read -r line; do case $line in Sig[BI]*) echo "$line" >&3;; esac; done </proc/$$/status
      cut -d' ' -f6 /proc/$$/stat >&3; echo $$ >&3; mv "$0.part" "$0"; exit 7
      """
    let status = Mutex<Int32>(0)
    let values = ["$(id)", "`id`", "a b", "-x", "", "'\"\\"]
    try DetachedProgram.start(["sh", "-c", script, result] + values) { code in status.withLock { $0 = code } }
    wait("the file that the program writes") { FileManager.default.fileExists(atPath: result) }
    let lines = try String(contentsOfFile: result, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(Array(lines.prefix(values.count)) == values.map { "<\($0)>" })
    let files = Set(lines.filter { $0.hasPrefix("fd /") })
    #expect(files.subtracting(["fd \(result).part"]) == ["fd /dev/null"])
    // glibc ignores its own signals, 32 and 33, in every program that it starts.
    let signals = lines.filter { $0.hasPrefix("Sig") }.compactMap { UInt64($0.dropFirst(8), radix: 16) }
    #expect(signals.count == 2 && signals[0] == 0 && signals[1] & ~0x1_8000_0000 == 0)
    #expect(lines.suffix(2).first == lines.last, "it leads a session")
    wait("the exit status") { status.withLock { $0 } == 7 }
  }

  /// The text is longer than the buffer of a pipe, and the second program does not read all of it.
  @Test func aDetachedProgramReadsTextAndItsEndIsReported() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = folder.appendingPathComponent("result").path
    let text = String(repeating: "$(id) 李\n", count: 20_000)
    let statuses = Mutex<[Int32]>([])
    let ended: @Sendable (Int32) -> Void = { status in statuses.withLock { $0.append(status) } }
    try DetachedProgram.start(["sh", "-c", "cat >\"$0\"", result], input: text, ended: ended)
    wait("the end of the first program") { statuses.withLock { $0 } == [0] }
    #expect(try String(contentsOfFile: result, encoding: .utf8) == text)
    try DetachedProgram.start(["sh", "-c", "head -c 1 >\"$0\"; kill -TERM $$", result], input: text, ended: ended)
    wait("the end of the second program") { statuses.withLock { $0 } == [0, 128 + SIGTERM] }
    #expect(try String(contentsOfFile: result, encoding: .utf8) == "$")
  }

  @Test func aMissingProgramIsAnError() {
    #expect(throws: DetachedProgram.Failure(code: ENOENT)) {
      try DetachedProgram.start(["addressbook-no-such-program"]) { _ in }
    }
    #expect(throws: DetachedProgram.Failure(code: ENOENT)) { try DetachedProgram.start([]) { _ in } }
  }
}
