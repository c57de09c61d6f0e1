import AddressBookTUI
import Foundation
import Testing

/// Tables on a terminal and in a pipe.
@Suite struct TableWidthTests {
  private static let note = String(repeating: "long ", count: 12) + "end"
  private static let people = """
    [{"family": "曾", "given": "国藩", "birthday": "1811-11-26", "organization": "\(note)",
      "emails": [{"label": "", "value": "zeng.guofan.of.the.xiang.army@hunan.example.com"}],
      "phones": [{"label": "", "value": "139 2222 3333"}]},
     {"name": "Ada \(note)", "emails": [{"label": "", "value": "zeng.guofan.of.the.xiang.army@hunan.example.com"}]},
     {"name": "Ada \(note)", "emails": [{"label": "", "value": "zeng.guofan.of.the.xiang.army@hunan.example.com"}]}]
    """

  @Test(arguments: [40, 60, 100]) func aTableFitsTheTerminal(columns: Int) throws {
    let session = try TerminalSession(columns: columns, rows: 40)
    try session.run("add", "-", input: Self.people)
    try session.run("delete", "3")
    try session.run("undo")
    try session.run("delete", "2")
    try session.run("group", "add", "Friends " + Self.note, "1")
    for command in [
      "list", "list --columns id,name,emails", "undo --list", "trash", "birthdays --days 400", "duplicates",
      "group",
    ] {
      try session.type("clear; \(Program.path) \(command); echo do''ne\n")
      let lines = try session.wait(for: "done").split(separator: "\n").map(String.init)
      let table = lines.prefix { !$0.hasPrefix("done") }
      // A line that is too long continues on the next one, which then does not begin with an id.
      for line in table.dropFirst() where !line.hasPrefix("addressbook:") {
        #expect(line.first.map { $0.isNumber } ?? false, "\(command) at \(columns):\n\(lines.joined(separator: "\n"))")
      }
    }
    try session.type("clear; \(Program.path) list; echo do''ne\n")
    #expect(try session.wait(for: "done").contains("…"))
  }

  @Test func aPipeGetsEverything() throws {
    let program = try Program()
    try program.run("add", "-", input: Array(Self.people.utf8))
    let list = try program.run("list").output
    #expect(!list.contains("…") && list.contains("Ada " + Self.note) && list.contains(Self.note + "\n"))
    #expect(try program.run("list", "--columns", "name,organization,id").output.contains(Self.note + "  1\n"))
    #expect(try !program.run("duplicates").output.contains("…"))
    try program.run("delete", "2")
    #expect(try program.run("undo", "--list").output.contains("Ada " + Self.note))
    #expect(try program.run("trash").output.contains("Ada " + Self.note))
  }
}
