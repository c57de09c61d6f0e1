import Foundation
import Testing

/// Chinese text has full-width punctuation also where the program joins texts.
@Suite struct ChineseOutputTests {
  private var program: Program

  init() throws {
    program = try Program()
    program.environment = ["LANG": "zh_CN.UTF-8", "LC_ALL": "zh_CN.UTF-8"]
  }

  private func card(_ name: String, _ lines: String...) throws -> String {
    let card = ["BEGIN:VCARD", "VERSION:3.0", "UID:ann", "FN:Ann"] + lines + ["END:VCARD", ""]
    return try program.file(name, card.joined(separator: "\r\n"))
  }

  @Test func theDoctorAndTheHistory() throws {
    try program.run("add", "--set", "name=Ann")
    #expect(try program.run("doctor").output.contains("/book.db：已检查 1 位联系人"))
    try program.run("edit", "1", "--set", "phone[home]=1")
    #expect(try program.run("undo", "--list").output.contains("（命令行）"))
    let log = try program.run("log", "1").output
    #expect(log.contains("（命令行）") && log.contains("1（住宅）"), "\(log)")
    for arguments in [["edit", "1", "--set", "x=y"], ["list", "--columns", "x"]] {
      let failed = try program.run(arguments)
      #expect(failed.status == 2 && failed.errors.contains("、"), "\(failed.errors)")
    }
  }

  @Test func whatAFormatCannotHold() throws {
    let imported = try program.run("import", program.file("x.csv", "Name,Shoe\nAnn,42\n"))
    #expect(imported.errors.contains("Shoe（1）"), "\(imported.errors)")
    try program.run("import", card("a.vcf", "X-FOO:1"))
    let csv = try program.run("export", "--format", "csv")
    #expect(csv.errors.contains("（1）"), "\(csv.errors)")
  }

  @Test func theConflictsOfASync() throws {
    let folder = program.folder.path + "/cards"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    _ = try card("cards/ann.vcf", "TITLE:Poet", "TEL;TYPE=CELL:1")
    #expect(try program.run("sync", folder).status == 0)
    _ = try card("cards/ann.vcf", "TITLE:Nurse", "TEL;TYPE=CELL:2")
    try program.run("edit", "ann", "--set", "title=Pilot")
    let result = try program.run("sync", folder)
    #expect(result.errors.contains("冲突：Ann的职务：通讯录中为“Pilot”，文件夹中为“Nurse”"), "\(result.errors)")
  }
}
