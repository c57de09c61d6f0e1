import Foundation
import Testing

/// `backup` and `restore`.
struct BackupCommandTests {
  private func names(_ program: Program) throws -> [String] {
    try program.contacts().compactMap { $0["name"] as? String }
  }

  @Test func aBackupIsRestored() throws {
    let program = try Program()
    try program.run("add", "--set", "family=Ames")
    let copy = program.folder.path + "/copy.db"
    let made = try program.run("backup", copy)
    #expect(made.status == 0 && made.output.isEmpty && made.errors == "backed up 1 contact\n")
    #expect(try program.run("backup", copy).status == 3)
    #expect(try program.run("backup", "--force", copy).status == 0)
    #expect(try program.run("backup", "--force", program.book).status == 3)
    try program.run("add", "--set", "family=Baker")
    #expect(try names(program) == ["Ames", "Baker"])
    let restored = try program.run("restore", copy)
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(restored.errors.contains("restored a book with 1 contact") && restored.errors.contains(".replaced-"))
    #expect(try names(program) == ["Ames"])
    let text = try program.file("text", "no book")
    let empty = try program.file("empty", "")
    for (file, reason) in [
      ("/nowhere.db", "does not exist"), (copy + "/x.db", "does not exist"), (text, "is not an address book"),
      (empty, "is not an address book"), (program.folder.path, "is not an address book"),
    ] {
      let refused = try program.run("restore", file)
      #expect(refused.status == 3 && refused.errors.hasPrefix("addressbook: \(file) \(reason). Nothing was changed. "))
    }
    #expect(try names(program) == ["Ames"])
  }

  @Test func commandsMakeTheDailyBackup() throws {
    let program = try Program()
    #expect(try program.run("backup", "--list").status == 1)
    #expect(try program.run("backup", "--list", "--force").status == 2)
    try program.run("add", "--set", "family=Ames")
    try program.run("add", "--set", "family=Baker")
    let list = try program.run("backup", "--list")
    #expect(list.status == 0 && list.lines.count == 2 && list.output.contains("/book.db.backups/book-20"))
    try program.run("restore", String(try #require(list.lines[1].split(separator: " ").last)))
    #expect(try names(program) == ["Ames"])
  }

  /// Commands that merge, undo, redo, restore or remove contacts make the day's backup too.
  @Test(arguments: [
    ["merge", "1", "2"], ["undo"], ["redo"], ["trash", "restore", "3"], ["trash", "empty"], ["undelete", "3"],
  ])
  func aChangeMakesTheDailyBackup(command: [String]) throws {
    let program = try Program()
    for name in ["Ames", "Baker", "Clark", "Davis"] { try program.run("add", "--set", "family=\(name)") }
    try program.run("delete", "3")
    try program.run("delete", "4")
    if command == ["redo"] { try program.run("undo") }
    if command.contains("3") || command == ["trash", "empty"] { try program.run("edit", "1", "--set", "note=x") }
    let backups = program.book + ".backups"
    try FileManager.default.removeItem(atPath: backups)
    #expect(try program.run(command).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: backups).count == 1)
  }

  /// A mistyped id must not lead to the removal of the contact that was meant.
  @Test(arguments: [["trash", "restore"], ["undelete"]]) func aFailedRestoreRemovesNothing(command: [String]) throws {
    let program = try Program()
    for name in ["Ames", "Baker"] { try program.run("add", "--set", "family=\(name)") }
    try program.run("delete", "1", "2")
    try program.execute("UPDATE contact SET deleted_at = '2020-01-01T00:00:00Z'")
    #expect(try program.run(command + ["11"]).status == 1)
    #expect(try program.run(command + ["1"]).output == "1\n")
    #expect(try program.run("trash").status == 1, "the other one was deleted long ago")
    #expect(try names(program) == ["Ames"])
  }

  @Test func noBackupIsMadeIfDisabled() throws {
    let program = try Program()
    try FileManager.default.createDirectory(
      atPath: program.folder.path + "/.config/addressbook", withIntermediateDirectories: true)
    _ = try program.file(".config/addressbook/config.toml", "backups = 0\n")
    try program.run("add", "--set", "family=Ames")
    #expect(!FileManager.default.fileExists(atPath: program.book + ".backups"))
  }

  /// A book that is used only from the command line must not grow forever.
  @Test(arguments: [30, 0]) func commandsRemoveContactsThatWereDeletedLongAgo(days: Int) throws {
    let program = try Program()
    try FileManager.default.createDirectory(
      atPath: program.folder.path + "/.config/addressbook", withIntermediateDirectories: true)
    _ = try program.file(".config/addressbook/config.toml", "trash_days = \(days)\n")
    for name in ["Ames", "Baker"] { try program.run("add", "--set", "family=\(name)") }
    try program.run("delete", "1", "2")
    try program.execute("UPDATE contact SET deleted_at = '2020-01-01T00:00:00Z' WHERE id = 1")
    try program.run("add", "--set", "family=Clark")
    let trash = try program.run("trash", "list")
    #expect(trash.output.contains("Ames") == (days == 0) && trash.output.contains("Baker"))
  }

  @Test func aDryRunRemovesNothing() throws {
    let program = try Program()
    try program.run("add", "--set", "family=Ames")
    try program.run("delete", "1")
    try program.execute("UPDATE contact SET deleted_at = '2020-01-01T00:00:00Z'")
    let cards = program.folder.path + "/cards"
    try FileManager.default.createDirectory(atPath: cards, withIntermediateDirectories: false)
    let card = try program.file("cards/b.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ben\r\nEND:VCARD\r\n")
    #expect(try program.run("import", "--dry-run", card).status == 0)
    #expect(try program.run("sync", "--dry-run", cards).status == 0)
    #expect(try program.run("trash", "list").output.contains("Ames"))
  }

  @Test func aFailedBackupDoesNotFailTheCommand() throws {
    let program = try Program()
    _ = try program.file("book.db.backups", "in the way")
    let added = try program.run("add", "--set", "family=Ames")
    #expect(added.status == 0 && added.output == "1\n" && added.errors.isEmpty)
    #expect(try names(program) == ["Ames"])
  }

  @Test func misuse() throws {
    let program = try Program()
    #expect(try program.run("backup").status == 2)
    #expect(try program.run("backup", "--list", "file").status == 2)
    #expect(try program.run("restore").status == 2)
  }
}
