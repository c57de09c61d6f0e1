import Foundation
import SharedMaterial
import Testing

/// The program in a real terminal: tmux on a server of its own, which ends with the session.
///
/// Nothing here sleeps for a fixed time: a test says what it waits for, and the screen is polled until it appears.
final class TerminalSession {
  private let socket: String
  private let folder: URL
  /// The book that the program opens.
  let book: String
  /// Environment of every process of this session.
  let environment: [String: String]

  /// Starts an empty session of the given size with a shell that waits for commands.
  init(columns: Int = 100, rows: Int = 30, language: String = "C.UTF-8") throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("addressbook-e2e-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    socket = folder.appendingPathComponent("tmux").path
    book = folder.appendingPathComponent("book.db").path
    environment = [
      "HOME": folder.path, "XDG_CONFIG_HOME": folder.path + "/config", "XDG_STATE_HOME": folder.path + "/state",
      "XDG_DATA_HOME": folder.path + "/data", "ADDRESSBOOK_FILE": book, "LANG": language, "LC_ALL": language,
      "PATH": "/usr/local/bin:/usr/bin:/bin", "TERM": "xterm-256color", "PS1": "$ ",
    ]
    let configuration = folder.appendingPathComponent("tmux.conf").path
    try "set -g status off\nset -g default-terminal tmux-256color\nset -s escape-time 0\nset -g focus-events on\n"
      .write(toFile: configuration, atomically: true, encoding: .utf8)
    try tmux(
      "-f", configuration, "new-session", "-d", "-s", "s", "-x", String(columns), "-y", String(rows),
      "/bin/sh", "-i")
    try wait(for: "$")
  }

  deinit {
    let programs = programs()
    _ = try? tmux("kill-server")
    // A program that loses its terminal saves what it has, and would create the folder again.
    let deadline = Date().addingTimeInterval(10)
    while programs.contains(where: isRunning), Date() < deadline { usleep(10_000) }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Returns the pane's process and its children; none if the pane is dead.
  private func programs() -> [Int32] {
    guard let pane = try? pane("pane_pid"), let process = Int32(pane) else { return [] }
    let found = try? CommandResult.run("/usr/bin/pgrep", ["-P", pane], environment: environment)
    return [process] + (found?.output.split(separator: "\n").compactMap { Int32($0) } ?? [])
  }

  /// Returns whether the process still has its program. A zombie, whose parent has not waited for it, has none.
  private func isRunning(_ process: Int32) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")) != nil
  }

  /// Replaces the shell with the program, and waits until the screen shows the text.
  func start(_ arguments: String = "", waitingFor text: String) throws {
    try type("clear; exec \(Program.path) \(arguments)\n")
    try wait(for: text)
  }

  /// Starts the program as a job of the shell, which stays behind it.
  func startAsJob(waitingFor text: String) throws {
    try type("clear; \(Program.path)\n")
    try wait(for: text)
  }

  /// Types text; each line end is the Enter key.
  func type(_ text: String) throws {
    var rest = Substring(text)
    while let newline = rest.firstIndex(of: "\n") {
      if newline > rest.startIndex { try tmux("send-keys", "-t", "s", "-l", "--", String(rest[..<newline])) }
      try tmux("send-keys", "-t", "s", "Enter")
      rest = rest[rest.index(after: newline)...]
    }
    if !rest.isEmpty { try tmux("send-keys", "-t", "s", "-l", "--", String(rest)) }
  }

  /// Presses keys by tmux's names: `C-s`, `Escape`, `Down`.
  func press(_ keys: String...) throws {
    for key in keys { try tmux("send-keys", "-t", "s", key) }
  }

  /// Pastes text as a terminal does, bracketed if the program has enabled bracketed paste.
  func paste(_ text: String) throws {
    let file = folder.appendingPathComponent("paste").path
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    try tmux("load-buffer", file)
    try tmux("paste-buffer", "-p", "-t", "s")
  }

  /// Sends bytes as the terminal itself would, such as a report of the mouse.
  func send(_ bytes: String) throws {
    let file = folder.appendingPathComponent("bytes").path
    try bytes.write(toFile: file, atomically: true, encoding: .utf8)
    try tmux("load-buffer", file)
    try tmux("paste-buffer", "-r", "-t", "s")
  }

  func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-t", "s", "-x", String(columns), "-y", String(rows))
  }

  /// Returns what the screen shows, trailing blanks removed.
  func screen() throws -> String { try tmux("capture-pane", "-p", "-t", "s") }

  /// Returns the screen with the escape sequences of its colors and attributes.
  func styledScreen() throws -> String { try tmux("capture-pane", "-e", "-p", "-t", "s") }

  /// Returns the value of one of tmux's variables for the pane, such as `mouse_any_flag`.
  func pane(_ name: String) throws -> String {
    try tmux("display-message", "-p", "-t", "s", "#{\(name)}").trimmingCharacters(in: .newlines)
  }

  /// Returns tmux's most recent paste buffer.
  func buffer() throws -> String { try tmux("show-buffer") }

  /// Returns the id of the pane's process.
  func processID() throws -> Int32 { try #require(Int32(pane("pane_pid"))) }

  /// Returns the process id of the program that the shell of the pane runs.
  func jobID() throws -> Int32 {
    let found = try CommandResult.run("/usr/bin/pgrep", ["-P", String(processID())], environment: environment)
    return try #require(Int32(found.output.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// Returns the state of the shell's job as `ps` shows it, such as `T` for stopped.
  func jobState() throws -> String {
    let found = try CommandResult.run("/usr/bin/ps", ["-o", "stat=", "-p", String(jobID())], environment: environment)
    return String(found.output.prefix(1))
  }

  /// Returns whether the pane's process is gone.
  func isDead() -> Bool { (try? tmux("has-session", "-t", "s")) == nil }

  /// Polls the screen until it shows all of the texts. The screen may be seen half drawn: whoever expects two texts
  /// waits for both.
  @discardableResult
  func wait(
    for texts: String..., seconds: Double = 20, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let what = texts.map(\.debugDescription).joined(separator: " and ")
    return try wait("the screen to show \(what)", seconds: seconds, sourceLocation: sourceLocation) { screen in
      texts.allSatisfy { screen.contains($0) }
    }
  }

  /// Polls the screen until it no longer shows the text.
  @discardableResult
  func wait(
    forNo text: String, seconds: Double = 20, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    try wait("the screen to lose \(text.debugDescription)", seconds: seconds, sourceLocation: sourceLocation) {
      !$0.contains(text)
    }
  }

  /// Polls the screen until the condition holds.
  @discardableResult
  func wait(
    _ what: String, seconds: Double = 20, sourceLocation: SourceLocation = #_sourceLocation,
    until condition: (String) -> Bool
  ) throws -> String {
    let deadline = Date().addingTimeInterval(seconds)
    var last = ""
    repeat {
      last = (try? screen()) ?? ""
      if condition(last) { return last }
      usleep(10_000)
    } while Date() < deadline
    Issue.record("Waited \(seconds) s for \(what). The screen:\n\(last)", sourceLocation: sourceLocation)
    throw TimedOut()
  }

  /// Runs the program's command line on the same book, as a second process.
  @discardableResult
  func run(_ arguments: String..., input: String = "") throws -> CommandResult {
    try CommandResult.run(Program.path, arguments, environment: environment, input: input)
  }

  /// Returns whether a program is writing to the book.
  func lockIsHeld() throws -> Bool { try Program.lockIsHeld(book) }

  @discardableResult
  private func tmux(_ arguments: String...) throws -> String {
    let result = try CommandResult.run("/usr/bin/tmux", ["-u", "-S", socket] + arguments, environment: environment)
    guard result.status == 0 else { throw TmuxFailed(message: result.errors) }
    return result.output
  }

  struct TimedOut: Error {}
  struct TmuxFailed: Error { var message: String }
}
