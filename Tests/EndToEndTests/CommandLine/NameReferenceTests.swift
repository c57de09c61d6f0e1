import Foundation
import Testing

/// A contact may be named wherever a command takes an id.
@Suite struct NameReferenceTests {
  private let program: Program

  init() throws {
    program = try Program()
    let people = """
      [{"family": "李", "given": "强", "organization": "Acme"}, {"family": "Smith", "given": "Ann"},
       {"family": "Smith", "given": "Bob"}, {"name": "Anna"}, {"name": "Studio 9"},
       {"family": "王", "given": "伟东"}]
      """
    try program.run("add", "-", input: Array(people.utf8))
  }

  private func names() throws -> [String] {
    try program.run("list", "--columns", "name", "--format", "tsv").lines.sorted()
  }

  @Test func aNameIsAcceptedInPlaceOfAnID() throws {
    #expect(try program.run("edit", "李强", "--set", "note=x").output == "1\n")
    #expect(try program.run("edit", "li qiang", "--set", "note=y").output == "1\n")
    #expect(try program.run("group", "add", "Friends", "ann smith", "anna", "1").output == "2\n4\n1\n")
    #expect(try program.run("group", "remove", "Friends", "Anna").output == "4\n")
    #expect(try program.run("log", "Anna", "--format", "jsonl").lines.count == 3)
    #expect(try program.run("show", "Anna").output.hasPrefix("Anna\n"))
    let mail = Array("From: Ann <ann@example.com>\n\nHi".utf8)
    #expect(try program.run("add-email", "--to", "Ann Smith", input: mail).output == "2\n")
    #expect(try program.run("photo", "clear", "Anna").errors.contains("no photo"))
    #expect(try program.run("merge", "Ann Smith", "Anna").output == "2\n")
    #expect(try program.run("delete", "bob").output == "3\n")
    #expect(try program.run("trash", "restore", "Bob Smith").output == "3\n")
    #expect(try program.run("delete", "Bob Smith", "3").output == "3\n")
    #expect(try program.run("log", "Bob Smith").status == 0, "a deleted contact has a history too")
    #expect(try program.run("undelete", "Bob Smith").output == "3\n")
  }

  /// A name that several have changes nothing; neither does the beginning of a name, or a number.
  @Test(arguments: ["delete", "edit", "group", "log"]) func whatIsNotOneContactIsNotChanged(command: String) throws {
    let before = try names()
    func run(_ reference: String) throws -> Program.Result {
      switch command {
      case "edit": try program.run("edit", reference, "--set", "note=x")
      case "group": try program.run("group", "add", "G", reference)
      default: try program.run(command, reference)
      }
    }
    let several = try run("smith")
    #expect(several.status == 2 && several.output.isEmpty)
    #expect(
      several.errors.contains("“smith”") && several.errors.contains("\n  2  ") && several.errors.contains("\n  3  "))
    for reference in ["An", "9", "99", "王伟", "wang wei", "Acme", "nobody", "\"", "addressbook:"] {
      let result = try run(reference)
      #expect([1, 2].contains(result.status) && result.output.isEmpty, "\(reference): \(result)")
    }
    #expect(try names() == before && program.run("undo", "list", "--format", "tsv").lines.count == 1)
  }

  @Test func deletedContactsWithOneNameAreListed() throws {
    try program.run("add", "--set", "name=Anna")
    try program.run("delete", "4", "7")
    let several = try program.run("trash", "restore", "Anna")
    #expect(several.status == 2 && several.errors.contains("\n  4  Anna") && several.errors.contains("\n  7  Anna"))
    #expect(try program.run("trash", "empty", "Anna").status == 2 && program.run("trash", "empty", "Ann").status == 1)
    #expect(try program.run("trash", "--format", "tsv").lines.count == 2)
  }
}
