import Foundation
import SharedMaterial
import Testing

@Suite struct ExportCommandTests {
  let program: Program

  init() throws { program = try Program() }

  private static let card = [
    "BEGIN:VCARD", "VERSION:3.0", "UID:urn:uuid:11111111-2222-3333-4444-555555555555", "N:曾;国藩;;;", "FN:曾国藩",
    "item1.TEL;TYPE=pref:+86 138 0000 1111", "item1.X-ABLabel:Private", "X-UNKNOWN;X-P=\"a;b\":raw\\,value",
    "BDAY:1811-11-26", "CATEGORIES:Friends,Work", "NOTE:first\\nsecond\\, with comma",
    "ADR;TYPE=HOME:;;1 Main St;Xiangxiang;Hunan;411400;China", "END:VCARD", "",
  ].joined(separator: "\r\n")

  /// Returns the contacts without their ids and times, which differ between books.
  private func facts(_ program: Program) throws -> [NSDictionary] {
    try program.contacts().map { contact in
      NSDictionary(dictionary: contact.filter { !["id", "created", "modified"].contains($0.key) })
    }
  }

  @Test func aListIsPrintedBySection() throws {
    try program.run("import", program.file("a.vcf", Self.card))
    try program.run(
      "add", "--set", "given=<b>Zoë & Co</b>", "--set", "organization=\"X\"", "--set", "phone[work]=1\u{1B}[2J",
      "--set", "title=CEO")
    let page = try program.run("export", "--format", "html").output
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">") && page.hasSuffix("</body>\n</html>\n"))
    let lines = page.split(separator: "\n").filter { $0.hasPrefix("<h2>") || $0.hasPrefix("<section>") }
    #expect(
      lines == [
        "<h2>Z</h2>",
        "<section><h3>曾国藩</h3><p><b>Private</b> +86 138 0000 1111</p>"
          + "<p><b>home</b> 1 Main St<br>Xiangxiang<br>Hunan, 411400<br>China</p><p><b>Birthday</b> 1811-11-26</p></section>",
        "<h2>#</h2>",
        "<section><h3>&lt;b&gt;Zoë &amp; Co&lt;/b&gt;</h3><p>CEO, &quot;X&quot;</p><p><b>work</b> 1[2J</p></section>",
      ])
  }

  @Test func labelsArePrintedForAddresses() throws {
    try program.run("import", program.file("a.vcf", Self.card))
    try program.run("add", "--set", "given=Ann")
    try program.run("add", "--set", "given=Bo", "--set", "address[home].city=Rome", "--set", "address[work].city=Bern")
    let result = try program.run("export", "--format", "html", "--layout", "labels", "2x7")
    #expect(result.output.contains("repeat(2,1fr);grid-auto-rows:calc(297mm/7)"))
    let labels = result.output.split(separator: "\n").filter { $0.hasPrefix("<address>") }
    #expect(
      labels == [
        "<address>Bo<br>Rome</address>", "<address>Bo<br>Bern</address>",
        "<address>曾国藩<br>1 Main St<br>Xiangxiang<br>Hunan, 411400<br>China</address>",
      ])
    #expect(result.errors.contains("1 contact has no postal address"))
    for wrong in [["labels", "0x7"], ["labels", "3x"], ["poster"], ["labels", "3x8", "ann"]] {
      #expect(try program.run(["export", "--format", "html", "--layout"] + wrong).status == 2)
    }
    #expect(try program.run("export", "--layout", "labels").status == 2)
  }

  @Test(arguments: ["vcard", "json"]) func anExportGivesAnotherBookTheSameContacts(_ format: String) throws {
    try program.run("import", program.file("a.vcf", Self.card))
    try program.run("demo", "--contacts", "60", "--seed", "3")
    try program.run(
      "add", "--set", "given=Ann", "--set", "phoneticGiven=Än", "--set", "nickname=A\"\\;,", "--set",
      "date[anniversary]=2001-02-03",
      "--set", "related[spouse]=Bob", "--set", "handle[matrix]=@ann:example.org", "--set",
      "url=https://example.org/?a=b&c")
    let file = program.folder.path + "/out"
    let export = try program.run("export", "--format", format, "--output", file)
    #expect(export.status == 0)
    #expect(export.output.isEmpty)
    let other = try Program()
    let back = try other.run("import", file)
    #expect(back.status == 0, "\(back.errors)")
    let (mine, theirs) = (try facts(program), try facts(other))
    #expect(mine.count == 62 && theirs.count == 62)
    for (left, right) in zip(mine, theirs) { #expect(left == right) }
    #expect(try other.run("import", file).errors.hasSuffix("imported 0, updated 0, skipped 62\n"))
  }

  /// Root can replace links such as `/dev/stdout`.
  @Test func aLinkToAPipeOrAnOpenFileIsWrittenInto() throws {
    try program.run("import", program.file("a.vcf", Self.card))
    let card = try program.run("export").output
    let folder = program.folder.path
    let script = """
      cd \(folder)
      mkfifo pipe; ln -s pipe one; ln -s /dev/stdout two
      cat pipe >first & "$0" export -o one || exit 1; wait
      echo before >second; "$0" export -o two >>second || exit 2
      "$0" export -o /dev/fd/7 7>third || exit 3
      "$0" export -o /dev/full; [ $? = 3 ] || exit 4
      "$0" backup two >>second; [ $? = 3 ] || exit 5
      [ -p pipe ] && [ -L one ] && [ -L two ]
      """
    let result = try CommandResult.run(
      "/bin/sh", ["-c", script, Program.path],
      environment: ["ADDRESSBOOK_FILE": program.book, "HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("/dev/full"))
    func text(_ name: String) throws -> String { try String(contentsOfFile: folder + "/" + name, encoding: .utf8) }
    #expect(try [text("first"), text("second"), text("third")] == [card, "before\n" + card, card])
  }

  @Test func unknownPropertiesAreExportedUnchanged() throws {
    try program.run("import", program.file("a.vcf", Self.card))
    let text = try program.run("export").output
    for line in [
      "item1.TEL;TYPE=pref:+86 138 0000 1111", "item1.X-ABLabel:Private", "X-UNKNOWN;X-P=\"a;b\":raw\\,value",
    ] {
      #expect(text.contains(line + "\r\n"))
    }
  }

  @Test(arguments: ["2.1", "3.0", "4.0"]) func versionsCanBeChosen(_ version: String) throws {
    try program.run("import", program.file("a.vcf", Self.card))
    let result = try program.run("export", "--vcard-version", version)
    #expect(result.output.contains("VERSION:\(version)\r\n"))
    let other = try Program()
    #expect(try other.run("import", "-", input: result.outputBytes).errors == "imported 1, updated 0, skipped 0\n")
    #expect(try other.contacts().first?["name"] as? String == "曾国藩")
  }

  @Test func theFileIsPrivateAndReplacedAtomically() throws {
    try program.run("import", program.file("a.vcf", Self.card))
    let target = try program.file("target.vcf", "precious")
    let link = program.folder.path + "/link.vcf"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    #expect(try program.run("export", "--output", link).status == 0)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
    let attributes = try FileManager.default.attributesOfItem(atPath: link)
    #expect(attributes[.type] as? FileAttributeType == .typeRegular)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    // A reader that has the file open keeps reading the old one.
    let reader = try #require(FileHandle(forReadingAtPath: link))
    try program.run("edit", "1", "--set", "note=new")
    #expect(try program.run("export", "--output", link).status == 0)
    #expect(try String(contentsOfFile: link, encoding: .utf8).contains("NOTE:new"))
    let old = String(decoding: try reader.readToEnd() ?? Data(), as: UTF8.self)
    #expect(old.hasSuffix("END:VCARD\r\n") && !old.contains("NOTE:new"))
    let missing = try program.run("export", "--output", program.folder.path + "/no/such/folder.vcf")
    #expect(missing.status == 3)
    #expect(missing.errors.contains("folder.vcf"))
    #expect(try program.run("export", "--output", program.folder.path).status == 3)
    let left = try FileManager.default.contentsOfDirectory(atPath: program.folder.path).filter { $0.hasSuffix(".tmp") }
    #expect(left.isEmpty)
  }

  @Test func photosAreExported() throws {
    let png = Data(ImportCommandTests.png(width: 5, height: 4)).base64EncodedString()
    let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:p\r\nFN:P\r\nPHOTO;ENCODING=b;TYPE=PNG:\(png)\r\nEND:VCARD\r\n"
    try program.run("import", program.file("a.vcf", card))
    let other = try Program()
    try other.run("import", "-", input: program.run("export", "--vcard-version", "4.0").outputBytes)
    let (mine, theirs) = (try facts(program), try facts(other))
    #expect((mine.first?["photo"] as? [String: Any])?["bytes"] as? Int == 33)
    #expect(mine.first?["photo"] as? NSDictionary == theirs.first?["photo"] as? NSDictionary)
  }
}
