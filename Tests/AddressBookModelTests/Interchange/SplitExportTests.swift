import Foundation
import SystemCalls
import Testing

@testable import AddressBookModel
@testable import BookInterchange

/// A folder with one card per file.
struct SplitExportTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("cards") }

  private func card(_ uid: String, _ name: String = "A") -> String {
    "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:\(name)\r\nEND:VCARD\r\n"
  }

  /// Writes cards, and returns how many files were written and how many were left unchanged.
  @discardableResult
  private func export(_ cards: String...) throws -> [Int] {
    let export = try SplitExport(folder: path)
    for card in cards { try export.write(Array(card.utf8)) }
    try export.finish()
    return [export.written, export.unchanged]
  }

  private func put(_ name: String, _ text: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8)
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  private func text(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }

  /// Returns the inode, time and size of a file.
  private func state(_ name: String) throws -> [Int] {
    var status = stat()
    try #require(stat(path + "/" + name, &status) == 0)
    return [Int(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_size)]
  }

  @Test func eachCardHasAFileThatIsNamedByItsUID() throws {
    #expect(try export(card("a-1_+.b"), card("B")) == [2, 0])
    #expect(try names() == ["B.vcf", "a-1_+.b.vcf"])
    #expect(try text("B.vcf") == card("B"))
    var status = stat()
    try #require(stat(path + "/B.vcf", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func onlyWhatChangedIsWritten() throws {
    try export(card("a"), card("b"))
    let (a, b) = (try state("a.vcf"), try state("b.vcf"))
    #expect(try export(card("a"), card("b", "B")) == [1, 1])
    #expect(try state("a.vcf") == a)
    #expect(try state("b.vcf") != b)
    #expect(try text("b.vcf") == card("b", "B"))
    #expect(try names() == ["a.vcf", "b.vcf"])
  }

  @Test func aFileWithTheSameCardInOtherLinesIsLeftAlone() throws {
    let long = String(repeating: "x", count: 200)
    try put("a.vcf", card("a", long).replacing("\r\n", with: "\n"))
    let before = try state("a.vcf")
    #expect(try export(card("a", long)) == [0, 1])
    #expect(try state("a.vcf") == before)
  }

  @Test func aCardKeepsTheNameOfItsFile() throws {
    let uuid = "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1"
    try put("other.vcf", card("a", "old"))
    try put("third.vcf", card("urn:uuid:" + uuid.uppercased(), "old"))
    #expect(try export(card("a"), card(uuid)) == [2, 0])
    #expect(try names() == ["other.vcf", "third.vcf"])
    #expect(try text("other.vcf") == card("a"))
    #expect(try text("third.vcf") == card(uuid))
  }

  @Test(
    arguments: [
      "", ".hidden", "a/b", "a b", "..", "-rf", "ü", "http://a.example/1", String(repeating: "u", count: 201), "a\\,b",
    ])
  func anUnsafeUIDGetsARandomName(_ uid: String) throws {
    #expect(try export(card(uid)) == [1, 0])
    let names = try names()
    let name = try #require(names.first)
    #expect(
      names.count == 1 && name.utf8.count >= 20 && !name.contains(uid.isEmpty ? "/" : uid) && name.hasSuffix(".vcf"))
    #expect(try text(name) == card(uid))
    // The next export finds the file by its UID.
    if !uid.isEmpty { #expect(try export(card(uid)) == [0, 1]) }
  }

  @Test func fileNamesNeverDifferOnlyInCase() throws {
    #expect(try export(card("abc"), card("ABC"), card("Abc")) == [3, 0])
    #expect(Set(try names().map { $0.lowercased() }).count == 3)
    #expect(try export(card("abc"), card("ABC"), card("Abc")) == [0, 3])
  }

  @Test func otherFilesAreNeverTouched() throws {
    try put("many.vcf", card("x") + card("y"))
    try put("x.vcf", "no card")
    try put("displayname", "Friends")
    try put("y.vcf.tmp", card("y"))
    try FileManager.default.createDirectory(atPath: path + "/z.vcf", withIntermediateDirectories: true)
    let before = try names()
    #expect(try export(card("x", "new"), card("z"), card("displayname")) == [3, 0])
    #expect(try text("many.vcf") == card("x") + card("y"))
    #expect(try text("x.vcf") == "no card")
    #expect(try text("displayname") == "Friends")
    #expect(try text("displayname.vcf") == card("displayname"))
    let after = try names()
    #expect(Set(before).isSubset(of: after) && after.count == before.count + 3)
  }

  @Test func manyFilesAreWrittenInBatches() throws {
    let export = try SplitExport(folder: path)
    for number in 1...300 { try export.write(Array(card("u\(number)").utf8)) }
    #expect(try names().filter { $0.hasSuffix(".vcf") }.count == 256, "those of two batches have their names")
    try export.finish()
    #expect(export.written == 300)
    let names = try names()
    #expect(names.count == 300 && names.allSatisfy { $0.hasSuffix(".vcf") })
  }

  @Test func aFolderThatCannotBeReadIsAnError() throws {
    #expect(throws: FileFailure.self) { try SplitExport(folder: "/dev/null") }
    try put("x.vcf", "")
    #expect(throws: FileFailure.self) { try SplitExport(folder: path + "/x.vcf") }
  }
}
