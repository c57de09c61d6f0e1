import Foundation
import Testing

/// Links and copied text, in a real terminal.
@Suite(.serialized)
struct LinkTests {
  /// Creates a program that records its arguments and whether it has a terminal.
  private func opener(in folder: String) throws -> (program: String, record: String) {
    let program = folder + "/fake opener"
    let record = folder + "/opened"
    let script = """
      #!/bin/sh
      { printf '%s|' "$#" "$@"; tty; } >'\(record).part' 2>&1
      mv '\(record).part' '\(record)'
      """
    try script.write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    return (program, record)
  }

  private func wait(forFile path: String) throws -> String {
    let deadline = Date().addingTimeInterval(20)
    while Date() < deadline {
      if let data = FileManager.default.contents(atPath: path) { return String(decoding: data, as: UTF8.self) }
      usleep(10_000)
    }
    Issue.record("Waited for \(path)")
    return ""
  }

  /// Links are sent only if the terminal supports them according to the environment or the configuration.
  @Test(arguments: [
    ("", ["VTE_VERSION": "7006"], true), ("links = \"on\"\n", [:], true), ("", [:], false),
    ("links = \"off\"\n", ["VTE_VERSION": "7006"], false), ("", ["VTE_VERSION": "7006", "NO_COLOR": "1"], true),
  ])
  func linksAreSentToTheTerminal(
    configuration: String, environment: [String: String], isTold: Bool
  ) throws {
    let program = try Program()
    let added = try program.run(
      "add", "--set", "family=Lee", "--set", "url=https://example.com/李", "--set", "email=lee@example.com")
    #expect(added.status == 0, "\(added.errors)")
    let folder = program.folder.path + "/config/addressbook"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try configuration.write(toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
    let session = try PictureSession(program, environment: environment)
    try session.wait("the detail") { $0.count(of: "lee@example.com") > 0 && $0.count(of: "example.com/李") > 0 }
    if isTold {
      try session.wait("the links") {
        $0.count(of: ";https://example.com/%E6%9D%8E\u{1B}\\https://example.com/李\u{1B}]8;;\u{1B}\\") > 0
          && $0.count(of: ";mailto:lee@example.com\u{1B}\\lee@example.com\u{1B}]8;;\u{1B}\\") > 0
      }
    }
    session.press("q")
    #expect(try session.end() == 0)
    #expect((session.count(of: "\u{1B}]8;") > 0) == isTold)
  }

  /// With `set-clipboard off`, tmux drops what a program sends to the terminal's clipboard.
  @Test func insideTmuxTheBufferGetsTheCopiedText() throws {
    let session = try TerminalSession()
    try session.type("tmux set -s set-clipboard off\n")
    try session.run("add", "--set", "family=Lee", "--set", "phone[mobile]=139 2222 3333")
    try session.start(waitingFor: "Lee")
    try session.type("y")
    try session.wait(for: "Copied 139 2222 3333 to tmux’s buffer")
    #expect(try session.buffer() == "139 2222 3333")
  }

  @Test func theConfiguredProgramReadsTheCopiedText() throws {
    let session = try TerminalSession()
    let record = try #require(session.environment["HOME"]) + "/copied"
    try session.configure("copy = [\"/bin/sh\", \"-c\", \"cat >'\(record)'; tty >>'\(record)'; exit $#\"]\n")
    try session.run("add", "--set", "family=Lee", "--set", "email=$(id)@example.com")
    try session.start(waitingFor: "Lee")
    try session.type("y")
    try session.wait(for: "Copied $(id)@example.com.")
    #expect(try String(contentsOfFile: record, encoding: .utf8) == "$(id)@example.comnot a tty\n")
    let other = try TerminalSession()
    try other.configure("copy = [\"false\"]\n")
    try other.run("add", "--set", "family=Lee", "--set", "email=lee@example.com")
    try other.start(waitingFor: "Lee")
    try other.type("y")
    try other.wait(for: "Nothing was copied")
  }

  @Test func aLinkGoesToTheProgramAsOneArgumentWithoutAShell() throws {
    let session = try TerminalSession()
    let home = try #require(session.environment["HOME"])
    let (program, record) = try opener(in: home)
    try session.configure("open = [\"\(program)\", \"--new tab\", \"at={}\"]\n")
    try session.run(
      "add", "--set", "family=Lee", "--set", "url[homepage]=http://a.test/$(id)`id`;x|y>z 'q'", "--set",
      "url[work]=javascript:alert(1)", "--set", "url[other]=-oProxyCommand=x")
    try session.start(waitingFor: "Lee")
    try session.type("o")
    try session.wait(for: "javascript:alert(1)")
    try session.press("Down")
    try session.press("Enter")
    try session.wait(for: "Only http:// and https:// addresses")
    try session.type("o")
    try session.wait(for: "Esc cancel")
    try session.press("End", "Enter")
    try session.wait(for: "not -oProxyCommand")
    #expect(!FileManager.default.fileExists(atPath: record))
    try session.type("o")
    try session.wait(for: "Esc cancel")
    try session.press("Enter")
    try session.wait(for: "Opening http://a.test/")
    #expect(
      try wait(forFile: record) == "2|--new tab|at=http://a.test/$(id)%60id%60;x%7Cy%3Ez%20'q'|not a tty\n")
  }

  /// A program that uses the terminal gets its keys, can be interrupted and stopped, and gives the terminal back.
  @Test func aProgramOnTheTerminal() throws {
    let session = try TerminalSession()
    let home = try #require(session.environment["HOME"])
    let program = home + "/mail er"
    try "#!/bin/sh\necho to \"$1\"\nread line\necho \"$#|$line|$(tty)\" >\"$HOME/typed\"\n".write(
      toFile: program, atomically: true, encoding: .utf8)
    chmod(program, 0o700)
    try session.configure("[open]\nmail = \"'\(program)' {}\"\nterminal = ['mail']\n")
    try session.run("add", "--set", "family=Lee", "--set", "email=lee@example.com")
    try session.startAsJob(waitingFor: "Lee")
    try session.type("o")
    let screen = try session.wait(for: "to mailto:lee@example.com")
    #expect(!screen.contains("Lee"))
    try session.press("C-c")
    try session.wait(for: "All contacts")
    #expect(!FileManager.default.fileExists(atPath: home + "/typed"))
    try session.type("o")
    try session.wait(for: "to mailto:")
    try session.press("C-z")
    try session.wait("the shell") { $0.hasSuffix("$") || $0.contains("$ \n") || $0.contains("Stopped") }
    try session.type("fg\nhello\n")
    try session.wait(for: "All contacts", "Lee")
    #expect(try wait(forFile: home + "/typed").hasPrefix("1|hello|/dev/"))
    try session.type("q")
    try session.wait(forNo: "All contacts")
  }
}
