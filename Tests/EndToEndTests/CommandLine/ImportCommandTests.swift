import Foundation
import Testing

@Suite struct ImportCommandTests {
  let program: Program

  init() throws { program = try Program() }

  private func card(_ name: String, _ lines: String..., uid: String? = nil) -> String {
    let all =
      ["BEGIN:VCARD", "VERSION:3.0"] + (uid.map { ["UID:\($0)"] } ?? []) + ["FN:\(name)"] + lines + ["END:VCARD"]
    return all.joined(separator: "\r\n") + "\r\n"
  }

  @Test func importingAFileTwiceDuplicatesNothing() throws {
    let file = try program.file(
      "a.vcf",
      card("Ada", "TEL;TYPE=CELL:1", uid: "u1") + card("Bob", "EMAIL:b@example.com")
        + card("Bob", "EMAIL:c@example.com")
        + card("Same name") + card("Same name", "NOTE:another"))
    let first = try program.run("import", file)
    #expect(first.status == 0)
    #expect(first.output.isEmpty)
    #expect(first.errors == "imported 5, updated 0, skipped 0\n")
    let second = try program.run("import", file)
    #expect(second.status == 0)
    #expect(second.errors == "imported 0, updated 0, skipped 5\n")
    #expect(try program.contacts().count == 5)
  }

  @Test func aChangedCardUpdates() throws {
    try program.run("import", program.file("a.vcf", card("Ada", "TEL:1", "NOTE:x", uid: "u1")))
    let again = try program.run("import", program.file("a.vcf", card("Ada L", "TEL:2", uid: "u1")))
    #expect(again.errors == "imported 0, updated 1, skipped 0\n")
    let contact = try #require(program.contacts().first)
    #expect(contact["name"] as? String == "Ada L")
    #expect(contact["note"] as? String == "")
    #expect((contact["phones"] as? [[String: String]])?.map { $0["value"] } == ["2"])
  }

  /// The message of a file that cannot be read does not claim that the others were not imported.
  @Test func oneOfSeveralFilesIsNotImported() throws {
    let (good, bad) = (try program.file("a.vcf", card("Ada")), try program.file("b.json", "[1,"))
    let alone = try program.run("import", bad)
    #expect(
      alone.status == 3 && alone.errors.contains("not valid JSON, or not a list of contacts; nothing was imported"),
      "\(alone.errors)")
    let both = try program.run("import", bad, good)
    #expect(
      both.status == 5 && both.errors.contains("not valid JSON, or not a list of contacts; the file was not imported"),
      "\(both.errors)")
    #expect(try program.contacts().count == 1)
  }

  @Test func aCardWithoutUIDOnlyAddsValues() throws {
    try program.run("add", "--set", "name=Ada", "--set", "phone=+1 555 0100", "--set", "note=mine")
    let result = try program.run("import", program.file("a.vcf", card("ada", "TEL:+15550100", "TITLE:Countess")))
    #expect(result.errors == "imported 0, updated 1, skipped 0\n")
    let contact = try #require(program.contacts().first)
    #expect(contact["note"] as? String == "mine")
    #expect(contact["title"] as? String == "Countess")
  }

  @Test func cardsWithoutUIDAreMatchedOnRequest() throws {
    try program.run("add", "--set", "name=Ada Lovelace", "--set", "phone=+44 20 5550 1234")
    let file = try program.file("a.vcf", card("Countess", "TEL:020 5550 1234", "NOTE:x"))
    let result = try program.run("import", "--match", "phone,email", file)
    #expect(result.status == 0)
    #expect(
      result.errors == """
        \(file):1: the card matches Ada Lovelace in the book by phone number or email; the name Countess was not imported
        imported 0, updated 1, skipped 0

        """)
    #expect(try program.contacts().map { $0["note"] as? String } == ["x"])
    let misuse = try program.run("import", "--match", "phone,fax", file)
    #expect(misuse.status == 2 && misuse.errors.contains("--match takes phone, email and name, not “fax”"))
  }

  @Test func spellingsOfAUUIDAreOneContact() throws {
    let uuid = "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1"
    try program.run("import", program.file("a.vcf", card("A", uid: uuid)))
    let other = try program.run("import", program.file("b.vcf", card("A B", uid: "urn:uuid:" + uuid.uppercased())))
    #expect(other.errors == "imported 0, updated 1, skipped 0\n")
    #expect(try program.contacts().map { $0["uid"] as? String } == [uuid])
    let both = try program.run(
      "import", program.file("c.vcf", card("A", "TEL:1", uid: uuid) + card("A", "TEL:2", uid: uuid)))
    #expect(both.errors.contains("c.vcf:7:"))
    #expect((try program.contacts().first?["phones"] as? [Any])?.count == 2)
  }

  @Test func aDryRunReportsAndChangesNothing() throws {
    let file = try program.file("a.vcf", card("Ada", uid: "u1") + card("Bob", uid: "u2"))
    let onNothing = try program.run("import", "--dry-run", file)
    #expect(onNothing.status == 0)
    #expect(onNothing.errors.hasSuffix("imported 2, updated 0, skipped 0\n"))
    #expect(!FileManager.default.fileExists(atPath: program.book))
    try program.run("import", program.file("b.vcf", card("Ada old", uid: "u1")))
    let before = try program.run("list", "--format", "json").output
    let trial = try program.run("import", "--dry-run", file)
    #expect(trial.errors.hasSuffix("imported 1, updated 1, skipped 0\n"))
    #expect(try program.run("list", "--format", "json").output == before)
    #expect(try program.contacts().map { $0["name"] as? String } == ["Ada old"])
    #expect(try program.run("import", file).errors == "imported 1, updated 1, skipped 0\n")
  }

  @Test func aBadObjectIsReportedWithItsLineAndSkipped() throws {
    let file = try program.file("a.json", "[\n{\"name\": \"Ada\"},\n{\"name\": 7},\n{\"name\": \"Bob\"}\n]\n")
    let result = try program.run("import", file)
    #expect(result.status == 0)
    #expect(result.errors.contains("a.json:3:"))
    #expect(result.errors.hasSuffix("imported 2, updated 0, skipped 1\n"))
  }

  @Test func aBadCardIsReportedWithItsLine() throws {
    let text = card("Ada") + "BEGIN:VCARD\r\nVERSION:3.0\r\nEND:VCARD\r\nstray\r\n" + card("Bob")
    let result = try program.run("import", program.file("a.vcf", text))
    #expect(result.status == 0)
    #expect(result.errors.contains("a.vcf:5:"))
    #expect(result.errors.contains("a.vcf:8:"))
    #expect(result.errors.hasSuffix("imported 2, updated 0, skipped 1\n"))
  }

  @Test func groupCardsBecomeGroups() throws {
    let group = [
      "BEGIN:VCARD", "VERSION:3.0", "UID:g1", "FN:Friends", "X-ADDRESSBOOKSERVER-KIND:group",
      "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u2", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:nobody", "END:VCARD",
    ].joined(separator: "\r\n")
    let file = try program.file("a.vcf", group + "\r\n" + card("Ada", uid: "u1") + card("Bob", uid: "u2"))
    let first = try program.run("import", file)
    #expect(first.errors.contains("nobody"))
    #expect(first.errors.hasSuffix("imported 3, updated 0, skipped 0\n"))
    #expect(try program.run("group", "--format", "tsv").output == "1\tFriends\n")
    #expect(try program.run("group", "list", "Friends", "--format", "tsv").output == "2\tBob\n")
    #expect(try program.run("import", file).errors.hasSuffix("imported 0, updated 0, skipped 3\n"))
  }

  @Test func importRestoresADeletedContact() throws {
    let file = try program.file("a.vcf", card("Ada", uid: "u1"))
    try program.run("import", file)
    try program.run("delete", "1")
    #expect(try program.run("import", file).errors == "imported 1, updated 0, skipped 0\n")
    #expect(try program.contacts().map { $0["id"] as? Int } == [1])
  }

  @Test func otherInputIsRefusedAtOnce() throws {
    let folder = program.folder.path
    mkfifo(folder + "/pipe", 0o600)
    let cases: [(path: String, status: Int32)] = [
      (folder, 3), (folder + "/pipe", 3), ("/dev/zero", 3), ("/dev/null", 1), (folder + "/missing", 3),
      (try program.file("empty.vcf", ""), 1), (try program.file("page.vcf", "<!DOCTYPE html><html></html>"), 3),
      (try program.file("a.vcf.gz", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]), 3), (try program.file("text.vcf", "hello\n"), 3),
      (try program.file("a.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), 3),
      (try program.file("broken.json", "[{\"name\": \"x\""), 3),
    ]
    for (path, status) in cases {
      let result = try program.run(["import", path], seconds: 20)
      #expect(result.status == status, "\(path): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count <= 2)
      #expect(result.output.isEmpty)
    }
    #expect(try program.contacts().isEmpty)
  }

  @Test func endlessInputIsRefused() throws {
    let zero = try #require(FileHandle(forReadingAtPath: "/dev/zero"))
    let running = try program.start(["import", "-"], inputHandle: zero)
    running.wait(20)
    #expect(try running.result().status == 3)
  }

  @Test func aBadFileDoesNotStopTheOthers() throws {
    let good = try program.file("good.vcf", card("Ada", uid: "u1"))
    let other = try program.file("other.vcf", card("Bob", uid: "u2"))
    let bad = try program.file("bad.vcf", "no card at all\n")
    let result = try program.run("import", good, program.folder.path + "/missing.vcf", bad, other)
    #expect(result.status == 5)
    #expect(result.errors.contains("missing.vcf") && result.errors.contains("bad.vcf"))
    #expect(result.errors.contains("imported 2, updated 0, skipped 0\n"))
    #expect(try program.contacts().count == 2)
  }

  /// Folders and pipes are opened before regular files; the messages are in the order of the files.
  @Test func allFilesThatCannotBeReadAreNamed() throws {
    let bad = try program.file("bad.vcf", "no card at all\n")
    let (missing, folder) = (program.folder.path + "/missing.vcf", program.folder.path)
    let none = try program.run("import", missing, bad, folder)
    #expect(none.status == 3)
    let lines = none.errors.split(separator: "\n").filter { $0.hasPrefix("addressbook: ") }
    #expect(lines.count == 3 && zip(lines, [missing, bad, folder]).allSatisfy { $0.contains($1 + " ") }, "\(lines)")
    // Nothing is imported if a file cannot be read to its end.
    let cut = try program.file("cut.json", #"[{"name": "Ada"}, "#)
    let result = try program.run("import", missing, cut)
    #expect(result.status == 3)
    #expect(result.errors.contains(missing) && result.errors.contains(cut), "\(result.errors)")
    #expect(try program.contacts().isEmpty)
  }

  @Test func aDryRunListsWhatWouldChange() throws {
    try program.run("import", program.file("a.vcf", card("Ada", "TEL:1", "NOTE:x", uid: "u1") + card("Bob", uid: "u2")))
    let file = try program.file("b.vcf", card("Ada", "TEL:2", "NOTE:y", uid: "u1") + card("Bob", uid: "u2"))
    let trial = try program.run("import", "--dry-run", file)
    #expect(trial.output == "Ada\n    Phones: 1 → 2\n    Note: x → y\n")
    #expect(try program.run("import", file).output.isEmpty)
    #expect(try program.run("export").output.contains("FN:Ada\r\nTEL:2\r\nNOTE:y\r\nEND:VCARD"))
  }

  @Test func photosAreCheckedByTheirHeader() throws {
    let png = Self.png(width: 3, height: 2)
    let bomb = Self.png(width: 60_000, height: 60_000)
    let file = try program.file(
      "a.vcf",
      card("Good", "PHOTO;ENCODING=b;TYPE=JPEG:\(Data(png).base64EncodedString())", uid: "1")
        + card("Bomb", "PHOTO;ENCODING=b;TYPE=PNG:\(Data(bomb).base64EncodedString())", uid: "2")
        + card("Link", "PHOTO;VALUE=URI:http://127.0.0.1:9/x.png", uid: "3"))
    let result = try program.run("import", file)
    #expect(result.errors.hasSuffix("imported 3, updated 0, skipped 0\n"))
    let sizes = try program.contacts().map { contact in
      "\(contact["name"] ?? "") \((contact["photo"] as? [String: Any])?["bytes"] ?? "none")"
    }
    #expect(sizes == ["Bomb none", "Good \(png.count)", "Link none"])
  }

  private static let pictures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/Images").path

  @Test func importRemovesPhotoMetadataUnlessAskedToKeepIt() throws {
    let original = try Data(contentsOf: URL(filePath: Self.pictures + "/jpeg-exif-orientation-6.jpg"))
    #expect(original.range(of: Data("TestCam".utf8)) != nil)
    let file = try program.file(
      "a.vcf", card("Ada", "PHOTO;ENCODING=b;TYPE=JPEG:\(original.base64EncodedString())", uid: "1"))
    #expect(try program.run("import", file).errors == "imported 1, updated 0, skipped 0\n")
    let saved = program.folder.path + "/saved.jpg"
    try program.run("photo", "save", "1", saved)
    let stored = try Data(contentsOf: URL(filePath: saved))
    #expect(stored.range(of: Data("TestCam".utf8)) == nil)
    #expect(stored.count < original.count && stored.starts(with: [0xFF, 0xD8]))
    let exported = try program.run("export").output.filter { !$0.isWhitespace }
    #expect(!exported.contains(original.base64EncodedString()))
    #expect(exported.contains(stored.base64EncodedString()))
    #expect(try program.run("import", file).errors == "imported 0, updated 0, skipped 1\n")
    #expect(try program.run("import", "--keep-photo-metadata", file).errors == "imported 0, updated 1, skipped 0\n")
    try program.run("photo", "save", "1", saved)
    #expect(try Data(contentsOf: URL(filePath: saved)) == original)
    #expect(try program.run("import", file).errors == "imported 0, updated 0, skipped 1\n", "it is what the book has")
  }

  @Test func anExportAsJSONImportedAgainChangesNothing() throws {
    let photo = try Data(contentsOf: URL(filePath: Self.pictures + "/png-gray8.png")).base64EncodedString()
    let file = try program.file(
      "a.vcf",
      card(
        "Ada", "N:Lovelace;Ada", "TEL;TYPE=CELL:1", "X-UNKNOWN;P=1:kept", "PHOTO;ENCODING=b;TYPE=PNG:\(photo)", uid: "1"
      )
        + card("Bob", "CATEGORIES:Friends", "BDAY:1990-02-03"))
    try program.run("import", file)
    let cards = try program.run("export").output
    #expect(cards.contains("X-UNKNOWN;P=1:kept"))
    let json = try program.run("export", "--format", "json")
    #expect(try program.run(["import", "-"], input: json.outputBytes).errors == "imported 0, updated 0, skipped 2\n")
    #expect(try program.run("export").output == cards)
    let other = ["--book", program.folder.path + "/other.db"]
    #expect(
      try program.run(["import", "-"] + other, input: json.outputBytes).errors == "imported 2, updated 0, skipped 0\n")
    #expect(try program.run(["export"] + other).output == cards)
    // `add` stores the photo too, and reports a photo without data.
    let added = ["--book", program.folder.path + "/added.db"]
    #expect(try program.run(["add", "-"] + added, input: json.outputBytes).errors.isEmpty)
    #expect(try program.run(["export"] + added).output == cards)
    let listed = try program.run("list", "--format", "json", "Ada")
    #expect(!listed.output.contains("\"data\"") && !listed.output.contains("vcardLines"))
    let bare = ["--book", program.folder.path + "/bare.db"]
    #expect(try program.run(["add", "-"] + bare, input: listed.outputBytes).errors.contains("photo"))
  }

  /// Returns the first bytes of a PNG.
  static func png(width: UInt32, height: UInt32) -> [UInt8] {
    func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13) + Array("IHDR".utf8) + big(width) + big(height)
      + [8, 2, 0, 0, 0] + big(0)
  }

  /// Starts an import of 20,000 cards and returns once it has begun to write: another program can no longer.
  private func unfinishedImport() throws -> Program.Running {
    try program.run("add", "--set", "given=Before")
    let cards = (0..<20_000).map { card("Person \($0)", "TEL:\($0)", uid: "u\($0)") }.joined()
    let running = try program.start(["import", try program.file("many.vcf", cards)])
    while running.process.isRunning, try !Program.lockIsHeld(program.book) {}
    #expect(running.process.isRunning)
    return running
  }

  @Test func aKilledImportLeavesNothing() throws {
    let running = try unfinishedImport()
    kill(running.process.processIdentifier, SIGKILL)
    running.wait(10)
    #expect(try program.contacts().map { $0["name"] as? String } == ["Before"])
    #expect(try program.run("add", "--set", "given=After").status == 0)
  }

  @Test func controlCRollsTheImportBack() throws {
    let running = try unfinishedImport()
    kill(running.process.processIdentifier, SIGINT)
    running.wait(20)
    let result = try running.result()
    #expect(result.status == 130)
    #expect(result.errors.contains("canceled"))
    #expect(try program.contacts().count == 1)
  }
}
