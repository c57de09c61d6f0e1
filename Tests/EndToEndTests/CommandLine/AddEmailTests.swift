import Foundation
import Testing

/// `add-email`, and how `query` prints addresses.
struct AddEmailTests {
  let program: Program

  init() throws { program = try Program() }

  private func add(_ from: String, _ arguments: String...) throws -> Program.Result {
    try program.run(["add-email"] + arguments, input: Array("\(from)\nSubject: x\n\nFrom: body@example.com\n".utf8))
  }

  @Test func theSenderOfAnEmailIsAdded() throws {
    let added = try add("From: =?GBK?B?1cXOsA==?=\n <zw@example.com>")
    #expect(added.status == 0 && added.output == "1\n" && added.errors == "added zw@example.com as a new contact: 张伟\n")
    let known = try add("From: Other Name <ZW@example.com>")
    #expect(known.status == 0 && known.output == "1\n" && known.errors == "ZW@example.com is already in the book: 张伟\n")
    #expect(try program.contacts().count == 1)
    #expect(try program.run("undo").status == 0 && program.contacts().isEmpty)
  }

  @Test func aNamesakeIsChangedOnlyOnRequest() throws {
    try program.run("add", "--set", "name=Ann Ames", "--set", "email=<mailto:old@example.com>")
    #expect(try add("From: Ann <old@example.com>").errors.contains("is already in the book"))
    let flagged = try add("From: Ann Ames <second@example.com>", "--same-name")
    #expect(flagged.output == "1\n" && flagged.errors == "added second@example.com to Ann Ames\n")
    let separate = try add("From: Ann Ames <third@example.com>")
    #expect(separate.output == "2\n")
    #expect(separate.errors.contains("as a new contact: Ann Ames\ncontact 1 is also called Ann Ames"))
    #expect(try add("From: X <fourth@example.com>", "--to", "1").errors == "added fourth@example.com to Ann Ames\n")
    #expect(try add("From: X <fifth@example.com>", "--to", "99").status == 1)
    #expect(try add("From: X <fifth@example.com>", "--to", "1", "--same-name").status == 2)
  }

  /// Two people may share an address.
  @Test func theChosenContactGetsTheAddressOfAnother() throws {
    try program.run("add", "--set", "name=Ann Ames", "--set", "email=home@example.com")
    try program.run("add", "--set", "name=Bob Ames")
    let added = try add("From: X <home@example.com>", "--to", "2")
    #expect(added.output == "2\n" && added.errors == "added home@example.com to Bob Ames\n")
    let again = try add("From: X <HOME@example.com>", "--to", "2")
    #expect(again.output == "2\n" && again.errors == "HOME@example.com is already in the book: Bob Ames\n")
    #expect(try add("From: X <home@example.com>", "--to", "99").status == 1)
    #expect(try program.contacts().map { ($0["emails"] as? [Any])?.count } == [1, 1])
  }

  @Test func otherHeaders() throws {
    #expect(try add("From: nobody\nSender: s@example.com").output == "1\n")
    #expect(
      try add("From: a@example.com\nReply-To: r@example.com", "--header", "reply-to").errors.contains("r@example.com"))
    let none = try add("From: nobody")
    #expect(none.status == 1 && none.output.isEmpty && none.errors.contains("no valid address"))
    #expect(try program.run("add-email").status == 1)
  }

  @Test func queryPrintsValidAddressesOnly() throws {
    for address in ["<ann@example.com>", "mailto:b@example.com?x=1", "no address", "Ann <c@example.com>"] {
      try program.run("add", "--set", "name=Ann", "--set", "email=\(address)")
    }
    let result = try program.run("query", "--no-header", "ann")
    #expect(
      Set(result.lines.map { String($0.prefix { $0 != "\t" }) }) == [
        "ann@example.com", "b@example.com", "c@example.com",
      ])
    let nobody = try program.run("query", "nobody")
    #expect(nobody.status == 1 && nobody.errors.isEmpty && nobody.lines.count == 1)
    let json = try program.run("query", "--format", "json", "nobody")
    #expect(json.status == 1 && json.errors.isEmpty && json.output == "[]\n")
  }
}

/// `list --columns`, `--null`, JSON lines, `birthdays`, and arguments that are not UTF-8.
struct ListFormTests {
  let program: Program

  init() throws { program = try Program() }

  @Test func columnsNullAndLines() throws {
    try program.run(
      "add", "--set", "given=Ann", "--set", "phone[home]=1", "--set", "phone[mobile]=2", "--set", "note=a\nb", "--set",
      "address[home].city=Leeds")
    try program.run("add", "--set", "given=Bob")
    let columns = "id,given,phone,phone[mobile],phones,address[home].city,note"
    #expect(
      try program.run("list", "--columns", columns, "--format", "tsv").lines.first == "1\tAnn\t1\t2\t1, 2\tLeeds\ta b")
    #expect(try program.run("list", "--columns", "note", "-0").output == "a\nb\0\0")
    #expect(try program.run("list", "--null", "--columns", "id,given").output == "1\tAnn\u{0}2\tBob\u{0}")
    let table = try program.run("list", "--columns", "given,phones")
    #expect(table.lines == ["given  phones", "Ann    1, 2", "Bob"])
    let lines = try program.run("list", "--format", "jsonl")
    #expect(lines.lines.count == 2 && lines.lines.allSatisfy { $0.hasPrefix("{\"id\": ") && $0.hasSuffix("}") })
    for wrong in [["--columns", "nothing"], ["--columns", "id", "--format", "json"], ["-0", "--format", "table"]] {
      #expect(try program.run(["list"] + wrong).status == 2)
    }
  }

  @Test func birthdays() throws {
    let formatter = DateFormatter()
    formatter.dateFormat = "MM-dd"
    // The date may change during the test, and may be 29 February.
    let (today, tomorrow) = (formatter.string(from: Date()), formatter.string(from: Date() + 86_400))
    try program.run("add", "--set", "given=Ann", "--set", "birthday=1992-\(tomorrow)")
    try program.run("add", "--set", "given=Cy")
    let table = try program.run("birthdays", "--days", "1")
    #expect(table.status == 0 && table.lines.count == 2 && table.lines[1].contains("Ann"), "\(table.output)")
    try program.run("add", "--set", "given=Bob", "--set", "birthday=--02-29")
    let json = try program.json(program.run("birthdays", "--format", "json").outputBytes)
    let all = try #require(json as? [[String: Any]])
    let ann = try #require(all.first { $0["name"] as? String == "Ann" })
    #expect(all.count == 2 && ann["days"] as? Int == (formatter.string(from: Date()) == today ? 1 : 0))
    let bob = try #require(all.first { $0["name"] as? String == "Bob" })
    #expect(bob["birthday"] as? String == "--02-29" && bob["age"] is NSNull)
    let calendar = try program.run("birthdays", "--format", "ical")
    #expect(calendar.output.hasPrefix("BEGIN:VCALENDAR\r\n") && calendar.output.hasSuffix("END:VCALENDAR\r\n"))
    #expect(calendar.output.contains("SUMMARY:Birthday of Bob\r\n") && calendar.output.contains("BYMONTHDAY=-1"))
    #expect(try program.run("birthdays", "--format", "ical").output == calendar.output)
    #expect(try Program().run("birthdays").status == 3 && program.run("birthdays", "--days=-1").status == 2)
  }

  /// Nothing is made under another name: neither a book nor a folder.
  @Test(arguments: [
    ("exec \"$0\" add --set \"$(printf 'given=\\377\\376')\"", 2, "argument 3 is not valid UTF-8"),
    ("XDG_DATA_HOME=\"$HOME/$(printf '\\377')\" exec \"$0\" add --set given=A", 2, "the value of XDG_DATA_HOME is not"),
    ("HOME=\"$HOME/$(printf '\\377')\" exec \"$0\" list", 2, "the value of HOME is not"),
    ("ADDRESSBOOK_FILE=\"$(printf '/tmp/\\377.db')\" exec \"$0\" list", 2, "the value of ADDRESSBOOK_FILE is not"),
    (
      "d=\"$HOME/$(printf 'f\\377')\"; mkdir \"$d\"; cd \"$d\"; exec \"$0\" --book a.db add --set given=A", 3,
      "The name of the current folder is not UTF-8"
    ),
    ("d=\"$HOME/$(printf 'f\\377')\"; mkdir \"$d\"; cd \"$d\"; exec \"$0\" sync .", 3, "multibyte"),
  ])
  func namesThatAreNotText(script: String, status: Int32, message: String) throws {
    let running = Process()
    running.executableURL = URL(fileURLWithPath: "/bin/sh")
    running.arguments = ["-c", script, Program.path]
    running.environment = [
      "ADDRESSBOOK_FILE": program.book, "HOME": program.folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
    ]
    let errors = Pipe()
    running.standardError = errors
    try running.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    running.waitUntilExit()
    #expect(running.terminationStatus == status && text.contains(message), "\(text)")
    let made = try FileManager.default.contentsOfDirectory(atPath: program.folder.path)
    #expect(made.allSatisfy { $0.hasPrefix("f") || status == 3 && $0.hasPrefix("book.db") }, "\(made)")
  }
}
