import Foundation
import Testing

/// Text from contacts, files and arguments never reaches a terminal as a control sequence.
@Suite struct HostileTextTests {
  private static let evil = "x\u{1B}]0;pwned\u{07}\u{9B}31m\r\u{08}\u{7F}\t\u{0B}\u{202E}y\u{2028}z"

  @Test func listsAndMessagesContainNoControlCharacters() throws {
    let program = try Program()
    let object: [String: Any] = [
      "given": Self.evil, "note": Self.evil, "organization": Self.evil,
      "phones": [["label": Self.evil, "value": Self.evil]],
      "emails": [["label": "", "value": "a\u{1B}[2J@example.com"]], "groups": [Self.evil],
    ]
    let json = try JSONSerialization.data(withJSONObject: object)
    #expect(try program.run("add", "-", input: Array(json)).status == 0)
    for arguments in [
      ["list"], ["list", "--format", "tsv"], ["list", "--format", "json"], ["show", "1"], ["query", "x"],
      ["query", "--format", "json", "x"], ["group"], ["group", "list", Self.evil], ["show", "nobody" + Self.evil],
      ["import", "/no/" + Self.evil], ["edit", Self.evil, "--set", "note=x"], ["add", "--set", Self.evil],
      ["list", "--format", Self.evil], [Self.evil], ["stats"], ["group", "list", "no" + Self.evil],
    ] {
      let result = try program.run(arguments)
      #expect(isSafe(result.outputBytes), "\(arguments)")
      #expect(isSafe(result.errorBytes), "\(arguments)")
      #expect(!result.output.unicodeScalars.contains("\u{202E}") || arguments.contains("json"), "\(arguments)")
    }
    let cells = try program.run("list", "--format", "tsv").lines.map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    #expect(cells.map(\.count) == [6])
  }

  @Test func importWarningsContainNoControlCharacters() throws {
    let program = try Program()
    let text = "stray\u{1B}[31m line\r\nBEGIN:VCARD\r\nVERSION:3.0\u{1B}[2J\r\nFN:A\r\nnonsense\u{9B}\r\nEND:VCARD\r\n"
    let result = try program.run("import", program.file("a\u{1B}.vcf", text))
    #expect(result.status == 0)
    #expect(isSafe(result.errorBytes))
  }

  @Test(arguments: [
    ["list"], ["list", "--format", "tsv"], ["list", "--format", "json"], ["show", "1"],
    ["show", "1", "--format", "json"],
    ["show", "1", "--format", "vcard"], ["export"], ["export", "--vcard-version", "2.1"],
    ["export", "--vcard-version", "4.0"], ["export", "--format", "json"], ["query", "pwned"],
    ["query", "--format", "json", "pwned"], ["group"], ["show", "nobody" + evil], ["import", "/no/" + evil],
    ["export", "--output", "/no/" + evil], ["--book", "/no/" + evil, "list"], ["photo", "set", "1", "/no/" + evil],
    ["list", "--format", evil], ["--" + evil],
  ])
  func aTerminalGetsMarksForControlCharacters(arguments: [String]) throws {
    let program = try Program()
    let object: [String: Any] = [
      "given": Self.evil, "note": Self.evil, "organization": Self.evil, "groups": [Self.evil],
      "emails": [["label": "", "value": "pwned@example.com"]],
    ]
    let json = try JSONSerialization.data(withJSONObject: object)
    #expect(try program.run("add", "-", input: Array(json)).status == 0)
    let shown = try program.runOnTerminal(arguments)
    #expect(shown.contains("pwned"))
    #expect(!shown.unicodeScalars.contains("\u{202E}") && !shown.unicodeScalars.contains("\u{2028}"))
    // The terminal itself puts CR before each line end, and an import shows its progress.
    var rest = shown.replacingOccurrences(of: "\r\n", with: "\n")
    if arguments[0] == "import" { rest = rest.replacingOccurrences(of: "\r0 cards\u{1B}[K\r\u{1B}[K", with: "") }
    #expect(isSafe(Array(rest.utf8)), "\(shown.debugDescription)")
  }

  @Test func aPipeGetsTheOriginalBytes() throws {
    let program = try Program()
    let card =
      "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:a\r\nFN:A\r\nN:A;;;;\r\nNOTE:\u{1B}[31m\u{9B}\u{202E}x\r\nEND:VCARD\r\n"
    #expect(try program.run("import", program.file("a.vcf", card)).status == 0)
    for arguments in [["export"], ["show", "1", "--format", "vcard"]] {
      let output = try program.run(arguments).output
      #expect(output.contains("NOTE:\u{1B}[31m\u{9B}\u{202E}x\r\nEND:VCARD\r\n"), "\(output.debugDescription)")
    }
  }

  /// The status line shows the first invalid value of the configuration; standard error lists them all after the screen
  /// has closed.
  @Test func valuesOfTheConfigurationAreShownAsMarks() throws {
    let session = try TerminalSession()
    try session.configure(
      "theme = \"x\\u001b]2;pwned\\u0007\"\npictures = \"y\\u001b]2;pwned\\u0007\"\n")
    try session.startAsJob(waitingFor: "config.toml")
    try session.press("q")
    let shown = try session.wait(for: "addressbook: ")
    #expect(shown.contains("␛]2;pwned␇"))
    #expect(try session.pane("pane_title") != "pwned")
  }
}

extension Program {
  /// Returns the output of a run whose standard output and standard error are a terminal.
  func runOnTerminal(_ arguments: [String]) throws -> String {
    // Does what posix_openpt, unlockpt and ptsname do (see ioctl_tty(2)); Swift's Glibc module does not export them.
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var lock: Int32 = 0
    var number: Int32 = -1
    guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw POSIXError(.EIO)
    }
    let name = "/dev/pts/\(number)"
    defer { close(master) }
    let slave = open(name, O_RDWR | O_NOCTTY)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.path)
    process.arguments = arguments
    process.environment = ["ADDRESSBOOK_FILE": book, "HOME": folder.path, "LANG": "C.UTF-8", "TERM": "xterm"]
    process.standardOutput = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardInput = FileHandle.nullDevice
    process.standardError = process.standardOutput
    try process.run()
    close(slave)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[0..<count]
    }
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
