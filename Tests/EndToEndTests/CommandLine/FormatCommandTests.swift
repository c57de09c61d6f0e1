import Foundation
import Testing

/// Formats on the command line: how they are recognized, column mapping, round trips and losses.
struct FormatCommandTests {
  let program: Program

  init() throws { program = try Program() }

  private func names() throws -> [String] { try program.contacts().compactMap { $0["name"] as? String } }

  @Test func everyFormatIsRecognizedByItsContent() throws {
    let files: [(String, String)] = [
      ("a", "Name,E-mail Address\nAnn,ann@example.com\n"), ("b", "姓名;手机\n张伟;138\n"),
      ("c", "version: 1\n\ndn: cn=Bob\nobjectclass: person\ncn: Bob\nsn: Bob\nmobile: 1\n"),
      ("d", "# abook addressbook file\n\n[format]\nprogram=abook\n\n[0]\nname=Cy\n"),
      ("e", "[\"vcard\",[[\"version\",{},\"text\",\"4.0\"],[\"fn\",{},\"text\",\"Di\"]]]"),
      ("f", "[{\"name\": \"Ed\"}]"), ("g", "BEGIN:VCARD\nVERSION:3.0\nFN:Flo\nEND:VCARD\n"),
    ]
    let paths = try files.map { try program.file($0.0, $0.1) }
    let result = try program.run(["import"] + paths)
    #expect(result.status == 0 && result.errors == "imported 7, updated 0, skipped 0\n", "\(result.errors)")
    #expect(try names() == ["Ann", "Bob", "Cy", "Di", "Ed", "Flo", "张伟"])
    // Each contact is already in the book.
    #expect(try program.run(["import"] + paths).errors == "imported 0, updated 0, skipped 7\n")
    // From standard input.
    let piped = try program.run("import", "-", input: Array("Name,E-mail\nGus,g@example.com\n".utf8))
    #expect(piped.status == 0 && piped.errors == "imported 1, updated 0, skipped 0\n")
  }

  @Test func unknownFormatsSayWhatToDo() throws {
    let strange = try program.run("import", program.file("x", "Wer,Was\nAnn,1\n"))
    #expect(strange.status == 3 && strange.errors.contains("--format csv with --map"))
    let forced = try program.run("import", "--format", "csv", program.file("x", "Wer,Was\nAnn,1\n"))
    #expect(forced.status == 3 && forced.errors.contains("--map COLUMN=FIELD"))
    let mapped = try program.run(
      "import", "--map", "Wer=name", "--map", "2=phone[mobile]", program.file("x", "Wer,Was\nAnn,1\n"))
    #expect(mapped.status == 0 && mapped.errors == "imported 1, updated 0, skipped 0\n", "\(mapped.errors)")
    #expect(try program.run("list", "--columns", "name,phone[mobile]", "--format", "tsv").output == "Ann\t1\n")
    #expect(try program.run("list", "--columns", "name , phone[home fax]", "--format", "tsv").output == "Ann\t\n")
    #expect(try program.run("import", "--map", "Wer=nothing", "x").status == 2)
    #expect(try program.run("import", "--map", "Wer", "x").status == 2)
    #expect(try program.run("import", "--charset", "nonsense", "x").status == 2)
    #expect(try program.run("import", "--format", "xml", "x").status == 2)
    let xml = try program.run("import", program.file("y", "<?xml version='1.0'?><x/>"))
    #expect(xml.status == 3 && xml.errors.contains("XML") && xml.errors.contains("CSV"))
  }

  @Test func theReportListsWhatWasNotImported() throws {
    let result = try program.run("import", program.file("x.csv", "Name,Shoe,Birthday\nAnn,42,03/04/1990\nBob,43,\n"))
    #expect(result.status == 0 && result.errors.contains("Shoe (2)") && result.errors.contains("03/04/1990"))
    var other = try Program()
    other.environment = ["LANG": "zh_CN.UTF-8", "LC_ALL": "zh_CN.UTF-8"]
    let translated = try other.run("import", other.file("x.csv", "Name,Shoe\nAnn,42\n"))
    #expect(translated.errors.contains("联系人没有相应的字段"), "\(translated.errors)")
  }

  @Test func membersOfGroupsInLDIF() throws {
    let text = """
      dn: cn=Friends
      objectclass: groupOfNames
      cn: Friends
      member: cn=Ann
      member: cn=Nobody

      dn: cn=Ann
      objectclass: person
      cn: Ann
      sn: Ann

      """
    let result = try program.run("import", program.file("x.ldif", text))
    #expect(result.status == 0 && result.errors.contains("cn=nobody"), "\(result.errors)")
    #expect(try program.contacts().first?["groups"] as? [String] == ["Friends"])
  }

  @Test(arguments: ["csv", "ldif", "jcard", "jscontact", "json", "vcard"])
  func anExportImportedAgainChangesNothing(_ format: String) throws {
    try program.run(
      "add", "--set", "given=国藩", "--set", "family=曾", "--set", "email[work]=z@example.com", "--set",
      "phone[mobile]=+86 138", "--set", "birthday=--11-26", "--set", "note=a, \"b\"\nc", "--add-group", "Friends")
    try program.run("add", "--set", "family=Ames", "--set", "url[home]=http://a.example")
    let file = program.folder.path + "/out." + format
    let made = try program.run("export", "--format", format, "--output", file)
    #expect(made.status == 0 && made.errors.contains("exported 2 contacts"), "\(made.errors)")
    let again = try program.run("import", file)
    #expect(
      again.status == 0 && again.errors.hasSuffix("imported 0, updated 0, skipped \(format == "ldif" ? 3 : 2)\n"),
      "\(again.errors)")
    let other = try Program()
    let moved = try other.run("import", file)
    #expect(moved.status == 0, "\(moved.errors)")
    let contact = try #require(other.contacts("曾").first)
    #expect(contact["name"] as? String == "曾国藩" && contact["birthday"] as? String == "--11-26")
    #expect(contact["note"] as? String == "a, \"b\"\nc" && contact["groups"] as? [String] == ["Friends"])
  }

  @Test func pronounsAndLanguagesAreShownFoundAndEdited() throws {
    let card =
      "BEGIN:VCARD\nVERSION:4.0\nUID:u1\nFN:Ann\nGRAMGENDER:feminine\nPRONOUNS;LANGUAGE=en:she/her\nLANG:sv-FI\nEND:VCARD\n"
    try program.run("import", program.file("a.vcf", card))
    let contact = try #require(program.contacts("she/her").first)
    #expect(contact["pronouns"] as? String == "she/her" && contact["grammaticalGender"] as? String == "feminine")
    #expect(try program.contacts("sv-FI").count == 1)
    let shown = try program.run("show", "u1").output
    #expect(shown.contains("she/her") && shown.contains("feminine") && shown.contains("sv-FI"), "\(shown)")
    try program.run("edit", "u1", "--set", "pronouns=they/them", "--set", "language[work]=de")
    let lines = try program.run("export").output
    #expect(lines.contains("PRONOUNS;LANGUAGE=en:they/them") && lines.contains("LANG;TYPE=work:de"), "\(lines)")
    #expect(try program.run("export", "--format", "csv").output.contains("they/them"))
  }

  @Test func aRowAddsValuesAndClearsNone() throws {
    try program.run(
      "import", program.file("a.vcf", "BEGIN:VCARD\nVERSION:3.0\nUID:u1\nFN:Ann\nNOTE:n\nX-FOO:1\nEND:VCARD\n"))
    let row = try program.run("import", program.file("a.csv", "UID,Phone\nu1,555\n"))
    #expect(row.errors == "imported 0, updated 1, skipped 0\n", "\(row.errors)")
    let card = try program.run("export").output
    #expect(card.contains("X-FOO:1") && card.contains("NOTE:n") && card.contains("555") && card.contains("FN:Ann"))
  }

  @Test func lossesAreReported() throws {
    try program.run("import", program.file("a.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nX-FOO:1\nEND:VCARD\n"))
    let csv = try program.run("export", "--format", "csv")
    #expect(csv.status == 0 && csv.errors.contains("csv cannot hold") && csv.errors.contains("(1)"))
    #expect(try program.run("export", "--format", "jcard").errors.isEmpty)
  }

  @Test func splitWritesOneFilePerCard() throws {
    try program.run(
      "import", program.file("a.vcf", "BEGIN:VCARD\nVERSION:3.0\nUID:u1\nFN:Ann\nX-FOO:1\nEND:VCARD\n"))
    try program.run("add", "--set", "name=Bob", "--set", "uid=u2")
    let folder = try program.file("cards", "") + ".d"
    let first = try program.run("export", "--split", folder)
    #expect(first.status == 0 && first.output.isEmpty && first.errors == "2 written, 0 unchanged\n", "\(first.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["u1.vcf", "u2.vcf"])
    try program.run("edit", "u2", "--set", "note=x")
    #expect(try program.run("export", "--split", folder).errors == "1 written, 1 unchanged\n")
    try program.run("delete", "u1")
    #expect(try program.run("export", "--split", folder, "Bob").errors == "0 written, 1 unchanged\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2, "no file is deleted")
    #expect(try program.run("export", "--split", folder, "--format", "csv").status == 2)
  }

  @Test func aliasesForMutt() throws {
    try program.run("add", "--set", "name=`touch x`$HOME", "--set", "email=a@example.com")
    #expect(
      try program.run("export", "--format", "mutt").output
        == #"alias touch.xhome "\`touch x\`\$HOME" <a@example.com>"# + "\n")
  }
}
