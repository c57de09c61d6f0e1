import Foundation
import SharedMaterial
import Testing

/// The output that mutt, neomutt and aerc read.
@Suite struct MailProgramTests {
  let program: Program

  init() throws { program = try Program() }

  @Test func queryPrintsAHeaderThenAddressNameAndOther() throws {
    try program.run(
      "add", "--set", "given=国藩", "--set", "family=曾", "--set", "email[home]=zeng@example.com", "--set",
      "email[work]=office@example.org", "--set", "organization=湘军")
    try program.run("add", "--set", "name=Ann", "--set", "email=ann@example.com")
    let result = try program.run("query", "zengg")
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.count == 4)
    #expect(!lines[0].contains("\t"))
    #expect(lines[1] == "zeng@example.com\t曾国藩\thome, 湘军")
    #expect(lines[2] == "office@example.org\t曾国藩\twork, 湘军")
    #expect(lines[3].isEmpty)
    let bare = try program.run("query", "--no-header", "zengg")
    #expect(bare.lines == Array(lines[1...2]))
  }

  @Test func equallyGoodMatchesGoByTheOrderOfTheList() throws {
    for name in ["Eve Kim", "Cem Kim", "Dan Kim", "Ann Kim", "Bob Kim"] {
      try program.run("add", "--set", "name=\(name)", "--set", "email=\(name.prefix(3))@example.com")
    }
    let lines = try program.run("query", "--no-header", "kim").lines
    #expect(lines.map { $0.prefix(3) } == ["Ann", "Bob", "Cem", "Dan", "Eve"])
    #expect(try program.contacts("kim").map { $0["id"] as? Int } == [4, 5, 2, 3, 1])
  }

  @Test func oneTypingErrorIsForgivenAndSaid() throws {
    try program.run("add", "--set", "given=Hans", "--set", "family=Müller", "--set", "email=hm@example.com")
    let mutt = try program.run("query", "müler")
    #expect(mutt.status == 0 && mutt.lines.count == 2 && mutt.errors.isEmpty)
    #expect(mutt.lines[0] == "no match for “müler”; similar: 1 email address")
    let aerc = try program.run("query", "--no-header", "müler")
    #expect(aerc.lines == ["hm@example.com\tHans Müller\t"] && aerc.errors.contains("these are similar"))
    let json = try program.run("query", "--format", "json", "müler")
    #expect(json.output.contains("\"corrected\": true") && json.errors.contains("these are similar"))
    #expect(json.output.contains("\"matches\": [{\"field\": \"name\", \"ranges\": [[5, 11]]}]"))
    let exact = try program.run("query", "--format", "json", "müller")
    #expect(!exact.output.contains("corrected") && exact.errors.isEmpty)
    // A list, which only filters, and a command that shows contacts do not guess.
    #expect(try program.run("list", "müler").status == 1 && program.run("show", "müler").status == 1)
  }

  @Test func noMatchIsStatusOneAndOneLine() throws {
    try program.run("add", "--set", "name=Ann", "--set", "email=ann@example.com")
    let mutt = try program.run("query", "nobody")
    #expect(mutt.status == 1)
    #expect(mutt.lines.count == 1)
    #expect(!mutt.output.contains("@"))
    let aerc = try program.run("query", "--no-header", "nobody")
    #expect(aerc.status == 1)
    #expect(aerc.output.isEmpty)
    #expect(try program.run("query", "").status == 1)
  }

  @Test func aNameCannotAddAnAddressOrALine() throws {
    let text = """
      BEGIN:VCARD
      VERSION:3.0
      FN:Bob" <attacker@evil.test>\\, "X
      EMAIL:bob@example.org
      END:VCARD
      BEGIN:VCARD
      VERSION:3.0
      FN:Tab\tBob\\nSecond line
      EMAIL:tab@example.org
      END:VCARD
      BEGIN:VCARD
      VERSION:3.0
      FN:Bob
      EMAIL:a@example.org\\nb@evil.test
      END:VCARD

      """
    try program.run("import", program.file("a.vcf", text))
    let result = try program.run("query", "--no-header", "bob")
    // The address with a line end is left out.
    #expect(result.lines.count == 2)
    for line in result.lines {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      #expect(cells.count == 3)
      #expect(cells[0].count { $0 == "@" } == 1)
      #expect(!cells[0].contains("evil"))
      #expect(!line.contains("\"") && !line.contains("\\"))
    }
  }

  /// Real mutt and neomutt, which read aliases as configuration.
  @Test(arguments: ["mutt", "neomutt"].map { "/usr/bin/" + $0 }.filter(FileManager.default.isExecutableFile(atPath:)))
  func aliasesAreReadAsDataOnly(_ mail: String) throws {
    let ran = program.folder.path + "/ran"
    let command = "`touch${IFS}\(ran)`"
    let contacts = [
      (name: "C# \(command)$HOME 'x\\", address: "a\(command)@example.com"),
      (name: "O'Neil", address: "b'\(command)'$HOME#\(command)@example.com"),
    ]
    for (index, contact) in contacts.enumerated() {
      try program.run(
        "add", "--set", "name=\(contact.name)", "--set", "nickname=n\(index)", "--set", "email=\(contact.address)")
    }
    let aliases = try program.file("aliases", program.run("export", "--format", "mutt").output)
    for (index, contact) in contacts.enumerated() {
      let read = try CommandResult.run(
        mail, ["-n", "-F", aliases, "-A", "n\(index)"],
        environment: ["HOME": program.folder.path, "PATH": "/usr/bin:/bin", "TERM": "xterm"])
      #expect(read.status == 0 && read.output.contains(contact.address), "\(read)")
    }
    #expect(!FileManager.default.fileExists(atPath: ran))
  }

  @Test func jsonIsRankedWithMatchPositions() throws {
    try program.run("add", "--set", "family=王", "--set", "given=小明")
    try program.run("add", "--set", "name=Ann", "--set", "note=knows 王小明")
    let result = try program.run("query", "--format", "json", "wxm")
    let found = try #require(program.json(result.outputBytes) as? [[String: Any]])
    let first = try #require(found.first)
    #expect(first["name"] as? String == "王小明")
    let match = try #require((first["matches"] as? [[String: Any]])?.first)
    #expect(match["field"] as? String == "name")
    #expect(match["ranges"] as? [[Int]] == [[0, 3]])
    let scores = found.compactMap { $0["score"] as? Double }
    #expect(scores == scores.sorted(by: >))
  }
}
