import Foundation
import Testing

@Suite struct EditingCommandTests {
  let program: Program

  init() throws { program = try Program() }

  @Test func addPrintsTheNewID() throws {
    let first = try program.run("add", "--set", "family=曾", "--set", "given=国藩")
    #expect(first.status == 0)
    #expect(first.output == "1\n")
    #expect(first.errors.isEmpty)
    let second = try program.run("add", "--set", "name=Ada Lovelace", "--set", "phone[mobile]=+44 20 7946 0000")
    #expect(second.output == "2\n")
    let contacts = try program.contacts()
    #expect(contacts.map { $0["name"] as? String } == ["Ada Lovelace", "曾国藩"])
    #expect(contacts.map { $0["section"] as? String } == ["A", "Z"])
  }

  @Test func whatIsPastedForAnAddressIsTakenApart() throws {
    let result = try program.run(
      "add", "--set", "given=Ann", "--set", "email[work]=Ann Ames <ann@x.example>, mailto:a@y.example", "--set",
      "phone=\u{202A}+49 30 1\u{202C}")
    #expect(result.status == 0 && result.errors.isEmpty)
    let contact = try #require(program.contacts().first)
    #expect(
      contact["emails"] as? [[String: String]] == [
        ["label": "work", "value": "ann@x.example"], ["label": "work", "value": "a@y.example"],
      ])
    #expect(contact["phones"] as? [[String: String]] == [["label": "", "value": "+49 30 1"]])
    // What is not an address is asked about.
    let odd = try program.run("add", "--set", "given=Bob", "--set", "email=bob at x.example")
    #expect(odd.status == 0 && odd.errors.contains("does not look like an email address"))
  }

  @Test func editChangesOneLabelAndLeavesTheOthers() throws {
    try program.run(
      "add", "--set", "given=Bo", "--set", "phone[mobile]=1", "--set", "phone[home]=2", "--set",
      "email[work]=b@example.com"
    )
    let edit = try program.run(
      "edit", "1", "--set", "phone[mobile]=3", "--set", "email[work]=", "--set", "family=Ek", "--add-group", "Friends",
      "--set", "birthday=--02-29", "--set", "address[home].city=Malmö")
    #expect(edit.status == 0)
    #expect(edit.output == "1\n")
    let contact = try #require(program.contacts().first)
    #expect(contact["family"] as? String == "Ek")
    #expect(contact["birthday"] as? String == "--02-29")
    #expect(contact["groups"] as? [String] == ["Friends"])
    let phones = try #require(contact["phones"] as? [[String: String]])
    #expect(phones == [["label": "mobile", "value": "3"], ["label": "home", "value": "2"]])
    #expect((contact["emails"] as? [Any])?.isEmpty == true)
    let address = try #require((contact["addresses"] as? [[String: String]])?.first)
    #expect(address["city"] == "Malmö" && address["label"] == "home")

    try program.run("edit", "1", "--unset", "birthday", "--unset", "phone[home]", "--remove-group", "Friends")
    let after = try #require(program.contacts().first)
    #expect(after["birthday"] is NSNull)
    #expect((after["phones"] as? [Any])?.count == 1)
    #expect((after["groups"] as? [Any])?.isEmpty == true)
  }

  /// Without a label in brackets, `--unset` clears all values of a list, before `--set` sets others.
  /// A label means the one that is there, or that a new value can have, also with other capital letters.
  @Test func labelsAreFoundInAnyCase() throws {
    let program = try Program()
    try program.run(
      "add", "--set", "given=Ada", "--set", "phone[Work]=1", "--set", "phone[Boat]=2", "--set",
      "address[HOME].city=Bonn")
    func labels() throws -> [String] {
      let contact = try #require(try program.contacts("ada").first)
      return try ["phones", "addresses"].flatMap { list in
        try #require(contact[list] as? [[String: String]]).map { $0["label"] ?? "" }
      }
    }
    #expect(try labels() == ["work", "Boat", "home"])
    try program.run(
      "edit", "Ada", "--set", "phone[WORK]=3", "--set", "phone[boat]=4", "--set", "address[Home].city=Köln")
    #expect(try labels() == ["work", "Boat", "home"])
    #expect(
      try program.run("list", "--columns", "phone[Work],phone[BOAT],address[Home].city", "--format", "tsv").output
        == "3\t4\tKöln\n")
    try program.run("edit", "Ada", "--unset", "phone[BOAT]")
    #expect(try labels() == ["work", "home"])
  }

  @Test func aWholeListIsCleared() throws {
    try program.run(
      "add", "--set", "given=Bo", "--set", "phone[mobile]=1", "--set", "phone=2", "--set", "email[work]=b@example.com",
      "--set", "address[home].city=Malmö", "--set", "address.city=Lund")
    func values(_ list: String) throws -> [String] {
      let contact = try #require(program.contacts().first)
      let values = try #require(contact[list] as? [[String: String]])
      return values.map { ($0["label"] ?? "") + " " + ($0["value"] ?? $0["city"] ?? "") }
    }
    try program.run("edit", "1", "--set", "phone=")
    #expect(try values("phones") == ["mobile 1"])
    try program.run("edit", "1", "--set", "phone=2", "--unset", "address[]")
    #expect(try values("phones") == ["mobile 1", " 2"] && values("addresses") == ["home Malmö"])
    try program.run("edit", "1", "--set", "phone[work]=3", "--unset", "phone", "--unset", "address", "--unset", "email")
    #expect(try values("phones") == ["work 3"] && values("addresses").isEmpty && values("emails").isEmpty)
  }

  /// As in the form, a value that breaks a rule is stored with a warning.
  @Test func anOddValueGivesAWarning() throws {
    let warning = "this does not look like an email address, such as name@example.com. It was saved anyway.\n"
    let added = try program.run("add", "--set", "name=Ann", "--set", "email=nobody")
    #expect(added.status == 0 && added.output == "1\n" && added.errors == "addressbook: Email 1: \(warning)")
    let edited = try program.run("edit", "1", "--set", "email[work]=foo", "--set", "phone=1")
    #expect(edited.status == 0 && edited.output == "1\n" && edited.errors == "addressbook: Email 2: \(warning)")
    #expect(try program.run("edit", "1", "--set", "note=x").errors.isEmpty)
    #expect((try program.contacts().first?["emails"] as? [Any])?.count == 2)
  }

  @Test func aUIDOfAnotherContactIsRefused() throws {
    try program.run("add", "--set", "given=Ann", "--set", "uid=ann")
    try program.run("add", "--set", "given=Bo", "--set", "uid=bo")
    try program.run("delete", "ann")
    let added = try program.run("add", "--set", "given=Cy", "--set", "uid=ann")
    #expect(added.status == 3 && added.errors.contains("a contact with the UID ann already exists or was deleted"))
    let edited = try program.run("edit", "bo", "--set", "uid=ann")
    #expect(edited.status == 3 && edited.errors.contains("another contact, perhaps a deleted one, has the UID ann"))
    #expect(try program.run("edit", "bo", "--set", "uid=bo", "--set", "given=Bob").status == 0)
  }

  @Test func editForAnotherVersionChangesNothingAndShowsBoth() throws {
    try program.run("add", "--set", "given=Bo", "--set", "title=Actor")
    #expect(try program.contacts().first?["version"] as? Int == 1)
    #expect(try program.run("edit", "1", "--if-version", "1", "--set", "title=Theirs").status == 0)
    let result = try program.run("edit", "1", "--if-version", "1", "--set", "title=Mine", "--set", "note=Mine")
    #expect(result.status == 4)
    #expect(result.errors.contains("version 2, not 1"))
    let both = try #require(try program.json(result.outputBytes) as? [String: Any])
    #expect(Set(both.keys) == ["base", "mine", "theirs", "conflicts"])
    func title(_ side: String) -> String? { (both[side] as? [String: Any])?["title"] as? String }
    #expect(title("base") == "Actor" && title("mine") == "Mine" && title("theirs") == "Theirs")
    let conflicts = try #require(both["conflicts"] as? [[String: String]])
    #expect(conflicts == [["field": "title", "base": "Actor", "mine": "Mine", "theirs": "Theirs", "kept": "each"]])
    #expect(try program.contacts().first?["note"] as? String == "")
    #expect(try program.run("edit", "1", "--if-version", "2", "--set", "title=Mine").status == 0)
    #expect(try program.contacts().first?["title"] as? String == "Mine")
    #expect(try program.run("edit", "9", "--if-version", "2", "--set", "title=Mine").status == 1)
    // A version that the contact never had.
    let unknown = try program.run("edit", "1", "--if-version", "7", "--unset", "title")
    #expect(unknown.status == 4)
    #expect((try program.json(unknown.outputBytes) as? [String: Any])?["base"] is NSNull)
  }

  /// `add` accepts the JSON that `list` and `show` print, and ignores its `version`.
  @Test func theVersionInJSONIsIgnored() throws {
    try program.run("add", "--set", "given=Bo")
    try program.run("edit", "1", "--set", "note=x")
    let line = try program.run("show", "1", "--format", "json").output.replacingOccurrences(of: "uid", with: "nickname")
    let added = try program.run("add", "-", input: Array(line.utf8))
    #expect(added.status == 0, "\(added.errors)")
    #expect(try program.contacts().compactMap { $0["version"] as? Int }.sorted() == [1, 2])
  }

  @Test func changingANamePartClearsTheFullName() throws {
    try program.run("add", "--set", "name=The Boss", "--set", "given=Bo")
    try program.run("edit", "1", "--set", "given=Bea")
    #expect(try program.contacts().first?["name"] as? String == "Bea")
  }

  @Test func addReadsJSONFromAFileAndFromStandardInput() throws {
    let one = #"{"given": "国藩", "family": "曾", "phones": [{"label": "mobile", "value": "138 0000 1111"}]}"#
    let fromInput = try program.run("add", "-", input: Array(one.utf8))
    #expect(fromInput.status == 0)
    #expect(fromInput.output == "1\n")
    let two = try program.file("two.json", #"[{"name": "Ann"}, {"kind": "organization", "organization": "Acme"}]"#)
    #expect(try program.run("add", two).output == "2\n3\n")
    #expect(try program.contacts().compactMap { $0["name"] as? String } == ["Acme", "Ann", "曾国藩"])
    let broken = try program.run("add", "-", input: Array("{\"given\": ".utf8))
    #expect(broken.status == 3)
    #expect(
      broken.output.isEmpty && broken.errors.contains("standard input:1: not valid JSON, or not a list of contacts\n"))
    #expect(try program.contacts().count == 3)
  }

  @Test func deleteIsAllOrNothingAndCanBeUndone() throws {
    for name in ["A", "B", "C"] { try program.run("add", "--set", "given=\(name)") }
    let missing = try program.run("delete", "1", "9")
    #expect(missing.status == 1)
    #expect(missing.output.isEmpty)
    #expect(missing.errors.contains("9"))
    #expect(try program.contacts().count == 3)
    #expect(try program.run("delete", "1", "3").output == "1\n3\n")
    #expect(try program.contacts().map { $0["id"] as? Int } == [2])
    #expect(try program.run("trash", "--format", "tsv").lines.count == 2)
    #expect(try program.run("undelete", "3").output == "3\n")
    #expect(try program.run("undelete", "2").status == 1)
    #expect(try program.run("undo", "--list").lines[1].contains("Restore"))
    #expect(try program.contacts().map { $0["id"] as? Int } == [2, 3])
    #expect(try program.run("add", "--set", "given=D").output == "4\n")
  }

  @Test func aCommandThatOnlyChangesContactsCreatesNoBook() throws {
    for arguments in [
      ["undo"], ["redo"], ["edit", "1", "--set", "name=A"], ["delete", "1"], ["undelete", "1"], ["merge", "1", "2"],
      ["group", "rename", "A", "B"], ["group", "remove", "A", "1"], ["photo", "clear", "1"],
      ["trash", "restore", "1"],
    ] {
      let refused = try program.run(arguments)
      #expect(refused.status != 0 && refused.output.isEmpty, "\(arguments)")
      #expect(!FileManager.default.fileExists(atPath: program.book), "\(arguments)")
    }
  }

  @Test func groupsAreListedFilledAndRenamed() throws {
    for name in ["A", "B"] { try program.run("add", "--set", "given=\(name)") }
    #expect(try program.run("group", "add", "Friends", "1", "2").output == "1\n2\n")
    #expect(try program.run("group", "--format", "tsv").output == "2\tFriends\n")
    #expect(try program.run("group", "remove", "Friends", "1").status == 0)
    #expect(try program.run("group", "rename", "Friends", "朋友").status == 0)
    #expect(try program.run("group", "list", "朋友", "--format", "tsv").output == "2\tB\n")
    #expect(try program.run("group", "list", "Foes").status == 1)
    #expect(try program.run("group", "delete", "朋友").status == 0)
    #expect(try program.run("group", "--format", "tsv").output.isEmpty)
    #expect(try program.contacts().count == 2)
  }

  @Test func membersAreNamedInAnyWay() throws {
    for name in ["A", "B", "C"] { try program.run("add", "--set", "given=\(name)", "--set", "uid=uid \(name)") }
    try program.run("add", "--set", "given=D", "--set", "uid=77")
    let references = ["1", "uid B", "addressbook://book/contact/uid%20C", "77", "uid A", "+2"]
    #expect(try program.run(["group", "add", "Friends"] + references).output == "1\n2\n3\n4\n")
    #expect(try program.run("group", "--format", "tsv").output == "4\tFriends\n")
    // The first reference that is wrong is named, and nothing is changed.
    for (wrong, status) in [("9", 1), ("nobody", 1), ("addressbook://x", 2), ("addressbook://book/contact/x", 1)] {
      let refused = try program.run("group", "add", "Foes", "1", wrong, "10", "addressbook:")
      #expect(refused.status == status && refused.output.isEmpty && refused.errors.contains(wrong))
    }
    // Adding contacts that are already in the group changes nothing.
    #expect(try program.run("group", "remove", "Friends", "3", "4").output == "3\n4\n")
    let contact = try program.contacts()
    #expect(try program.run("group", "add", "Friends", "1", "2").output == "1\n2\n")
    let unknown = try program.run("group", "remove", "Foes", "1")
    #expect(unknown.status == 1 && unknown.output.isEmpty && unknown.errors.contains("Foes"))
    #expect(try program.run("group", "add", "", "1").status == 3)
    #expect(try NSArray(array: program.contacts()) == NSArray(array: contact))
    #expect(try program.run("undo").errors == "Undone: Remove from Friends\n")
    #expect(try program.run("group", "--format", "tsv").output == "4\tFriends\n")
    let refused = try program.run("group", "add", String(repeating: "x", count: 20_000), "1", "2")
    #expect(refused.status == 3 && refused.output.isEmpty && refused.errors.contains("10000"))
    #expect(try program.run("group", "--format", "tsv").output == "4\tFriends\n")
    // An invalid note does not prevent a change of groups.
    try program.execute("UPDATE contact SET note = char(0) || 'x' WHERE id = 1")
    #expect(try program.run("group", "add", "Foes", "1").output == "1\n")
    #expect(try program.run("undo").errors == "Undone: Add to Foes\n")
  }

  @Test func allDeletedContactsAreListed() throws {
    try program.run("demo", "--contacts", "1100")
    try program.execute("UPDATE contact SET deleted_at = '2026-01-01T00:00:00Z'")
    #expect(try program.run("trash", "--format", "tsv").lines.count == 1100)
  }

  /// A long list of references is parsed as one argument. Other commands get their arguments unchanged.
  @Test func manyContactsAreNamed() throws {
    try program.run("add", "--set", "given=A", "--set", "uid=-a b")
    try program.run("demo", "--contacts", "400")
    let ids = (2...401).map(String.init)
    let lines = ids.joined(separator: "\n") + "\n"
    #expect(try program.run(["group", "add", "Friends"] + ids + ["2", "402"]).errors.contains("no contact “402”"))
    #expect(try program.run(["group", "add"] + ["--book", program.book, "2000"] + ids + ["2"]).output == lines)
    #expect(try program.run(["group", "remove", "2000", "--"] + ids.dropLast()).lines.count == 399)
    #expect(try program.run("group", "--format", "tsv").output.contains("1\t2000\n"))
    #expect(try program.run(["delete"] + ids + ["--", "-a b"]).output == lines + "1\n")
    #expect(try program.run(["undelete", "1"] + ids).output == "1\n" + lines)
    #expect(try program.run(["delete"] + ids).output == lines)
    #expect(try program.run(["trash", "restore", "--all"] + ids).status == 2)
    #expect(try program.run(["trash", "restore"] + ids).output == lines)
    #expect(try program.run(["delete"] + ids + ["--book", program.book]).output == lines)
    #expect(try program.run(["undo"]).status == 0)
    #expect(!(try program.run(["list"] + ids).errors.contains("\0")))
    #expect(try program.run(["stats"] + ids).errors.contains("9"))
    #expect(try program.run(["delete"] + ids + ["--nothing"]).errors.contains("--nothing"))
  }

  @Test func smartGroupsAreMadeListedChangedAndDeleted() throws {
    for name in ["Ann", "Bob"] { try program.run("add", "--set", "given=\(name)", "--set", "organization=Acme") }
    #expect(try program.run("group", "add", "Friends", "2").status == 0)
    #expect(try program.run("group", "smart", "A", "ann").status == 0)
    #expect(try program.run("group", "smart", "Colleagues", "--where", "organization = 'Acme'").status == 0)
    let condition = "organization = 'Acme'"
    #expect(
      try program.run("group", "--format", "tsv").output
        == "1\tFriends\n1\tA\tsmart\tann\n2\tColleagues\tsmart\twhere \(condition)\n")
    #expect(
      try program.run("group", "list", "--format", "json").output == """
        [
        {"name": "Friends", "count": 1, "kind": "group"},
        {"name": "A", "count": 1, "kind": "smart", "search": "ann"},
        {"name": "Colleagues", "count": 2, "kind": "smart", "condition": "\(condition)"}
        ]

        """)
    #expect(try program.run("group", "list", "Colleagues", "--format", "tsv").output == "1\tAnn\n2\tBob\n")
    let json = try program.run("group", "list", "A", "--format", "json").output
    #expect(json.contains("\"name\": \"Ann\"") && !json.contains("Bob"))
    // The query and the name of a smart group can be changed.
    #expect(try program.run("group", "smart", "A", "bob", "-ann").status == 0)
    #expect(try program.run("group", "smart", "A", "--unknown").errors.contains("--unknown"))
    #expect(try program.run("group", "rename", "A", "B").status == 0)
    #expect(try program.run("group", "list", "B", "--format", "tsv").output == "2\tBob\n")
    #expect(try program.run("undo").status == 0)
    #expect(try program.run("undo").status == 0)
    #expect(try program.run("group", "list", "A", "--format", "tsv").output == "1\tAnn\n")
    // A name belongs to one group only, and nobody can be added to a smart group.
    #expect(try program.run("group", "smart", "Friends", "x").status == 3)
    #expect(try program.run("group", "rename", "A", "Friends").status == 3)
    let refused = try program.run("group", "add", "A", "2")
    #expect(refused.status == 3 && refused.errors.contains("smart group"))
    for command in [["edit", "2"], ["add", "--set", "given=Cleo"]] {
      let refused = try program.run(command + ["--add-group", "Friends", "--add-group", "A"])
      #expect(refused.status == 3 && refused.errors.contains("“A” is a smart group"))
    }
    #expect(try program.run("group", "--format", "tsv").lines.first == "1\tFriends")
    #expect(try program.run("group", "smart", "C").status == 2)
    #expect(try program.run("group", "smart", "C", "x", "--where", "kind = 'person'").status == 2)
    #expect(try program.run("group", "smart", "C", "--where", "what is this").status == 2)
    #expect(try program.run("group", "delete", "A").status == 0)
    #expect(try program.run("group", "delete", "Nobody").status == 1)
    #expect(try program.run("group", "--format", "tsv").lines.count == 2)
  }

  @Test func anImpossibleDateIsMisuse() throws {
    let result = try program.run("add", "--set", "given=X", "--set", "birthday=2023-02-29")
    #expect(result.status == 2)
    #expect(result.errors.contains("2023-02-29"))
    #expect(!FileManager.default.fileExists(atPath: program.book))
  }

  @Test func datesAreReadAsPeopleWriteThem() throws {
    let sets = ["given=Ann", "birthday=28 Feb 1990", "dates[anniversary]=June 3, 2015", "dates[other]=some day"]
    #expect(try program.run(["add"] + sets.flatMap { ["--set", $0] }).status == 0)
    let shown = try program.run("show", "Ann").output
    for date in ["1990-02-28", "2015-06-03", "some day"] { #expect(shown.contains(date), "\(shown)") }
  }

  @Test func aTakenUIDIsRefused() throws {
    try program.run("add", "--set", "given=X", "--set", "uid=abc")
    let again = try program.run("add", "--set", "given=Y", "--set", "uid=abc")
    #expect(again.status == 3)
    #expect(again.errors.contains("abc"))
    #expect(try program.run("show", "abc", "--format", "json").output.contains("\"X\""))
  }
}
