import Foundation
import SharedMaterial
import Testing

@Suite struct ExitStatusTests {
  let program: Program

  init() throws { program = try Program() }

  /// By default, SIGXFSZ would end the program in the middle of a write.
  @Test func aLimitOnTheSizeOfFilesIsAFailureWithAMessage() throws {
    try program.run("demo", "--contacts", "2000")
    let output = program.folder.path + "/out.vcf"
    // In units of 512 bytes.
    let result = try CommandResult.run(
      "/bin/sh", ["-c", "ulimit -f 400; exec \(Program.path) export -o \(output)"],
      environment: ["ADDRESSBOOK_FILE": program.book, "HOME": program.folder.path])
    #expect(result.status == 3, "\(result)")
    #expect(result.errors.contains(output))
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test(arguments: [
    ["--help"], ["--version"], ["list", "--help"], ["help", "import"], ["completions", "bash"],
    ["completions", "fish"],
    ["completions", "zsh"], ["group", "--help"],
  ])
  func helpGoesToStandardOutput(_ arguments: [String]) throws {
    let result = try program.run(arguments)
    #expect(result.status == 0)
    #expect(!result.output.isEmpty)
    #expect(result.errors.isEmpty)
  }

  @Test(arguments: [
    ["frobnicate"], ["list", "--format", "xml"], ["edit", "1"], ["edit"], ["add"], ["delete"], ["show"], ["import"],
    ["edit", "1", "--set", "nonsense=1"], ["edit", "1", "--set", "family"], ["list", "--unknown"],
    ["demo", "--contacts", "0"],
    ["export", "--vcard-version", "5.0"], [],
    ["import", "--format", "vcard", "--day-first", "-"], ["import", "--format", "ldif", "--charset", "GBK", "-"],
    ["import", "--format", "json", "--map", "Name=name", "-"],
  ])
  func misuseIsStatusTwo(_ arguments: [String]) throws {
    let result = try program.run(arguments)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(!result.errors.isEmpty)
    #expect(result.errors.hasSuffix("\n"))
  }

  @Test func nothingFoundIsStatusOne() throws {
    try program.run("add", "--set", "given=Ann")
    for arguments in [
      ["list", "zzz"], ["show", "99"], ["show", "zzz"], ["export", "zzz"], ["delete", "99"],
      ["edit", "99", "--set", "note=x"], ["undelete", "1"], ["group", "list", "none"],
    ] {
      let result = try program.run(arguments)
      #expect(result.status == 1, "\(arguments)")
      #expect(!result.errors.isEmpty)
    }
    // A mail program shows the message from standard output; a message on standard error would remain on its screen.
    let query = try program.run("query", "zzz")
    #expect(query.status == 1 && query.errors.isEmpty && query.lines.count == 1)
    #expect(try program.run("list", "zzz", "--format", "json").output == "[]\n")
  }

  @Test func failureIsStatusThreeAndNamesTheFile() throws {
    let text = try program.file("text.db", "this is not a book")
    for arguments in [["list"], ["add", "--set", "given=X"], ["stats"]] {
      let result = try program.run(arguments + ["--book", text])
      #expect(result.status == 3)
      #expect(result.errors.contains("text.db"))
      #expect(result.output.isEmpty)
    }
    #expect(try String(contentsOfFile: text, encoding: .utf8) == "this is not a book")
  }

  @Test func aFullOutputIsAFailure() throws {
    try program.run("add", "--set", "given=Ann")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "\"$0\" --book \"$1\" list > /dev/full 2>/dev/null", Program.path, program.book]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 3)
  }

  @Test func aClosedPipeEndsTheProgramQuietly() throws {
    try program.run("demo", "--contacts", "2000")
    let status = program.folder.path + "/status"
    let result = try CommandResult.run(
      "/bin/sh", ["-c", "{ \"$0\" list --format json; echo $? >'\(status)'; } | head -1", Program.path],
      environment: ["ADDRESSBOOK_FILE": program.book, "HOME": program.folder.path, "PATH": "/usr/bin:/bin"])
    #expect(result.output == "[\n")
    #expect(result.errors.isEmpty)
    #expect(try String(contentsOfFile: status, encoding: .utf8) == "\(128 + SIGPIPE)\n")
  }

  @Test func theBookMayBeNamedBeforeOrAfterTheSubcommand() throws {
    let other = program.folder.path + "/other.db"
    #expect(try program.run("--book", other, "add", "--set", "given=Before").status == 0)
    #expect(try program.run("add", "--book", other, "--set", "given=After").status == 0)
    #expect(try program.run("list", "--format", "tsv", "--book", other).lines.count == 2)
    #expect(!FileManager.default.fileExists(atPath: program.book))
  }

  @Test func sqlTraceGoesToStandardError() throws {
    try program.run("add", "--set", "given=Ann")
    let plain = try program.run("list")
    let traced = try program.run("list", "--sql-trace")
    #expect(traced.output == plain.output)
    #expect(traced.errors.contains("SELECT"))
  }

  @Test func messagesAreInChinese() throws {
    var program = program
    program.environment = ["LC_ALL": "zh_CN.UTF-8", "COLUMNS": "200"]
    try program.run("add", "--set", "given=Ann")
    #expect(try program.run("show", "99").errors.contains("匹配"))
    #expect(try program.run("edit", "99", "--set", "note=x").errors.contains("没有联系人"))
  }

  @Test func withoutATerminalTheInterfaceSaysSo() throws {
    let result = try program.run([])
    #expect(result.status == 2)
    #expect(result.errors.contains("--help"))
  }
}
