import Foundation
import SharedMaterial
import Testing

/// Resize storms, long and hostile pastes, late replies, a blocked terminal, and widths on which terminals disagree.
@Suite(.serialized)
struct StressTests {
  /// Resizes the terminal device itself, so that the kernel signals each change to the program: tmux would merge them.
  private func storm(_ session: TerminalSession, rows: Int, columns: Int) throws {
    let device = open(try session.pane("pane_tty"), O_RDWR | O_NOCTTY | O_CLOEXEC)
    #expect(device >= 0)
    defer { close(device) }
    func resize(_ rows: Int, _ columns: Int) {
      var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
      #expect(ioctl(device, UInt(TIOCSWINSZ), &size) == 0)
      // At most a hundred changes a second.
      usleep(10_000)
    }
    for step in 0...100 {
      let left = abs(50 - step)
      resize(1 + (rows - 1) * left / 50, 1 + (columns - 1) * left / 50)
    }
    for step in 0..<50 { resize(1 + step * 7 % rows, 1 + step * 31 % columns) }
    resize(rows, columns)
  }

  @Test func manyResizesLeaveACorrectScreen() throws {
    let session = try TerminalSession.onMaYun()
    try session.wait("a quiet screen") { $0.contains("Space mark") }
    let before = try session.styledScreen()
    try storm(session, rows: 30, columns: 100)
    try session.wait("the screen as it was") { _ in (try? session.styledScreen()) == before }
    try session.press("C-l")
    try session.type("'z")
    try session.wait("keys to work") { $0.selectedLine.contains("曾国藩") }
    try session.type("'m")
    try session.wait("the screen as it was") { _ in (try? session.styledScreen()) == before }
  }

  @Test func aMegabyteIsPastedAsTextAndRunsNoCommand() throws {
    let session = try TerminalSession.onMaYun()
    let text = String(repeating: "q d y \u{1b}:wq\r\n李小龙 0123\t\u{03}\u{1a}", count: 36_000)
    #expect(text.utf8.count > 1_000_000)
    try session.type("a")
    try session.wait(for: "New contact")
    let clock = ContinuousClock()
    let start = clock.now
    try session.paste(text + "THE END")
    try session.wait(for: "THE END", "New contact")
    print("a paste of \(text.utf8.count) bytes until it is shown: \(clock.now - start)")
    try session.press("C-s")
    try session.wait("the long name to be refused") { $0.contains("✗") && $0.contains("New contact") }
    try session.press("Escape")
    try session.wait(for: "y  ")
    try session.type("y")
    try session.wait("the list as it was") { $0.selectedLine.contains("马云") }
    #expect(try session.run("stats", "--format", "json").output.contains("\"contacts\": 10,"))
  }

  @Test func aNoteKeepsPastedLinesAndTheSearchTakesAnyLength() throws {
    let session = try TerminalSession.onMaYun()
    let line = "line\u{1b}[31m of\u{07} a note\n"
    let text = String(repeating: line, count: 1_000)
    try session.type("/")
    try session.paste(text)
    try session.wait(for: "No match")
    try session.press("Escape")
    try session.wait("the list as it was") { $0.selectedLine.contains("马云") }
    try session.type("e")
    try session.wait(for: "Section M")
    // The note is the last row of the form.
    for _ in 0..<6 { try session.press("NPage") }
    try session.paste(text)
    try session.wait(for: "line[31m of a note")
    try session.press("C-s")
    try session.wait(for: "Saved")
    let json = try session.run("show", session.id(of: "马云"), "--format", "json").output
    #expect(json.contains(String(repeating: "line[31m of a note\\n", count: 1_000)))
  }

  /// Replies that were never requested or arrive too late must not be taken for typed text, nor change the colors.
  @Test func lateTerminalRepliesAreNotText() throws {
    let session = try TerminalSession.onMaYun()
    // The first reply about the background was requested, and is late because tmux sends none; the others were not.
    let plain = try session.styledScreen()
    try session.send("\u{1b}]11;rgb:1e1e/1e1e/2e2e\u{1b}\\")
    try session.wait("the colors for a dark background") { _ in (try? session.styledScreen()) != plain }
    let answers =
      "\u{1b}[?62;22c\u{1b}[>1;10;0c\u{1b}[24;80R\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\\u{1b}P>|xterm(390)\u{1b}\\"
      + "\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[?2026;2$y\u{1b}[I\u{1b}[O\u{1b}[?1u\u{1b}[4;600;800t\u{1b}[?997;1n"
    let before = try session.styledScreen()
    try session.send(answers)
    try session.type("/")
    try session.wait(for: "found")
    try session.send(answers)
    try session.type("lxl")
    try session.send(answers)
    try session.wait(for: "1 found")
    #expect(try session.screen().split(separator: "\n")[0].hasPrefix(" / lxl "))
    try session.press("Escape")
    try session.wait("all contacts") { $0.contains("of 10") && $0.contains("Space mark") }
    try session.type("'m")
    try session.wait("the screen as it was") { _ in (try? session.styledScreen()) == before }
  }

  /// A terminal that accepts no more output: the program hangs in a write, and must still end.
  @Test func endsEvenIfTheTerminalIsBlocked() throws {
    var master: Int32 = -1
    var slave: Int32 = -1
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&master, &slave, nil, nil, &size) == 0)
    defer {
      close(master)
      close(slave)
    }
    let program = try Program()
    try program.run("demo", "--contacts", "50")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.environment = [
      "ADDRESSBOOK_FILE": program.book, "HOME": program.folder.path, "LANG": "C.UTF-8", "TERM": "xterm",
    ]
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The list is complete once its last line is shown.
    var seen = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !seen.contains("quit") {
      let count = read(master, &buffer, buffer.count)
      try #require(count > 0)
      seen += String(decoding: buffer[0..<count], as: UTF8.self)
    }
    #expect(tcflow(slave, TCOOFF) == 0)
    #expect(write(master, "j", 1) == 1)
    let start = ContinuousClock.now
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
    print("a hanging program ended after \(ContinuousClock.now - start)")
    _ = tcflow(slave, TCOON)
  }

  /// Whatever the names contain, the line between list and detail is in one column of the terminal. To check this, the
  /// program is stopped, and the window is cut after that column.
  @Test(
    .enabled(if: SharedMaterial.hostileFiles.isNamed, "HOSTILE_CORPUS is not set"),
    arguments: ["term-control.vcf", "term-bidi.vcf", "term-width.vcf"])
  func hostileNamesDoNotShiftColumns(name: String) throws {
    let corpus = SharedMaterial.hostileFiles.path
    let session = try TerminalSession(columns: 120, rows: 50)
    #expect(try session.run("import", corpus + "/" + name).status == 0)
    // As the child of another shell: tmux continues its own children when they are stopped.
    try session.type("clear; exec /bin/sh -c '\(Program.path); true'\n")
    let screen = try session.wait(for: "Space mark")
    let body = screen.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().prefix(48)
    #expect(body.allSatisfy { $0.contains("│") })
    // On an empty line, each character counts as one column.
    let blank = try #require(body.last)
    let column = blank.prefix { $0 != "│" }.count
    let program = try session.jobID()
    #expect(kill(program, SIGSTOP) == 0)
    defer { kill(program, SIGCONT) }
    try session.resize(columns: column + 1, rows: 50)
    let cut = try session.screen().split(separator: "\n", omittingEmptySubsequences: false).dropFirst().prefix(48)
    #expect(cut.count == 48)
    for line in cut { #expect(line.hasSuffix("│"), "\(line)") }
    try session.resize(columns: column, rows: 50)
    #expect(try !session.screen().contains("│"))
  }
}
