import Foundation
import Testing

/// Contacts as text in an editor, which is a script here.
@Suite struct TextEditTests {
  var program: Program

  init() throws {
    program = try Program()
    try program.run(
      "add", "--set", "family=曾", "--set", "given=国藩", "--set", "phone[home]=1", "--set", "phone[mobile]=2")
    try program.run("add", "--set", "name=Ada Lovelace", "--set", "note=two\nlines")
    program.environment["LC_ALL"] = "C.UTF-8"
  }

  /// Makes an editor: each run is the next of these shell commands, in which `$1` is the file.
  private mutating func setEditor(_ commands: String...) throws {
    let folder = program.folder.path
    try "0".write(toFile: folder + "/runs", atomically: true, encoding: .utf8)
    let cases = commands.enumerated().map { "\($0 + 1)) \($1) ;;" }.joined(separator: "\n")
    let script = """
      #!/bin/sh
      cd '\(folder)'; runs=$(($(cat runs) + 1)); echo $runs > runs; cp "$1" text.$runs
      case $runs in
      \(cases)
      *) exit 9 ;;
      esac
      """
    try script.write(toFile: folder + "/editor", atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder + "/editor")
    program.environment["VISUAL"] = folder + "/editor"
    program.environment["TMPDIR"] = folder
  }

  private func text(_ run: Int) throws -> String {
    try String(contentsOfFile: program.folder.path + "/text.\(run)", encoding: .utf8)
  }

  /// Folders with texts that stayed.
  private func kept() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: program.folder.path).filter { $0.hasPrefix("addressbook-") }
  }

  private func contact(_ id: Int) throws -> [String: Any] {
    try #require(program.contacts().first { $0["id"] as? Int == id })
  }

  @Test mutating func whatIsChangedIsStored() throws {
    try setEditor(#"sed -i 's/mobile: 2/mobile: "3"/; s/^nickname:/nickname: 涤生/' "$1""#)
    let result = try program.run("edit", "曾国藩", "--editor")
    #expect(result.status == 0 && result.output == "1\n" && result.errors.isEmpty)
    #expect(try text(1).hasPrefix("# Lines that begin with # are not read."))
    #expect(try text(1).contains("\nid: 1\nkind: person\n"))
    let after = try contact(1)
    #expect(after["nickname"] as? String == "涤生")
    #expect(
      after["phones"] as? [[String: String]] == [["label": "home", "value": "1"], ["label": "mobile", "value": "3"]])
    #expect(try kept().isEmpty)
    #expect(try program.run("undo").status == 0)
    #expect(try contact(1)["nickname"] as? String == "")
  }

  @Test mutating func anUnchangedTextChangesNothing() throws {
    let before = try program.run("undo", "list").output
    for command in ["true", #"touch "$1""#, #": > "$1""#] {
      try setEditor(command)
      let result = try program.run("edit", "1", "2", "--editor")
      #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty)
    }
    try setEditor("true")
    #expect(try program.run("add", "--editor").output.isEmpty)
    #expect(try program.run("undo", "list").output == before && program.contacts().count == 2)
    #expect(try kept().isEmpty)
  }

  @Test mutating func errorsComeBackBesideTheirLines() throws {
    try setEditor(
      #"sed -i 's/^birthday:/birthday: soon/; s/^family: .*/famly: Zeng/' "$1""#,
      #"sed -i 's/^birthday: soon/birthday: 1811-11-26/; s/^famly:/family:/' "$1""#)
    let result = try program.run("edit", "1", "--editor")
    #expect(result.status == 0 && result.output == "1\n")
    let lines = try text(2).split(separator: "\n").map(String.init)
    for (line, problem) in [("famly: Zeng", "there is no field “famly”"), ("birthday: soon", "“soon” is not a date")] {
      let index = try #require(lines.firstIndex(of: line))
      #expect(lines[index - 1].hasPrefix("# ! " + problem))
    }
    let after = try contact(1)
    #expect(after["birthday"] as? String == "1811-11-26" && after["family"] as? String == "Zeng")
  }

  @Test mutating func anEditorMayEndLinesAsWindowsDoes() throws {
    try setEditor(
      #"sed -i 's/^birthday:/birthday: soon/; s/$/\r/' "$1""#,
      #"sed -i 's/^birthday: soon/birthday: 1811-11-26/; s/$/\r/' "$1""#)
    #expect(try program.run("edit", "1", "--editor").output == "1\n")
    #expect(try text(2).contains("# ! “soon” is not a date"))
    let after = try contact(1)
    #expect(after["birthday"] as? String == "1811-11-26" && after["family"] as? String == "曾")
  }

  @Test mutating func givingUpKeepsTheText() throws {
    try setEditor(#"echo nonsense >> "$1""#, "true")
    let result = try program.run("edit", "1", "--editor")
    #expect(result.status == 3 && result.output.isEmpty && result.errors.contains("/contacts.yaml"))
    #expect(try kept().count == 1)
    try setEditor("exit 7")
    let failed = try program.run("add", "--editor")
    #expect(failed.status == 3 && failed.errors.contains("ended with status 7"))
    program.environment["VISUAL"] = "no-such-editor"
    let missing = try program.run("add", "--editor")
    #expect(missing.status == 3 && missing.errors.contains("“no-such-editor” cannot be started"))
    #expect(try kept().count == 3)
  }

  @Test mutating func othersChangesAreMerged() throws {
    try setEditor(
      #"""
      sed -i 's/^nickname:/nickname: Al/' "$1"
      '\#(Program.path)' edit 2 --set title=Countess > /dev/null
      """#)
    #expect(try program.run("edit", "2", "--editor").status == 0)
    let after = try contact(2)
    #expect(after["nickname"] as? String == "Al" && after["title"] as? String == "Countess")
    try setEditor(
      #"""
      sed -i 's/^title:.*/title: Lady/' "$1"
      '\#(Program.path)' edit 2 --set title=Lord > /dev/null
      """#)
    let conflict = try program.run("edit", "2", "--editor")
    #expect(conflict.status == 4 && conflict.errors.contains("/contacts.yaml"))
    #expect(try contact(2)["title"] as? String == "Lord" && kept().count == 1)
  }

  @Test mutating func severalAreOneStep() throws {
    try setEditor(
      #"""
      sed -i 's/^title:/title: x/' "$1"
      printf -- '---\ngiven: Neo\n---\nname:\n' >> "$1"
      """#)
    let result = try program.run("edit", "1", "2", "--editor")
    #expect(result.output == "1\n2\n3\n" && result.status == 0)
    #expect(try contact(3)["given"] as? String == "Neo" && contact(2)["title"] as? String == "x")
    try program.run("undo")
    #expect(try program.contacts().count == 2)
    #expect(try contact(1)["title"] as? String == "")
    #expect(try program.run("edit", "1", "2", "--set", "note=x").status == 2)
    #expect(try program.run("edit", "1", "--editor", "--set", "note=x").status == 2)
    #expect(try program.run("edit", "1").status == 2)
  }

  @Test mutating func aNewContactIsAdded() throws {
    try setEditor(#"sed -i 's/^given:/given: Grace/; s/^emails:.*/emails: g@h.example/; /^  home:/d' "$1""#)
    #expect(try program.run("add", "--editor", "--set", "title=Admiral").output == "3\n")
    let after = try contact(3)
    #expect(after["given"] as? String == "Grace" && after["title"] as? String == "Admiral")
    #expect(after["emails"] as? [[String: String]] == [["label": "", "value": "g@h.example"]])
  }

  @Test func anExportComesBack() throws {
    let text = try program.run("export", "--format", "template").output
    #expect(text.hasPrefix("---\nkind: person\n"))
    let edited = text.replacing("note: |-\n  two\n  lines\n", with: "note:\n").replacing("mobile: 2", with: "mobile: 3")
    let result = try program.run(["import", "-"], input: Array(edited.utf8))
    #expect(result.status == 0)
    #expect(try program.contacts().count == 2)
    #expect(try contact(2)["note"] as? String == "")
    #expect((try contact(1)["phones"] as? [[String: String]])?.map { $0["value"] } == ["1", "3"])
  }
}
