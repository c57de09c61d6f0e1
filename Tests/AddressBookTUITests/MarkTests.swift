import AddressBookModel
import Foundation
import Testing

@testable import AddressBookTUI

/// What is done with all marked people at once.
@MainActor
struct MarkTests {
  private func groups(_ harness: ScreenHarness, _ name: String) throws -> [String] {
    var groups: [String] = []
    try harness.book.forEachContact { contact in
      if contact.displayName == name { groups = contact.groups }
      return true
    }
    return groups
  }

  @Test(arguments: [Language.english, .simplifiedChinese])
  func looksAsItShould(language: Language) throws {
    let harness = try ScreenHarness(language: language, ScreenPeople.few)
    harness.press("' l Space Space")
    try Golden.check(harness.screen, "marks-80x24-\(language.rawValue)")
    harness.press("+")
    try Golden.check(harness.screen, "marks-group-80x24-\(language.rawValue)")
  }

  @Test func joinANewGroupLeaveItAndUndo() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' l Space Space +")
    harness.type("Kung fu")
    harness.press("Enter")
    #expect(harness.screen.contains("2 people are in Kung fu now"))
    #expect(try groups(harness, "李小龙") == ["Friends", "Hong Kong", "Kung fu"])
    #expect(try groups(harness, "李强") == ["Kung fu"])
    harness.press("u")
    #expect(try groups(harness, "李强") == [])
    #expect(try groups(harness, "李小龙") == ["Friends", "Hong Kong"])
    harness.press("-")
    #expect(harness.screen.contains("Hong Kong"))
    harness.press("j Enter")
    #expect(try groups(harness, "李小龙") == ["Friends"])
    harness.press("u")
    #expect(try groups(harness, "李小龙") == ["Friends", "Hong Kong"])
  }

  @Test func exportToAFileThatIsReplacedOnlyWhenAsked() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("marks-\(UUID().uuidString).vcf").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' l Space Space w")
    harness.type(path)
    harness.press("Enter")
    try harness.wait(for: "Wrote 2 people")
    let cards = try String(contentsOfFile: path, encoding: .utf8)
    #expect(cards.components(separatedBy: "BEGIN:VCARD").count == 3 && cards.contains("小龙"))
    try "mine".write(toFile: path, atomically: true, encoding: .utf8)
    harness.press("w")
    harness.type(path)
    harness.press("Enter Enter")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    harness.press("w")
    harness.type("/nowhere/at/all.vcf")
    harness.press("Enter")
    try harness.wait(for: "Not written")
  }
}
