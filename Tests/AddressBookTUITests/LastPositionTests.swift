import AddressBookModel
import Foundation
import Testing

@testable import AddressBookTUI

/// The position in the list, from one run to the next.
@MainActor
struct LastPositionTests {
  private let home =
    FileManager.default.temporaryDirectory.appendingPathComponent("addressbook-state-\(UUID().uuidString)").path
  private var folder: String { home + "/addressbook" }

  @Test func thePositionIsStoredPerBookInAPrivateFile() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let file = PositionFile(folder: folder)
    #expect(file.position(in: "/a.db") == nil)
    let one = LastPosition(id: 7, uid: "seven", line: 3, group: nil)
    let two = LastPosition(id: 8, uid: "eight", line: 0, group: "朋友")
    try file.save(one, InputHistories(), in: "/a.db")
    try file.save(two, InputHistories(), in: "/b.db")
    #expect(file.position(in: "/a.db") == one)
    #expect(file.position(in: "/b.db") == two)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/state.json")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["state.json"])
  }

  @Test func anInvalidPositionFileIsIgnoredAndReplaced() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = PositionFile(folder: folder)
    for text in ["", "{", "[]", "{\"books\": 3}", "\u{0}\u{1}"] {
      try text.write(toFile: folder + "/state.json", atomically: true, encoding: .utf8)
      #expect(file.position(in: "/a.db") == nil)
    }
    try file.save(LastPosition(id: 1, uid: "u", line: 0, group: nil), InputHistories(), in: "/a.db")
    #expect(file.position(in: "/a.db")?.id == 1)
  }

  @Test func theListReturnsToTheContactTheLineAndTheGroup() throws {
    let first = try ScreenHarness(rows: 12, columns: 80, ScreenPeople.few)
    first.press("' z")
    let position = try #require(first.browser.position)
    let line = try #require(first.screen.split(separator: "\n").firstIndex { $0.contains("▸") })

    let second = try ScreenHarness(rows: 12, columns: 80, ScreenPeople.few)
    second.browser.restore(position)
    #expect(second.selectedLine.contains("曾国藩"))
    #expect(second.screen.split(separator: "\n").firstIndex { $0.contains("▸") } == line)

    let third = try ScreenHarness(ScreenPeople.few)
    third.press("' l j")
    var inGroup = try #require(third.browser.position)
    inGroup.group = "Friends"
    let fourth = try ScreenHarness(ScreenPeople.few)
    fourth.browser.restore(inGroup)
    try fourth.wait("the group") { fourth.browser.list.rowCount == 1 }
    #expect(fourth.screen.contains("Friends"))
  }

  @Test func missingOrReplacedContactsAreNotReturnedTo() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    let before = harness.selectedLine
    harness.browser.restore(LastPosition(id: 3, uid: "of another book", line: 2, group: nil))
    harness.browser.restore(LastPosition(id: 999, uid: "", line: 2, group: nil))
    #expect(harness.selectedLine == before)
  }

  /// A line that was meant for a contact that never came into the list is not used for another.
  @Test func theLineIsOnlyForItsContact() throws {
    let list = try ScreenHarness(rows: 12, columns: 80, ScreenPeople.few).browser.list
    list.select(id: 999, line: 5)
    #expect(list.awaited == .contact(999, line: 5))
    list.select(id: 1)
    #expect(list.awaited == nil)
    list.select(id: 999, line: 5)
    list.select(id: 998)
    #expect(list.awaited == .contact(998, line: nil))
  }
}
