import AddressBookModel
import Foundation
import Messages
import Testing

@testable import AddressBookTUI

/// Actions on all marked contacts.
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

  @Test(arguments: ScreenGoldenTests.views)
  func matchesTheGoldens(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    let name = "\(size.columns)x\(size.rows)-\(language.rawValue)"
    harness.press("' l Space Space")
    try Golden.check(harness.screen, "marks-\(name)")
    harness.press("+")
    try Golden.check(harness.screen, "marks-group-\(name)")
  }

  @Test func joiningANewGroupAndLeavingAGroupAreUndone() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' l Space Space +")
    harness.type("Kung fu")
    harness.press("Enter")
    #expect(harness.screen.contains("Added 2 contacts to “Kung fu”"))
    #expect(try groups(harness, "李小龙") == ["Friends", "Hong Kong", "Kung fu"])
    #expect(try groups(harness, "李强") == ["Kung fu"])
    harness.press("u")
    #expect(try groups(harness, "李强") == [])
    #expect(try groups(harness, "李小龙") == ["Friends", "Hong Kong"])
    harness.press("-")
    #expect(harness.screen.contains("Hong Kong"))
    harness.press("Down Enter")
    #expect(try groups(harness, "李小龙") == ["Friends"])
    harness.press("u")
    #expect(try groups(harness, "李小龙") == ["Friends", "Hong Kong"])
  }

  @Test func exportAsksBeforeReplacingAFile() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("marks-\(UUID().uuidString).vcf").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' l Space Space w")
    harness.type(path)
    harness.press("Enter")
    try harness.wait(for: "Exported 2 contacts")
    let cards = try String(contentsOfFile: path, encoding: .utf8)
    #expect(cards.components(separatedBy: "BEGIN:VCARD").count == 3 && cards.contains("小龙"))
    try "mine".write(toFile: path, atomically: true, encoding: .utf8)
    harness.press("w")
    harness.type(path)
    harness.press("Enter")
    #expect(harness.screen.contains("That file already exists."))
    harness.press("Enter n")
    #expect(harness.environment.screens.top is TextPrompt && harness.browser.parts.work.task == nil)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    harness.press("Esc w")
    harness.type("/nowhere/at/all.vcf")
    harness.press("Enter")
    try harness.wait(for: "Cannot write")
  }

  @Test(arguments: ScreenGoldenTests.views)
  func theTitleCountsTheMarksInASearchOfAGroupToo(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' l j Space ' m Space f Down Enter")
    try harness.wait("the group") { harness.browser.list.rowCount == 1 }
    let name = "\(size.columns)x\(size.rows)-\(language.rawValue)"
    harness.press("/ l z")
    try harness.wait("no match") { harness.browser.list.rowCount == 0 }
    harness.press("Backspace")
    try harness.wait("the match") { harness.browser.list.rowCount == 1 }
    try Golden.check(harness.screen, "marks-search-\(name)")
    harness.press("Enter d")
    try Golden.check(harness.screen, "marks-delete-\(name)")
  }

  @Test func aLongGroupNameDoesNotHideTheNumberOfMarks() throws {
    var contact = ScreenPeople.few[0]
    contact.groups = [String(repeating: "Group ", count: 20)]
    let harness = try ScreenHarness(rows: 12, columns: 40, [contact] + ScreenPeople.few.dropFirst())
    harness.press("f Down Enter")
    try harness.wait("the group") { harness.browser.list.rowCount == 1 }
    harness.press("Space")
    #expect(harness.screen.split(separator: "\n")[0].hasSuffix("● 1"), "\(harness.screen)")
    harness.press("/")
    harness.type("a long search")
    #expect(harness.screen.split(separator: "\n")[0].hasSuffix("● 1"), "\(harness.screen)")
  }

  @Test func deletingNamesTheMarkedContactsAndCountsHiddenOnes() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' l Space Space d")
    #expect(harness.screen.contains("Delete 2 marked contacts?"))
    #expect(harness.screen.contains("李强, 李小龙"))
    #expect(!harness.screen.contains("of them"))
    harness.press("Esc /")
    harness.type("lin")
    try harness.wait("the matches") { harness.browser.list.rowCount == 3 }
    harness.press("Enter d")
    #expect(harness.screen.contains("李小龙, 李强"), "who is in the list comes first")
    #expect(harness.screen.contains("1 of them is not in the current list."))
    let all = try ScreenHarness(ScreenPeople.few)
    all.press("Home Space Space Space Space Space Space Space Space Space d")
    #expect(all.screen.contains("林青霞 and 4 more"), "\(all.screen)")
  }

  @Test func deletingCountsMarkedContactsThatAreNotVisible() throws {
    let harness = try ScreenHarness(rows: 12, columns: 40, ScreenPeople.few)
    harness.press("Home Space Space End d")
    #expect(harness.screen.contains("2 of them are not on the screen."), "\(harness.screen)")
    harness.press("n Home d")
    #expect(!harness.screen.contains("of them"))
  }

  @Test func contactsDeletedByOthersAreUnmarked() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' l Space Space")
    #expect(harness.screen.contains("● 2 marked"))
    let other = harness.book.newContext()
    let row = try #require(try harness.book.listRows().first { $0.displayName == "李强" })
    try other.delete(try #require(try other.person(row.id)))
    try other.save()
    try harness.wait(for: "● 1 marked")
  }

  @Test func aFailedExportKeepsTheTypedName() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("marks-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("w")
    harness.type(folder + "/a.vcf")
    harness.press("Enter")
    try harness.wait(for: "Cannot write")
    #expect(harness.screen.contains("/a.vcf"))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    harness.press("Enter")
    try harness.wait(for: "Exported 1 contact")
    // If the user does not replace a file, the prompt returns with its name.
    harness.press("w")
    harness.type(folder + "/a.vcf")
    harness.press("Enter n Backspace Backspace Backspace Backspace")
    harness.type("2.vcf")
    harness.press("Enter")
    try harness.wait("the file") { FileManager.default.fileExists(atPath: folder + "/a2.vcf") }
  }

  @Test func typingFiltersGroupsOrNamesANewOne() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' m +")
    harness.type("k")
    #expect(harness.screen.contains("▸ Hong Kong"), "j, k and q are letters here")
    harness.press("Backspace")
    harness.type("fri")
    #expect(harness.screen.contains("▸ Friends") && harness.screen.contains("“fri” (new)"))
    harness.press("Enter")
    #expect(try groups(harness, "马云") == ["Friends"])
    harness.press("+")
    harness.type("fri")
    harness.press("Down Enter")
    #expect(try groups(harness, "马云") == ["Friends", "fri"])
    // Where no new group can be typed, Enter without a match chooses nothing.
    harness.press("f")
    harness.type("nobody")
    #expect(harness.screen.contains("No match for “nobody”"))
    harness.press("Enter")
    #expect(harness.environment.screens.top?.keyContext == .groups)
    harness.press("Esc Esc")
    #expect(harness.environment.screens.top === harness.browser)
  }
}
