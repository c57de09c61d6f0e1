import Foundation
import SharedMaterial
import TerminalKit

/// A separate tmux server with one pane that shows bytes: an independent terminal to compare with.
public final class TmuxScreen {
  private static let program = "/usr/bin/tmux"
  /// True if tmux is installed.
  public static var isInstalled: Bool { access(program, X_OK) == 0 }

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tmux-\(UUID().uuidString)")
  private let name = "reference-\(UUID().uuidString)"
  private let size: Size
  private static let finished = "all is shown"

  /// Shows the bytes, and returns once all of them are on the screen.
  public init(size: Size, showing bytes: [UInt8]) throws {
    self.size = size
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    // The title shows that the bytes before it were read. It is not part of any cell.
    let mark = Array("\u{18}\u{1B}]2;\(Self.finished)\u{7}".utf8)
    try Data(bytes + mark).write(to: folder.appendingPathComponent("bytes"))
    let configuration = folder.appendingPathComponent("tmux.conf").path
    try "set -g status off\nset -g default-terminal xterm-256color\nset -g history-limit 0\n"
      .write(toFile: configuration, atomically: true, encoding: .utf8)
    // Raw mode, as in a full-screen program; the pane stays while cat waits for keys that never come. If the tests
    // crash, nothing kills the server, so a timeout ends cat, and the server ends with its only pane.
    try tmux(
      "-f", configuration, "new-session", "-d", "-x", String(size.columns), "-y", String(size.rows),
      "stty raw -echo; exec timeout --foreground 120 cat '\(folder.path)/bytes' -")
    let deadline = Date().addingTimeInterval(20)
    while try tmux("display-message", "-p", "#{pane_title}") != Self.finished + "\n" {
      guard Date() < deadline else { throw Failed(reason: "The bytes were not shown in 20 seconds.") }
      usleep(5_000)
    }
  }

  deinit {
    _ = try? tmux("kill-server")
    try? FileManager.default.removeItem(at: folder)
  }

  /// Returns the lines without trailing blanks, and without left-to-right marks, which tmux keeps after some characters
  /// only.
  public func text() throws -> String {
    try lines("capture-pane", "-p").map { line in
      var line = String(line)
      line.unicodeScalars.removeAll { $0 == "\u{200E}" }
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }

  /// Returns the visible cells, and how many of each line tmux reports: it does not report the background of cells at
  /// the end of a line that were erased and never written.
  public func styledCells() throws -> (cells: ScreenEmulator, reportedColumns: [Int]) {
    var emulator = ScreenEmulator(size: size)
    var reportedColumns = Array(repeating: 0, count: size.rows)
    for (row, line) in try lines("capture-pane", "-e", "-p", "-N").enumerated() {
      emulator.feed(Array("\u{1B}[\(row + 1);1H\(line)".utf8))
      reportedColumns[row] = emulator.columnsBeforeCursor
    }
    return (emulator, reportedColumns)
  }

  /// Returns the cursor; in the last column even if the next character would start a new line.
  public func cursor() throws -> Point {
    let numbers = try tmux("display-message", "-p", "#{cursor_y} #{cursor_x}").split(whereSeparator: \.isWhitespace)
      .compactMap { Int($0) }
    guard numbers.count == 2 else { throw Failed(reason: "no cursor") }
    return Point(row: numbers[0], column: min(numbers[1], size.columns - 1))
  }

  private func lines(_ arguments: String...) throws -> [Substring] {
    try tmux(arguments).split(separator: "\n", omittingEmptySubsequences: false).prefix(size.rows).map { $0 }
  }

  @discardableResult
  private func tmux(_ arguments: String...) throws -> String { try tmux(arguments) }

  private func tmux(_ arguments: [String]) throws -> String {
    let result = try CommandResult.run(
      Self.program, ["-u", "-L", name] + arguments,
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder.path, "TMUX_TMPDIR": folder.path,
      ])
    guard result.status == 0 else { throw Failed(reason: result.errors) }
    return result.output
  }

  /// tmux failed, or did not show the bytes in time.
  public struct Failed: Error {
    /// The error message.
    public var reason: String
  }
}

extension ScreenEmulator {
  /// Returns the differences from tmux, one line each; empty if there are none.
  public func differences(from tmux: TmuxScreen) throws -> [String] {
    let (styled, reportedColumns) = try tmux.styledCells()
    var differences = unknown.map { "\($0) is not known here" } + styled.unknown.map { "\($0) came from tmux" }
    let ours = text.split(separator: "\n", omittingEmptySubsequences: false)
    let theirs = try tmux.text().split(separator: "\n", omittingEmptySubsequences: false)
    for row in 0..<max(ours.count, theirs.count) {
      let (our, their) = (row < ours.count ? ours[row] : "", row < theirs.count ? theirs[row] : "")
      if our != their {
        differences.append("line \(row) is \(our.debugDescription) instead of \(their.debugDescription)")
      }
    }
    guard differences.isEmpty else { return differences }
    for row in rows.indices {
      for column in 0..<reportedColumns[row] where style(row, column) != styled.style(row, column) {
        differences.append("\(row):\(column) is \(style(row, column)) instead of \(styled.style(row, column))")
      }
    }
    let cursor = try tmux.cursor()
    if cursor != self.cursor { differences.append("the cursor is at \(self.cursor) instead of \(cursor)") }
    return differences
  }
}
