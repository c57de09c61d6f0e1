import Foundation
import Testing

@Suite struct ListingCommandTests {
  let program: Program

  init() throws {
    program = try Program()
    let people = """
      [{"family": "李", "given": "小龙", "phones": [{"label": "mobile", "value": "139 2222 3333"}]},
       {"name": "Lindström", "emails": [{"label": "", "value": "asa@example.com"}]},
       {"family": "马", "given": "云", "organization": "阿里巴巴"},
       {"name": "👨‍👩‍👧‍👦 Family", "note": "two\\nrows"},
       {"name": "Åsa"}]
      """
    try program.run("add", "-", input: Array(people.utf8))
  }

  @Test func contactsAreListedInSectionOrder() throws {
    let contacts = try program.contacts()
    #expect(contacts.map { $0["name"] as? String } == ["Åsa", "李小龙", "Lindström", "马云", "👨‍👩‍👧‍👦 Family"])
    #expect(contacts.map { $0["section"] as? String } == ["A", "L", "L", "M", "#"])
  }

  @Test func contactsAreListedInAnotherOrder() throws {
    func names(_ arguments: String...) throws -> [String] {
      try program.run(["list", "--columns", "name", "--format", "tsv"] + arguments).lines
    }
    try program.run("edit", "2", "--set", "birthday=1990-03-01", "--set", "organization=Acme")
    try program.run("edit", "5", "--set", "birthday=--02-29")
    #expect(try names("--sort", "organization").prefix(2) == ["马云", "Lindström"])
    #expect(try names("--sort", "birthday") == ["Åsa", "Lindström", "李小龙", "马云", "👨‍👩‍👧‍👦 Family"])
    #expect(try names("--sort", "birthday", "--reverse", "l") == ["马云", "李小龙", "Lindström"])
    #expect(try names("--reverse").first == "👨‍👩‍👧‍👦 Family")
    #expect(try names("--sort", "name") == names())
    #expect(try names("--sort", "added").count == 5 && names("--sort", "changed").count == 5)
    #expect(try program.run("list", "--sort", "age").status == 2)
  }

  @Test func jsonHasTheKeysOfTheContract() throws {
    let contact = try #require(program.contacts("xiaolong").first)
    for key in [
      "id", "uid", "kind", "section", "name", "prefix", "given", "middle", "family", "suffix", "phoneticGiven",
      "phoneticFamily", "nickname", "organization", "department", "title", "phones", "emails", "addresses", "urls",
      "birthday", "note", "groups", "photo", "created", "modified", "version",
    ] {
      #expect(contact[key] != nil, "\(key)")
    }
    #expect(contact["birthday"] is NSNull && contact["photo"] is NSNull)
    #expect((contact["created"] as? String)?.hasSuffix("Z") == true)
  }

  @Test func tsvHasOneLinePerContact() throws {
    let lines = try program.run("list", "--format", "tsv").lines
    #expect(lines.count == 5)
    #expect(lines[1] == "1\tL\t李小龙\t139 2222 3333\t\t")
    #expect(lines.allSatisfy { $0.split(separator: "\t", omittingEmptySubsequences: false).count == 6 })
  }

  @Test func tableColumnsAreAlignedByDisplayWidth() throws {
    let lines = try program.run("list").lines
    #expect(lines.count == 6)
    #expect(lines[0].hasPrefix("ID  NAME"))
    #expect(lines[2] == "1   李小龙     139 2222 3333")
    #expect(lines[3] == "2   Lindström                 asa@example.com")
    #expect(lines[4] == "3   马云                                       阿里巴巴")
  }

  @Test func aQueryFiltersAndKeepsTheOrder() throws {
    #expect(try program.contacts("l").map { $0["name"] as? String } == ["李小龙", "Lindström", "马云"])
    #expect(try program.contacts("139", "2222").count == 1)
    #expect(try program.contacts("--", "139 2222").count == 1)
    #expect(try program.contacts("--", "-li").count == 2)
    #expect(try program.run("list", "--li").status == 2, "an unknown option")
    #expect(try program.run("list", "--", "--li").status == 0, "a word")
    #expect(try program.contacts("two").map { $0["name"] as? String } == ["👨‍👩‍👧‍👦 Family"])
    #expect(try program.contacts("-li").count == 2)
  }

  /// `list -n 5` would find what has a 5 and no n.
  @Test func anUnknownOptionOfOneLetterIsNotASearchWord() throws {
    for command in [["list"], ["show"], ["export"], ["query"], ["group", "smart", "G"]] {
      for arguments in [["-n", "5"], ["x", "-q"], ["-7"]] {
        let result = try program.run(command + arguments)
        let option = arguments.first { $0.hasPrefix("-") } ?? ""
        #expect(result.status == 2 && result.output.isEmpty, "\(command + arguments)")
        #expect(result.errors.contains("Unknown option “\(option)”") && result.errors.contains("write -- \(option)\n"))
      }
    }
    #expect(try program.contacts("--", "-l").map { $0["name"] as? String } == ["Åsa", "👨‍👩‍👧‍👦 Family"])
    #expect(try program.contacts("-李").count == 4 && program.contacts("-lind").count == 4)
  }

  @Test func anUnknownSearchFieldSaysWhichThereAre() throws {
    for (command, status) in [
      (["list", "city:berlin"], 2), (["list", "--format", "json", "-l", "city:berlin"], 2), (["export", "city:x"], 2),
      (["show", "nmae:li"], 2), (["query", "--format", "json", "城市:柏林"], 2),
      (["group", "smart", "G", "city:berlin"], 2),
      (["list", "has:city"], 2), (["query", "city:berlin"], 1),
    ] as [([String], Int32)] {
      let result = try program.run(command.map { $0 == "-l" ? "l" : $0 })
      let message = command[0] == "query" && status == 1 ? result.output : result.errors
      #expect(result.status == status && message.contains("there is no search field"), "\(command): \(result)")
      #expect(message.contains(command.last == "has:city" ? "has:birthday" : "org:"), "\(message)")
    }
    // What only looks like a field.
    for text in ["http://example.com/x", "12:30", "mailto:a@b.c", "x:y", "city:", "fe80::1", "\"city:berlin\""] {
      let result = try program.run("list", text)
      #expect(result.status == 1 && !result.errors.contains("search field"), "\(text): \(result.errors)")
    }
    // Text of a contact is found.
    try program.run("edit", "3", "--set", "note=skype:mayun see:also")
    #expect(try program.contacts("skype:mayun").count == 1 && program.contacts("see:also").count == 1)
    #expect(try program.run("group", "smart", "G", "skype:mayun").status == 0)
  }

  @Test func showFindsByIDUIDAndQuery() throws {
    #expect(try program.run("show", "3").output.contains("阿里巴巴"))
    let object = try #require(
      program.json(program.run("show", "mayun", "--format", "json").outputBytes) as? [String: Any])
    let uid = try #require(object["uid"] as? String)
    #expect(try program.run("show", uid).output.contains("马云"))
    #expect(try program.run("show", "4").lines.contains { $0.hasSuffix("rows") })
    #expect(try program.run("show", "1", "--format", "vcard").output.hasPrefix("BEGIN:VCARD\r\n"))
  }

  @Test func phoneticNamesReplaceTheGuess() throws {
    let program = try Program()
    try program.run(
      "add", "--set", "family=陈", "--set", "given=海洋", "--set", "phoneticFamily=tan", "--set", "phone=1")
    try program.run("add", "--set", "family=Smith", "--set", "phoneticFamily=Smit")
    #expect(try program.run("show", "1").output.contains("tan hǎi yáng"))
    #expect(try program.run("show", "2").lines.contains { $0.hasSuffix("  Smit") })
    for query in ["thy", "tanhai"] { #expect(try program.run("list", query).output.contains("陈海洋"), "\(query)") }
  }

  @Test func statsCounts() throws {
    let object = try #require(
      program.json(program.run("stats", "--format", "json").outputBytes) as? [String: Int])
    #expect(object["contacts"] == 5)
    #expect(object["phones"] == 1)
    #expect(try program.run("stats").status == 0)
  }

  @Test func demoIsDeterministic() throws {
    let other = try Program()
    try program.run("--book", program.folder.path + "/a.db", "demo", "--contacts", "200", "--seed", "7")
    try other.run("demo", "--people", "200", "--seed", "7")  // the former name of the option
    let mine = try program.run("list", "--format", "tsv", "--book", program.folder.path + "/a.db").output
    let theirs = try other.run("list", "--format", "tsv").output
    #expect(mine == theirs)
    #expect(mine.split(separator: "\n").count == 200)
  }

  /// An empty list is an empty list in each format, a message, and status 1.
  @Test(arguments: ["list", "group list", "folder list", "trash list", "backup list", "birthdays", "duplicates"])
  func anEmptyListSaysSo(command: String) throws {
    let empty = try Program()
    try empty.run("add", "--set", "name=Ann")
    try empty.run("delete", "1")
    try empty.run("trash", "empty")
    try? FileManager.default.removeItem(atPath: empty.book + ".backups")
    for (format, output) in [("table", ""), ("tsv", ""), ("json", "[]\n"), ("jsonl", "")] {
      let result = try empty.run(command.split(separator: " ").map(String.init) + ["--format", format])
      #expect(result.status == 1 && result.output == output, "\(format): \(result)")
      #expect(result.errors.hasPrefix("addressbook: ") && result.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func everyListHasTheSameFormats() throws {
    try program.run("group", "add", "Friends", "1", "2")
    try program.run("group", "smart", "L", "lind")
    try program.run("delete", "5")
    for (command, count) in [
      ("list", 4), ("group list", 2), ("group list Friends", 2), ("trash list", 1), ("undelete", 1), ("undo list", 4),
      ("backup list", 1),
    ] {
      let arguments = command.split(separator: " ").map(String.init)
      func lines(_ format: String) throws -> [String] {
        let result = try program.run(arguments + ["--format", format])
        #expect(result.status == 0 && result.errors.isEmpty, "\(command): \(result.errors)")
        return result.lines
      }
      #expect(try lines("table").count == count + 1 && lines("table") == program.run(arguments).lines, "\(command)")
      #expect(try lines("tsv").count == count, "\(command)")
      let objects = try lines("jsonl").map { try program.json(Array($0.utf8)) as? NSDictionary }
      let array = try program.json(program.run(arguments + ["--format", "json"]).outputBytes) as? [NSDictionary]
      #expect(objects.count == count && objects == array, "\(command)")
    }
    // The old spellings.
    #expect(try program.run("undo", "--list").output == program.run("undo", "list").output)
    #expect(try program.run("undo", "--list", "--format", "json").output.hasPrefix("[\n{\"step\": 4"))
    #expect(try program.run("backup", "--list").output == program.run("backup", "list").output)
    for command in ["show 1", "stats", "doctor"] {
      let arguments = command.split(separator: " ").map(String.init)
      #expect(try program.run(arguments + ["--format", "text"]).output == program.run(arguments).output, "\(command)")
    }
  }

  @Test func eightProcessesAddAtOnce() throws {
    let runs = try (0..<8).map { number in try program.start(["add", "--set", "given=Worker\(number)"]) }
    for run in runs { run.wait(60) }
    let ids = try runs.map { try $0.result().output }
    #expect(Set(ids).count == 8)
    #expect(try program.contacts("worker").count == 8)
  }
}
