import Foundation
import ReferenceTerminals
import SharedMaterial
import Testing

/// A program whose input and output are redirected reads keys from its controlling terminal, and draws there.
@Suite(.enabled(if: TmuxScreen.isInstalled, "tmux is not installed")) struct PipedProgramTests {
  @Test(arguments: ["printf 'fruit\\n' | PROBE piped 2>&1 | cat >OUTPUT", "PROBE piped </dev/null >OUTPUT 2>&1"])
  func keysComeFromTheTerminal(command: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("piped-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let output = folder.appendingPathComponent("output").path
    let programs = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      .deletingLastPathComponent()
    let name = "piped-\(UUID().uuidString)"
    @discardableResult func tmux(_ arguments: String...) throws -> CommandResult {
      try CommandResult.run(
        "/usr/bin/tmux", ["-u", "-f", "/dev/null", "-L", name] + arguments,
        environment: [
          "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder.path, "TMUX_TMPDIR": folder.path,
          "SHELL": "/bin/sh",
        ])
    }
    let probe = "TERM=xterm-256color timeout --foreground 20 '\(programs.path)/TerminalProbe'"
    let line = command.replacing("PROBE", with: probe).replacing("OUTPUT", with: "'\(output)'")
    let started = try tmux("new-session", "-d", "-x", "40", "-y", "7", line + "; tmux wait-for -S done; exec cat")
    #expect(started.status == 0, "\(started.errors)")
    defer { _ = try? tmux("kill-server") }
    try tmux("send-keys", "x", "q")
    try tmux("wait-for", "done")
    let text = try String(contentsOfFile: output, encoding: .utf8)
    #expect(text == "piped \(command.contains("fruit") ? "fruit" : ""), typed xq, 7 lines\n")
  }
}
