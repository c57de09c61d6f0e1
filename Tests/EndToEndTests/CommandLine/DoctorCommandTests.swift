import Foundation
import Testing

/// `doctor` on good and damaged books.
struct DoctorCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.run("demo", "--contacts", "60")
    try program.run("add", "--set", "family=Ames", "--set", "note=unmistakable")
  }

  private func change(_ body: (inout Data) -> Void) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: program.book))
    body(&bytes)
    try bytes.write(to: URL(fileURLWithPath: program.book))
    chmod(program.book, 0o600)
  }

  @Test func aFileThatIsNotABookIsLeftAlone() throws {
    let path = try program.file("text", "not a book")
    chmod(path, 0o644)
    for arguments in [["doctor"], ["doctor", "--repair"]] {
      let result = try program.run(["--book", path] + arguments)
      #expect(result.status == 3 && result.output.contains("not an address book"), "\(result.output)")
      #expect(!(result.output + result.errors).contains("--repair"), "\(result.output)")
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o644)
    }
  }

  @Test func doctorReportsNoProblemsForAGoodBook() throws {
    let result = try program.run("doctor")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output.contains("61 contacts examined"))
  }

  @Test func aFlippedBitIsFoundAndNamed() throws {
    try change { bytes in
      let range = bytes.range(of: Data("unmistakable".utf8))!
      bytes[range.lowerBound] ^= 4
    }
    let found = try program.run("doctor")
    #expect(found.status == 3)
    #expect(found.output.contains("61 Ames") && found.output.contains("doctor --repair"))
    #expect(try program.run("doctor").output == found.output, "nothing was changed")
    let repaired = try program.run("doctor", "--repair")
    #expect(repaired.status == 0, "\(repaired.output)\(repaired.errors)")
    #expect(repaired.output.contains("accepted as it is: 61 Ames") && repaired.output.contains(".damaged-"))
    #expect(try program.run("doctor").status == 0)
  }

  @Test func aBookWithoutItsFirstPageIsSalvaged() throws {
    let before = try program.run("export", "--format", "json").output
    try change { $0.replaceSubrange(0..<4096, with: Data(repeating: 0xAA, count: 4096)) }
    #expect(try program.run("list").status == 3)
    #expect(try program.run("doctor").status == 3)
    let repaired = try program.run("doctor", "--repair", "--format", "json")
    #expect(repaired.status == 0, "\(repaired.output)\(repaired.errors)")
    let json = try #require(try JSONSerialization.jsonObject(with: Data(repaired.output.utf8)) as? [String: Any])
    #expect(json["healthy"] as? Bool == false && json["salvage"] as? Bool == true)
    #expect((json["after"] as? [String: Any])?["healthy"] as? Bool == true)
    let kinds = (json["actions"] as? [[String: Any]] ?? []).compactMap { $0["kind"] as? String }
    #expect(kinds.contains("salvaged") && kinds.contains("kept"))
    #expect(try program.run("export", "--format", "json").output == before)
  }

  @Test func doctorReportsAMissingBook() throws {
    #expect(try program.run("--book", "/nowhere/book.db", "doctor").status == 1)
    #expect(try program.run("doctor", "--from-backups").status == 2)
  }

  /// A command cannot know whether the file was a book and proposes the doctor, who can tell.
  @Test func aFileOfAnotherKindIsToldFromABookWithADamagedBeginning() throws {
    let file = try program.file("text.txt", String(repeating: "no book\n", count: 100))
    #expect(try program.run("--book", file, "list").errors.contains("“addressbook doctor” examines it"))
    let text = try program.run("--book", file, "doctor")
    #expect(text.status == 3 && text.output.contains("text.txt is not an address book. To import"))
    try program.run("add", "--set", "given=Bo")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: program.book))
    bytes.replaceSubrange(0..<100, with: Data(count: 100))
    try bytes.write(to: URL(fileURLWithPath: program.book))
    #expect(try program.run("list").errors.contains("“addressbook doctor” examines it"))
    #expect(try program.run("doctor").output.contains("The beginning of the file is damaged."))
  }
}
