import Foundation
import Testing

/// `--where`, and the URI of a contact.
@Suite struct ConditionTests {
  let program: Program

  init() throws {
    program = try Program()
    let people = """
      [{"family": "李", "given": "小龙", "organization": "Ácme", "phones": [{"label": "mobile", "value": "+86 139"}]},
       {"given": "Bob", "organization": "acme", "emails": [{"label": "", "value": "bob@example.com"}]},
       {"given": "Åsa", "organization": "Acme", "emails": [{"label": "", "value": "asa@example.com"}],
        "phones": [{"label": "", "value": "+86 1"}], "groups": ["friends"]}]
      """
    try program.run("add", "-", input: Array(people.utf8))
  }

  private func names(_ result: Program.Result) throws -> [String] {
    let contacts = try #require(try JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [[String: Any]])
    return contacts.compactMap { $0["name"] as? String }
  }

  @Test func aConditionKeepsTheOrderOfTheList() throws {
    let condition = "ANY phones.value BEGINSWITH '+86' AND organization CONTAINS[cd] 'acme'"
    let list = try program.run("list", "--format", "json", "--where", condition)
    #expect(try names(list) == ["Åsa", "李小龙"])
    let table = try program.run("list", "--where", "organization = 'acme'").lines
    #expect(table.count == 2 && table[1].contains("Bob"))
  }

  @Test func wordsAndConditionMustBothMatch() throws {
    let condition = ["--where", "organization CONTAINS[cd] 'acme'"]
    #expect(try names(program.run(["list", "asa", "--format", "json"] + condition)) == ["Åsa"])
    #expect(try program.run(["list", "asa", "--where", "given = 'Bob'"]).status == 1)
    let query = try program.run(["query", "example", "--no-header"] + ["--where", "ANY groups.name = 'friends'"])
    #expect(query.lines == ["asa@example.com\tÅsa\tAcme"])
    let alone = try program.run(["query", "--no-header"] + condition)
    #expect(alone.lines == ["asa@example.com\tÅsa\tAcme", "bob@example.com\tBob\tacme"])
    let json = try program.run(["query", "--format", "json"] + condition)
    #expect(try names(json) == ["Åsa", "Bob", "李小龙"])
    let export = try program.run(["export", "bob", "--format", "json"] + condition)
    #expect(try names(export) == ["Bob"])
    let cards = try program.run(["export"] + condition).output
    #expect(cards.components(separatedBy: "BEGIN:VCARD").count == 4)
  }

  @Test func nothingFoundNamesTheCondition() throws {
    let result = try program.run("list", "--where", "given = 'Zoe'")
    #expect(result.status == 1 && result.output.isEmpty && result.errors.contains("given = 'Zoe'"))
  }

  @Test(arguments: ["list", "query", "export"])
  func aWrongConditionIsMisuseWithItsPosition(_ command: String) throws {
    let result = try program.run(command, "--where", "given CONTANS 'x'")
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("character 7: “CONTANS 'x'”"), "\(result.errors)")
    var chinese = program
    chinese.environment["LC_ALL"] = "zh_CN.UTF-8"
    let other = try chinese.run(command, "--where", "phones.value = 'x'")
    #expect(other.status == 2 && other.output.isEmpty && other.errors.contains("第 1 个字符"), "\(other.errors)")
  }

  @Test func theURIIdentifiesTheContact() throws {
    try program.run("add", "--set", "uid=a b/曾", "--set", "given=Uwe")
    let added = try program.run("list", "--format", "json", "--where", "given = 'Uwe'")
    let contact = try #require(
      (try JSONSerialization.jsonObject(with: Data(added.outputBytes)) as? [[String: Any]])?.first)
    let uid = try #require(contact["uid"] as? String)
    let line = try #require(
      try program.run("show", String(describing: contact["id"] ?? "")).lines.last { $0.contains("addressbook://") })
    let uri = try #require(line.split(separator: " ").last.map(String.init))
    #expect(uid == "a b/曾" && uri == "addressbook://book/contact/a%20b%2F%E6%9B%BE")
    #expect(contact["uri"] == nil)
    #expect(try program.run("show", uri, "--format", "json").output.contains("Uwe"))
    #expect(try program.run("edit", uri, "--set", "family=Seeler").status == 0)
    #expect(try program.run("group", "add", "friends", uri).status == 0)
    #expect(try program.run("show", uri).output.contains("Seeler"))
    #expect(try program.run("delete", uri).status == 0)
    let gone = try program.run("show", uri)
    #expect(gone.status == 1 && gone.errors.contains(uri))
    let wrong = try program.run("edit", "addressbook://book/contact/%GG", "--set", "note=x")
    #expect(wrong.status == 2 && wrong.output.isEmpty && wrong.errors.contains("addressbook://book/contact/%GG"))
  }
}
