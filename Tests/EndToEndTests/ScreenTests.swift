import Foundation
import SharedMaterial
import Testing

/// The program in a real terminal. The goldens show what screens look like; these tests show that the parts work
/// together.
@Suite(.serialized)
struct ScreenTests {
  @Test func startsOnImportedContactsInSections() throws {
    let session = try TerminalSession.withPeople()
    try session.start(waitingFor: "马云")
    let screen = try session.wait(for: "Contacts", "李小龙", "林青霞", "Jürgen Müller", "曾国藩", "重庆火锅", "Space mark")
    let lines = screen.split(separator: "\n").map(String.init)
    let sections = lines.compactMap { line in
      line.contains("───") ? line.trimmingCharacters(in: .whitespaces).first.map(String.init) : nil
    }
    #expect(sections == ["A", "C", "J", "L", "M", "T", "Z", "#"])
  }

  @Test func showsWhatAnotherProcessWritesWithoutAKey() throws {
    let session = try TerminalSession.withPeople()
    try session.start(waitingFor: "马云")
    try session.type("'z")
    try session.wait("曾国藩 to be selected") { $0.selectedLine.contains("曾国藩") }
    try session.run("add", "--set", "family=安", "--set", "given=琪")
    try session.wait("the new contact to appear and the selection to stay") {
      $0.contains("安琪") && $0.selectedLine.contains("曾国藩")
    }
  }

  @Test func aFormAndACommandAreMergedFieldByField() throws {
    let session = try TerminalSession.onMaYun()
    let id = try session.id(of: "马云")
    try session.type("e")
    try session.wait(for: "Section M")
    try session.focus("阿里巴巴")
    try session.press("C-u")
    try session.type("Mine")
    try session.press("Tab")
    #expect(try session.run("edit", id, "--set", "organization=Theirs", "--set", "note=theirs").status == 0)
    try session.wait(for: "Another program changed: Organization, Note")
    try session.press("C-s")
    try session.wait(for: "0 of 1 decided")
    try session.type("m")
    try session.wait(for: "1 of 1 decided")
    try session.press("C-s")
    try session.wait(for: "Saved 马云")
    let json = try session.run("show", id, "--format", "json").output
    #expect(json.contains(#""organization": "Mine""#) && json.contains(#""note": "theirs""#))
  }

  @Test func aResumedScreenShowsChangesMadeMeanwhile() throws {
    let session = try TerminalSession.withPeople()
    // As the child of another shell: tmux continues its own children when they are stopped.
    try session.type("clear; exec /bin/sh -c '\(Program.path); true'\n")
    try session.wait(for: "马云")
    let program = try session.jobID()
    #expect(kill(program, SIGSTOP) == 0)
    defer { kill(program, SIGCONT) }
    // A program that is stopped during a write blocks all other writers, so let it finish the write.
    while try session.lockIsHeld() {
      #expect(kill(program, SIGCONT) == 0)
      #expect(kill(program, SIGSTOP) == 0)
    }
    for name in ["琪", "娜"] {
      #expect(try session.run("add", "--set", "family=安", "--set", "given=\(name)").status == 0)
    }
    #expect(try !session.screen().contains("安琪"))
    #expect(kill(program, SIGCONT) == 0)
    try session.wait("both new contacts") { $0.contains("安琪") && $0.contains("安娜") }
  }

  @Test func suspendsAndResumes() throws {
    let session = try TerminalSession.withPeople()
    try session.startAsJob(waitingFor: "马云")
    try session.press("C-z")
    try session.wait("the shell to be back") { !$0.contains("马云") && $0.contains("$") }
    try session.type("echo still $((40 + 2))\n")
    try session.wait(for: "still 42")
    try session.type("fg\n")
    try session.wait(for: "马云")
    try session.type("q")
    try session.wait(for: "still 42")
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGSEGV, SIGXCPU, SIGUSR1, SIGUSR2, SIGPWR, SIGALRM, SIGVTALRM, SIGIO, 40])
  func restoresTheTerminalWhenKilled(signal: Int32) throws {
    let session = try TerminalSession.withPeople()
    try session.startAsJob(waitingFor: "马云")
    #expect(kill(try session.jobID(), signal) == 0)
    try session.wait("the shell to be back") { !$0.contains("马云") }
    try session.type("stty -a | tr ' ' '\\n' | grep -cx icanon; echo whole\n")
    try session.wait("cooked mode") { $0.contains("1\nwhole") }
  }

  /// Above the limit on file sizes, a write fails; the signal does not end the program.
  @Test func aSignalAboutTheSizeOfFilesIsIgnored() throws {
    let session = try TerminalSession.withPeople()
    try session.startAsJob(waitingFor: "马云")
    #expect(kill(try session.jobID(), SIGXFSZ) == 0)
    try session.type("'z")
    try session.wait("keys to work") { $0.selectedLine.contains("曾国藩") }
  }

  @Test func nothingIsDrawnOverTheShellAfterBg() throws {
    let session = try TerminalSession.withPeople()
    // The detail pane is drawn last: a frame that is stopped half-written would go on after `bg`.
    try session.startAsJob(waitingFor: "asa@example.com")
    #expect(kill(try session.jobID(), SIGSTOP) == 0)
    try session.wait(for: "Stopped")
    // The terminal is still raw: the carriage return of Enter would not end the line.
    try session.type("stty sane; tput rmcup; clear; bg")
    try session.press("C-j")
    try session.wait("the shell to print the job, which continues") { $0.contains("[1]") && !$0.contains("马") }
    try session.wait("the job to stop again") { _ in (try? session.jobState()) == "T" }
    #expect(try session.run("add", "--set", "family=马新").status == 0)
    try session.type("clear; jobs; echo still $((40 + 2))\n")
    let screen = try session.wait(for: "still 42")
    #expect(!screen.contains("马"))
    try session.type("fg\n")
    try session.wait(for: "马新")
    try session.type("q")
    try session.wait("the shell to be back") { !$0.contains("马新") }
  }

  /// Keys come from the controlling terminal; standard input is not read.
  @Test(arguments: ["yes qdy | PROGRAM", "PROGRAM </dev/null"])
  func opensWhenStandardInputIsNotTheTerminal(command: String) throws {
    let session = try TerminalSession.withPeople()
    try session.type("clear; \(command.replacing("PROGRAM", with: Program.path)); echo status $?\n")
    try session.wait(for: "马云")
    try session.type("'z")
    try session.wait("keys to work") { $0.selectedLine.contains("曾国藩") }
    try session.type("i-\n")
    try session.wait(for: "/- does not exist")
    // Back to the typed name, to the files, and to the list.
    try session.press("Escape")
    try session.wait(forNo: "does not exist")
    try session.press("Escape")
    try session.wait(for: "type to filter")
    try session.press("Escape")
    try session.wait(for: "马云")
    try session.type("q")
    try session.wait(for: "status 0")
    try session.type("stty -a | tr ' ' '\\n' | grep -cx icanon; echo whole\n")
    try session.wait("cooked mode") { $0.contains("1\nwhole") }
    #expect(try session.run("list", "--format", "tsv").output.split(separator: "\n").count == 10)
  }

  @Test(arguments: [
    ("PROGRAM | cat", "standard output is not a terminal"), ("PROGRAM >/dev/null", "standard output is not a terminal"),
    ("setsid -w PROGRAM </dev/null", "standard input is not a terminal"),
  ])
  func theInterfaceNeedsATerminal(command: String, reason: String) throws {
    let session = try TerminalSession(columns: 220)
    try session.type("clear; \(command.replacing("PROGRAM", with: Program.path)); echo status $?\n")
    let screen = try session.wait("the end of the program") { $0.contains("status 0") || $0.contains("status 2") }
    #expect(screen.contains(reason))
    #expect(screen.contains("status 2") || command.contains("| cat"))
    #expect(!FileManager.default.fileExists(atPath: session.book))
  }

  @Test func typesPastesAndKeepsWideText() throws {
    let session = try TerminalSession.withPeople()
    try session.start(waitingFor: "马云")
    try session.type("a")
    try session.wait(for: "New contact")
    try session.paste("诸葛\u{1b}[31m")
    try session.press("Tab")
    try session.type("亮")
    try session.press("C-s")
    try session.wait("诸葛 to be saved without the control sequence") { $0.selectedLine.contains("诸葛") }
    #expect(try !session.run("list", "--format", "json").output.contains("\u{1b}"))
  }

  @Test func speaksChinese() throws {
    let session = try TerminalSession.withPeople(language: "zh_CN.UTF-8")
    try session.start(waitingFor: "通讯录")
    try session.type("?")
    try session.wait(for: "下一位联系人")
  }

  @Test func aSignalSavesTheDraftFirst() throws {
    let session = try TerminalSession.withPeople()
    try session.startAsJob(waitingFor: "马云")
    try session.type("a")
    try session.wait(for: "New contact")
    try session.type("Quine")
    try session.wait(for: "Quine")
    #expect(kill(try session.jobID(), SIGTERM) == 0)
    try session.wait(for: "Terminated")
    try session.startAsJob(waitingFor: "Quine was being")
    try session.press("Up", "Up", "Enter")
    try session.wait("the form with what was typed") { $0.contains("New contact") && $0.contains("Quine") }
  }

  @Test func aKilledProgramKeepsWhatWasTypedBeforeThePause() throws {
    let session = try TerminalSession.withPeople()
    try session.startAsJob(waitingFor: "马云")
    try session.type("a")
    try session.wait(for: "New contact")
    try session.type("Quine")
    let drafts = try #require(session.environment["XDG_STATE_HOME"]) + "/addressbook/drafts"
    try session.wait("the draft to be written") { _ in
      let files = (try? FileManager.default.contentsOfDirectory(atPath: drafts)) ?? []
      return files.contains {
        (try? String(contentsOfFile: drafts + "/" + $0, encoding: .utf8))?.contains("Quine") == true
      }
    }
    #expect(kill(try session.jobID(), SIGKILL) == 0)
    try session.wait(for: "Killed")
    // The terminal is still in raw mode, in which Enter does not end a line.
    try session.type("stty sane")
    try session.press("C-j")
    try session.startAsJob(waitingFor: "Quine was being")
  }

  @Test func importsAFileAndUndoesIt() throws {
    let session = try TerminalSession()
    try session.start(waitingFor: "empty")
    try session.type("i")
    try session.wait(for: "Import a file")
    try session.type(TerminalSession.people + "\n")
    try session.wait(for: "10 new, 0 changed, 0 the same")
    try session.press("Enter")
    try session.wait(for: "Imported 10")
    try session.wait(for: "马云")
    try session.type("u")
    try session.wait(for: "empty")
    try session.press("C-r")
    try session.wait(for: "马云")
  }

  @Test func twoScreensShowOneBook() throws {
    let first = try TerminalSession.withPeople()
    try first.start(waitingFor: "马云")
    let second = try TerminalSession()
    try second.start("--book \(first.book)", waitingFor: "马云")
    try second.type("'m")
    try second.wait("马云 to be selected") { $0.selectedLine.contains("马云") }
    try second.type("d")
    try second.wait(for: "Delete 马云?")
    try second.type("y")
    try first.wait(forNo: "136 1111 0000")
    try second.type("u")
    try first.wait(for: "136 1111 0000")
  }

  /// How the program ends by each signal, and the terminal's state afterwards, checked by an external tool.
  @Test(.enabled(if: SharedMaterial.terminalCheck.isNamed, "TERM_RESTORE_CHECK is not set"))
  func passesTheTerminalCheck() throws {
    let tool = SharedMaterial.terminalCheck.path
    let session = try TerminalSession.withPeople()
    let result = try CommandResult.run(
      "/usr/bin/env", ["python3", tool, "--wait", "2", "--", Program.path], environment: session.environment)
    #expect(result.status == 0, "\(result.errors)")
    let signals = ["TERM", "HUP", "INT", "QUIT", "ABRT", "SEGV"].map { "SIG\($0) killed by SIG\($0)" }
    let endings =
      ["normal quit exit 0"] + signals
      + ["TSTP CONT exit 0", "WINCH exit 0", "SIGKILL killed by SIGKILL", "tty closed killed by SIGHUP"]
    let lines = result.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines.count == endings.count, "\(result.output)")
    for (line, ending) in zip(lines, endings) {
      // Without the raw mode, the program was not yet on the screen when the signal came.
      #expect(line.hasPrefix(ending + " termios ") && !line.contains("was not raw"), "\(line)")
      // Nobody can restore the terminal after SIGKILL.
      if !line.hasPrefix("SIGKILL") { #expect(line.hasPrefix(ending + " termios same clean"), "\(line)") }
    }
    let stopped = try #require(lines.first { $0.hasPrefix("TSTP") })
    #expect(stopped.contains("stopped: termios same, clean | after CONT: raw True, redraw "), "\(stopped)")
    #expect(!stopped.contains("redraw 0 bytes"))
  }
}
