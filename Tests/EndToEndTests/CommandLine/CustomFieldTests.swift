import Foundation
import Testing

/// Fields of the user's own: properties of vCards that the settings name.
struct CustomFieldTests {
  private let program: Program

  init() throws {
    program = try Program()
    try configure(#"custom = ["X-SHIRT-SIZE", "x-team"]"#)
  }

  private func configure(_ text: String) throws {
    let folder = program.folder.path + "/.config/addressbook"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
  }

  private func importCard(_ lines: String, version: String = "3.0") throws {
    let card = "BEGIN:VCARD\r\nVERSION:\(version)\r\nUID:ann\r\nFN:Ann Lee\r\nN:Lee;Ann;;;\r\n\(lines)END:VCARD\r\n"
    let result = try program.run("import", try program.file("ann.vcf", card))
    #expect(result.status == 0, "\(result.errors)")
  }

  private var values: [String] {
    get throws {
      let found = try #require(try program.contacts("ann").first?["custom"] as? [[String: String]])
      return found.map { "\($0["label"] ?? ""): \($0["value"] ?? "")" }
    }
  }

  private var card: [String] { get throws { try program.run("export").output.components(separatedBy: "\r\n") } }

  @Test(arguments: ["2.1", "3.0", "4.0"]) func aPropertyIsAField(version: String) throws {
    try importCard("X-SHIRT-SIZE:Large\r\nX-OTHER:1\r\n", version: version)
    #expect(try values == ["shirt size: Large"])
    #expect(try program.contacts("large").count == 1, "it is searched")
    #expect(
      try program.run("list", "--columns", "given,custom[shirt size]", "--format", "tsv").output == "Ann\tLarge\n")
    #expect(
      try program.run("edit", "Ann Lee", "--set", "custom[shirt size]=Small", "--set", "custom[team]=Blue").status == 0)
    #expect(try card.filter { $0.hasPrefix("X-") } == ["X-SHIRT-SIZE:Small", "X-TEAM:Blue", "X-OTHER:1"])
    #expect(try program.run("undo").status == 0)
    #expect(try card.filter { $0.hasPrefix("X-") } == ["X-SHIRT-SIZE:Large", "X-OTHER:1"])
  }

  @Test func aFieldWithoutAPropertyHasALabel() throws {
    try importCard("")
    #expect(try program.run("edit", "Ann Lee", "--set", "custom[Lucky number]=7").status == 0)
    let lines = try card
    #expect(
      lines.contains { $0.hasSuffix(".X-CUSTOM:7") } && lines.contains { $0.hasSuffix(".X-ABLabel:Lucky number") })
    let copy = program.folder.path + "/copy.db"
    let file = try program.file("copy.vcf", lines.joined(separator: "\r\n"))
    #expect(try program.run("--book", copy, "import", file).status == 0)
    #expect(try program.run("--book", copy, "show", "Ann Lee", "--format", "json").output.contains("Lucky number"))
  }

  @Test func eachFormatKeepsIt() throws {
    try importCard("X-TEAM:Blue\r\n")
    for format in ["csv", "json", "jcard", "jscontact", "template"] {
      let text = try program.run("export", "--format", format).output
      let copy = program.folder.path + "/\(format).db"
      let result = try program.run("--book", copy, "import", try program.file("copy." + format, text))
      #expect(result.status == 0, "\(format): \(result.errors)")
      let shown = try program.run("--book", copy, "show", "Ann Lee", "--format", "json").output
      #expect(shown.contains(#""custom": [{"label": "team", "value": "Blue"}]"#), "\(format): \(shown)")
    }
  }

  @Test func aColumnWithItsNameIsImported() throws {
    let file = try program.file("team.csv", "Name,Team,Shirt Size,Hobby\nAnn Lee,Blue,Large,chess\n")
    let result = try program.run("import", file)
    #expect((result.output + result.errors).contains("Hobby") && !(result.output + result.errors).contains("Team"))
    #expect(try values.sorted() == ["shirt size: Large", "team: Blue"])
    #expect(try program.run("show", "Ann Lee").output.contains("\n  shirt size  Large\n"))
  }

  @Test func aCardOfBeforeIsReadAgain() throws {
    try configure("")
    try importCard("X-TEAM:Blue\r\nX-SHIRT-SIZE:Large\r\n")
    #expect(try program.contacts("ann").first?["custom"] == nil)
    try configure(#"custom = ["X-TEAM"]"#)
    // A command that changes the book reads the cards again.
    #expect(try program.run("add", "--set", "given=Bob").status == 0)
    #expect(try values == ["team: Blue"])
    try configure(#"custom = ["X-TEAM", "X-SHIRT-SIZE"]"#)
    #expect(try program.run("edit", "Ann Lee", "--set", "custom[team]=Red").status == 0)
    #expect(try values == ["team: Red", "shirt size: Large"])
    #expect(try card.filter { $0.hasPrefix("X-") } == ["X-TEAM:Red", "X-SHIRT-SIZE:Large"])
  }

  /// An undo brings back a card that was read before the settings named its property.
  @Test func anUndoReadsTheCardThatItBringsBack() throws {
    try configure("")
    try importCard("X-TEAM:Blue\r\n")
    try importCard("")
    #expect(try card.allSatisfy { !$0.hasPrefix("X-") })
    try configure(#"custom = ["X-TEAM"]"#)
    #expect(try program.run("add", "--set", "given=Bob").status == 0)
    #expect(try program.run("undo").status == 0 && program.run("undo").status == 0)
    #expect(try values == ["team: Blue"])
    #expect(try card.filter { $0.hasPrefix("X-") } == ["X-TEAM:Blue"])
    #expect(try program.run("redo").status == 0)
    #expect(try card.allSatisfy { !$0.hasPrefix("X-") })
  }

  /// A process with other settings follows one that is reading the cards, from its beginning.
  @Test func aCardThatIsImportedMeanwhileIsRead() throws {
    try configure("")
    try importCard("")
    try program.execute(
      """
      INSERT INTO store_info
      SELECT 'card_reading_coming', value || ' X-TEAM' FROM store_info WHERE key = 'card_reading'
      """)
    try importCard("X-TEAM:Blue\r\n")
    #expect(try values == ["team: Blue"])
    #expect(try card.filter { $0.hasPrefix("X-") } == ["X-TEAM:Blue"])
  }

  @Test func aLineThatIsTooLongForAFieldStaysALine() throws {
    try importCard("X-TEAM:\(String(repeating: "x", count: 100_001))\r\n")
    #expect(try values.isEmpty)
    #expect(try program.run("edit", "Ann Lee", "--set", "custom[shirt size]=Small").status == 0)
    let lines = try program.run("export").output.replacing("\r\n ", with: "").components(separatedBy: "\r\n")
    #expect(lines.filter { $0.hasPrefix("X-") }.map(\.count).sorted() == [18, 100_008])
  }

  /// The book remembers what its cards were read for.
  @Test func aPropertyThatIsNoLongerNamedStays() throws {
    try importCard("X-TEAM:Blue\r\nX-SHIRT-SIZE:Large\r\n")
    let before = try card
    try configure("")
    #expect(try card == before)
    #expect(try values == ["team: Blue", "shirt size: Large"])
    #expect(try program.run("edit", "Ann Lee", "--set", "custom[team]=Red", "--set", "custom[shirt size]=").status == 0)
    #expect(try card.filter { $0.hasPrefix("X-") } == ["X-TEAM:Red"])
    try configure(#"custom = ["X-SHIRT-SIZE", "X-TEAM"]"#)
    #expect(try values == ["team: Red"], "what was removed stays removed")
    #expect(try card.filter { $0.hasPrefix("X-") } == ["X-TEAM:Red"])
  }

  /// What was not read from the cards yet is not removed from them.
  @Test func aBookThatCannotBeWrittenKeepsItsLines() throws {
    try configure("")
    try importCard("X-TEAM:Blue\r\n")
    let before = try card
    try configure(#"custom = ["X-TEAM"]"#)
    let copy = program.folder.path + "/read-only"
    let file = program.folder.path + "/copy.db"
    #expect(try program.run("backup", file).status == 0)
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: file, toPath: copy + "/book.db")
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: copy + "/book.db")
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: copy)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: copy) }
    let exported = try program.run("--book", copy + "/book.db", "export").output.components(separatedBy: "\r\n")
    #expect(exported == before)
  }

  @Test(arguments: ["SHIRT", "X-", "X-ABDATE", "X-CUSTOM", "X-SKYPE", "X-A B"]) func aWrongPropertyIsReported(
    name: String
  ) throws {
    try configure("custom = [\"X-TEAM\", \"\(name)\"]")
    let result = try program.run("config", "--check")
    #expect(result.status != 0 && (result.output + result.errors).contains("“\(name)”"), "\(result.output)")
  }
}
