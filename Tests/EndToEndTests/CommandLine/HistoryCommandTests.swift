import Foundation
import Testing

/// `undo`, `redo`, `log` and `trash`. Each command is a separate process, so the history must be in the book.
@Suite struct HistoryCommandTests {
  let program: Program

  init() throws { program = try Program() }

  private func names() throws -> [String] { try program.contacts().compactMap { $0["name"] as? String } }

  private func json(_ arguments: String...) throws -> [[String: Any]] {
    let output = try program.run(arguments + ["--format", "json"]).output
    return try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
  }

  @Test func anotherCommandUndoesAndRedoes() throws {
    try program.run("add", "--set", "name=Ada", "--set", "note=one")
    try program.run("edit", "1", "--set", "note=two")
    try program.run("delete", "1")
    let undo = try program.run("undo")
    #expect(undo.status == 0 && undo.output.isEmpty && undo.errors == "Undone: Delete Ada\n")
    #expect(try names() == ["Ada"])
    #expect(try program.run("undo").errors == "Undone: Edit Ada\n")
    #expect(try program.contacts().first?["note"] as? String == "one")
    #expect(try program.run("redo").errors == "Redone: Edit Ada\n")
    #expect(try program.contacts().first?["note"] as? String == "two")
    for _ in 0..<2 { #expect(try program.run("undo").status == 0) }
    #expect(try names().isEmpty)
    let nothing = try program.run("undo")
    #expect(nothing.status == 1 && nothing.errors.contains("nothing to undo"))
  }

  @Test func anUndoOfWhatIsAlreadyGoneSaysSo() throws {
    try program.run("add", "--set", "name=Ada")
    try program.execute("UPDATE contact SET deleted_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')")
    let undo = try program.run("undo")
    #expect(undo.status == 0 && undo.errors == "Nothing was left to undo: Add Ada\n")
    #expect(try program.run("redo").errors == "Nothing was left to redo: Add Ada\n")
  }

  @Test func sampleContactsAreUndoneAsOneStep() throws {
    try program.run("add", "--set", "name=Ada")
    #expect(try program.run("demo", "--contacts", "20").status == 0)
    #expect(try program.run("undo").errors == "Undone: Add sample contacts\n")
    #expect(try names() == ["Ada"])
  }

  /// The history and the list of deleted contacts say what an import and a merge were.
  @Test func importsAndMergesAreToldAsWhatTheyWere() throws {
    func card(_ name: String, _ note: String) -> String {
      "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\(name)\r\nUID:u-\(name)\r\nNOTE:\(note)\r\nEND:VCARD\r\n"
    }
    let file = try program.file("people.vcf", card("Ada", "one") + card("Adele", "two"))
    try program.run("import", file)
    try program.run("import", program.file("people.vcf", card("Ada", "three")))
    try program.run("merge", "1", "2")
    let log = try program.run("log", "1").lines.filter { !$0.hasPrefix(" ") }
    #expect(log.count == 3)
    #expect(log[0].contains("  merged with Adele  "), "\(log)")
    #expect(log[1].contains("  updated from ") && log[1].contains("people.vcf"), "\(log)")
    #expect(log[2].contains("  imported from ") && log[2].contains("people.vcf"), "\(log)")
    #expect(try program.run("log", "2").lines[0].contains("  merged into Ada  "))
    #expect(try program.run("trash").lines.last?.hasSuffix("merged into Ada") == true)
    try program.run("undo")
    #expect(try program.run("log", "1").lines[0].contains("  changed by undo  "))
    #expect(try program.run("log", "2").lines[0].contains("  restored by undo  "))
    try program.run("delete", "2")
    #expect(try program.run("trash").lines.last?.hasSuffix("  deleted") == true, "the merge was undone")
    try program.run("undo")
    for _ in 0..<2 { try program.run("undo") }
    #expect(try program.run("trash").output.contains("undone: Import "))
    var chinese = program
    chinese.environment["LANG"] = "zh_CN.UTF-8"
    #expect(try chinese.run("trash").output.contains("撤销：导入"))
  }

  @Test func anImportIsUndoneAsOneStep() throws {
    let cards = (1...300).map { "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:P \($0)\r\nUID:u\($0)\r\nEND:VCARD\r\n" }.joined()
    let file = try program.file("people.vcf", cards)
    #expect(try program.run("import", file).status == 0)
    #expect(try program.run("undo").errors.contains("Undone: Import "))
    #expect(try names().isEmpty)
    try program.run("redo")
    #expect(try names().count == 300)
  }

  @Test func undoRefusesToOverwriteLaterChanges() throws {
    try program.run("add", "--set", "name=Ada", "--set", "note=one")
    try program.run("edit", "1", "--set", "note=two")
    try program.run("edit", "1", "--set", "note=three")
    let undo = try program.run("undo", "2")
    #expect(undo.status == 4 && undo.errors.contains("Ada (Note)") && undo.errors.contains("--force"))
    #expect(try program.contacts().first?["note"] as? String == "three")
    #expect(try program.run("undo", "2", "--keep-theirs").status == 0)
    #expect(try program.contacts().first?["note"] as? String == "three")
    #expect(try program.run("undo", "2").status == 1, "step 2 is already undone")
    try program.run("edit", "1", "--set", "note=four")
    #expect(try program.run("undo", "3", "--force").status == 0)
    #expect(try program.contacts().first?["note"] as? String == "two")
    #expect(try program.run("undo", "--force", "--keep-theirs").status == 2)
  }

  @Test func theHistoryIsListed() throws {
    try program.run("add", "--set", "name=Ada")
    try program.run("edit", "1", "--set", "phone[home]=1")
    try program.run("undo")
    let steps = try json("undo", "--list")
    #expect(steps.map { $0["kind"] as? String } == ["undo", "change", "change"])
    #expect(steps.map { $0["undone"] as? Bool } == [false, true, false])
    let table = try program.run("undo", "--list").lines
    #expect(table.count == 4 && table[0].hasPrefix("STEP") && table[2].contains("Edit Ada"))
    // Any step can be undone, not only the most recent one.
    #expect(try program.run("undo", "1").status == 0)
    #expect(try names().isEmpty)
    #expect(try program.run("undo", "99").status == 1)
    let log = try json("log", "1")
    #expect(log.map { $0["change"] as? String } == ["deleted", "changed", "changed", "added"])
    let fields = try #require(log[2]["fields"] as? [[String: Any]])
    #expect(fields.first?["field"] as? String == "phones")
    #expect((fields.first?["after"] as? [[String: String]])?.first == ["label": "home", "value": "1"])
    #expect(try program.run("log", "1").output.contains("Phones: + 1 (home)"))
    #expect(try program.run("log", "9").status == 1)
  }

  @Test func theTrashIsListedRestoredAndEmptied() throws {
    for name in ["Ada", "Bob", "Cy"] { try program.run("add", "--set", "name=\(name)") }
    #expect(try program.run("trash").status == 1)
    try program.run("delete", "1", "2")
    try program.run("delete", "3")
    #expect(try json("trash", "list").compactMap { $0["id"] as? Int } == [3, 2, 1])
    #expect(try program.run("trash").lines.count == 4)
    #expect(try program.run("trash", "restore", "2", "9").status == 1)
    #expect(try names().isEmpty, "all or nothing")
    let restored = try program.run("trash", "restore", "2", "2")
    #expect(restored.status == 0 && restored.output == "2\n")
    #expect(try names() == ["Bob"])
    #expect(try program.run("trash", "restore").status == 2)
    let nothingOlder = try program.run("trash", "empty", "--older-than", "2")
    #expect(nothingOlder.status == 1)
    #expect(nothingOlder.errors == "addressbook: no contact was deleted more than 2 days ago\n")
    #expect(try program.run("trash", "empty", "3").errors.contains("removed 1 contact"))
    #expect(try program.run("trash", "restore", "--all").output == "1\n")
    #expect(try names() == ["Ada", "Bob"])
  }
}
