import Foundation
import Testing

@testable import TerminalKit

/// A tmux server of its own with one pane that shows bytes: a terminal that nobody here wrote.
final class TmuxScreen {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tmux-\(UUID().uuidString)")
  private let size: Size

  init(size: Size, showing bytes: [UInt8]) throws {
    self.size = size
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try Data(bytes).write(to: folder.appendingPathComponent("bytes"))
    let configuration = folder.appendingPathComponent("tmux.conf").path
    try "set -g status off\nset -g default-terminal xterm-256color\n"
      .write(toFile: configuration, atomically: true, encoding: .utf8)
    // Raw, as a full-screen program has it; the pane stays while cat waits for keys that never come.
    try tmux([
      "-f", configuration, "new-session", "-d", "-x", String(size.columns), "-y", String(size.rows),
      "stty raw -echo; cat '\(folder.path)/bytes' -",
    ])
  }

  deinit {
    _ = try? tmux(["kill-server"])
    try? FileManager.default.removeItem(at: folder)
  }

  /// The lines without blanks at their ends.
  func text() throws -> String {
    try tmux(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).prefix(size.rows)
      .map { line in String(line.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
  }

  /// The cells as they look.
  func looks() throws -> ScreenEmulator {
    var emulator = ScreenEmulator(size: size)
    // Cells that were never written have no style, and tmux leaves them out.
    let lines = try tmux(["capture-pane", "-e", "-p", "-N"]).split(separator: "\n", omittingEmptySubsequences: false)
    for (row, line) in lines.prefix(size.rows).enumerated() {
      emulator.feed(Array("\u{1B}[\(row + 1);1H\(line)".utf8))
    }
    return emulator
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["tmux", "-u", "-S", folder.appendingPathComponent("socket").path] + arguments
    process.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder.path]
    let output = Foundation.Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
