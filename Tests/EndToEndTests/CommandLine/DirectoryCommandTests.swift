import Foundation
import SharedMaterial
import Testing

/// Commands that search a real LDAP server on this machine.
@Suite(.enabled(if: DirectoryServer.isInstalled, "slapd is not installed")) struct DirectoryCommandTests {
  private let program: Program
  private let server: DirectoryServer

  init() throws {
    program = try Program()
    server = try DirectoryServer(entries: DirectoryPeople.company)
  }

  private func run(_ arguments: String..., at url: String? = nil) throws -> Program.Result {
    try program.run(["--book", url ?? server.url] + arguments)
  }

  @Test func muttGetsAddresses() throws {
    let result = try run("query", "sales")
    #expect(result.status == 0)
    #expect(
      result.lines == [
        "2 email addresses", "ann@example.com\tAnn Archer\tExample", "bob@example.com\tBob Berg\tExample",
      ])
    // A search in a book would not match the middle of a word.
    #expect(try run("query", "--no-header", "rche").lines == ["ann@example.com\tAnn Archer\tExample"])
    let none = try run("query", "nobody")
    #expect(none.status == 1 && none.lines.count == 1 && none.errors.isEmpty)
    var other = program
    other.environment["ADDRESSBOOK_FILE"] = server.url
    #expect(try other.run("query", "--no-header", "小龙").lines == ["lee@example.com\t李小龙\t嘉禾"])
  }

  @Test func readingCommandsWorkOnADirectory() throws {
    #expect(try run("list", "--columns", "name,emails", "--format", "tsv").lines.count == 4)
    let whole = try run("show", "ann")
    #expect(whole.output.contains("Head of Sales") && whole.output.contains("1 High Street"))
    let card = try run("export", "ann").output
    #expect(card.contains("FN:Ann Archer") && card.contains("PHOTO;"))
    let found = try #require(program.json(run("list", "--format", "json", "bob").outputBytes) as? [[String: Any]])
    #expect(found.first?["name"] as? String == "Bob Berg")
    #expect(try run("list", "--where", "title != ''").lines.count == 2)
    #expect(try run("list", "nobody").status == 1)
    // Nothing is added to the user's book.
    #expect(!FileManager.default.fileExists(atPath: program.book))
  }

  @Test func aDirectoryIsReadOnly() throws {
    for arguments in [["add", "--set", "name=X"], ["delete", "1"], ["import", "-"], ["undo"]] {
      let result = try program.run(["--book", server.url] + arguments)
      #expect(result.status == 3 && result.errors.contains("read-only"), "\(arguments) \(result.errors)")
    }
    for arguments in [["stats"], ["doctor"], ["log", "1"], ["birthdays"]] {
      let result = try program.run(["--book", server.url] + arguments)
      #expect(result.status == 2 && result.errors.contains("is a company directory"), "\(arguments) \(result.errors)")
    }
    #expect(try run("list", "--fuzzy", "ann").status == 2)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: program.folder.path).contains { $0.hasPrefix("ldap") }
        == false)
  }

  @Test func aPasswordComesFromAProgram() throws {
    var settings = DirectoryServer.Settings()
    settings.refusesStrangers = true
    let closed = try DirectoryServer(settings, entries: DirectoryPeople.company)
    #expect(try run("query", "ann", at: closed.url).status == 3)
    let user = ["--user", DirectoryServer.user.name, "--password-command"]
    func query(_ command: String) throws -> Program.Result {
      try program.run(["query", "--book", closed.url] + user + [command, "--no-header", "ann"])
    }
    #expect(try query("echo 's3cret w0rd'").lines == ["ann@example.com\tAnn Archer\tExample"])
    #expect(try query("echo s3cret\\ w0rd").status == 0)
    #expect(try query("printf %s\\\\n \"s3cret w0rd\" ignored").status == 0)
    let wrong = try query("echo wrong")
    #expect(wrong.status == 3 && wrong.errors.contains("does not accept this user and password"))
    // Without a shell, `;` does not separate commands.
    #expect(try query("echo wrong; echo 's3cret w0rd'").status == 3)
    #expect(try query("false").errors.contains("status 1"))
    #expect(try query("true").errors.contains("printed nothing"))
    #expect(try query("no-such-program").status == 3)
    #expect(try query("echo 'x").status == 2)
    #expect(try run("--user", "cn=x", "query", "ann").status == 2)
    #expect(try run("--password-command", "echo", "query", "ann").status == 2)
    // The URL can name the user.
    let named = closed.url + "????bindname=cn=admin%2cdc=example%2cdc=com"
    #expect(try program.run(["query", "--book", named, "--password-command", "echo 's3cret w0rd'", "ann"]).status == 0)
  }

  @Test func incompleteResultsAreReported() throws {
    var settings = DirectoryServer.Settings()
    settings.sizeLimit = 2
    let small = try DirectoryServer(settings, entries: DirectoryPeople.company)
    let list = try run("list", "--format", "tsv", at: small.url)
    #expect(list.status == 5 && list.lines.count == 2 && list.errors.contains("incomplete"))
    let query = try run("query", "example", at: small.url)
    #expect(query.status == 0 && query.errors.isEmpty && query.lines[0].contains("the directory has more"))
    let json = try run("query", "--format", "json", "example", at: small.url)
    #expect(json.status == 0 && json.errors.contains("the output is incomplete"))
  }

  @Test func errorsAreReported() throws {
    #expect(try run("query", "ann", at: "ldap:///dc=example").status == 2)
    #expect(try run("query", "ann", at: "ldapi://x").status == 2)
    server.stop()
    let gone = try run("query", "ann")
    #expect(gone.status == 3 && gone.output.isEmpty && gone.errors.contains("Cannot connect to 127.0.0.1"))
  }

  @Test func hostileTextStaysText() throws {
    let evil = DirectoryPeople.person(
      "evil", "Evil\u{1B}[2J\" <x@evil.test>,\t\n\u{9B}0m", "E", "E", mail: "evil@example.com",
      phone: "\u{1B}]0;x\u{07}1")
    let server = try DirectoryServer(entries: DirectoryPeople.company + "\n" + evil)
    for arguments in [["query", "--no-header", "evil"], ["list", "evil"], ["show", "evil"]] {
      let result = try program.run(["--book", server.url] + arguments)
      #expect(result.status == 0)
      if arguments[0] != "show" { #expect(isSafe(result.outputBytes), "\(arguments)") }
      if arguments[0] == "query" {
        #expect(
          result.lines.count == 1 && result.output.hasPrefix("evil@example.com\t") && !result.output.contains("\""))
      }
    }
  }
}
