import AddressBookModel
import Foundation
import Testing

@testable import AddressBookTUI

/// What was typed in a form outlives the program.
@MainActor
struct DraftTests {
  private let folder =
    FileManager.default.temporaryDirectory
    .appendingPathComponent("addressbook-draft-\(UUID().uuidString)").path + "/addressbook"

  private func harness(_ drafts: DraftFolder) throws -> ScreenHarness {
    let harness = try ScreenHarness(ScreenPeople.few)
    let loop = harness.loop
    harness.environment.drafts = DraftKeeper(folder: drafts) { loop.schedule(after: $0, $1) }
    return harness
  }

  @Test func isWrittenAfterATimeAndRemovedBySavingOrLeaving() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let drafts = DraftFolder(folder: folder, book: "/b.db")
    for leave in ["^S", "Esc y"] {
      let harness = try harness(drafts)
      harness.press("a")
      harness.type("曹")
      #expect(harness.loop.scheduled.count == 1)
      harness.type("操")
      #expect(harness.loop.scheduled.count == 1, "one write at a time")
      #expect(drafts.left().isEmpty)
      harness.loop.passTime()
      let left = try #require(drafts.left().first)
      #expect(left.draft.applied(to: Contact()).family == "曹操")
      let attributes = try FileManager.default.attributesOfItem(atPath: left.file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      harness.press(leave)
      #expect(drafts.left().isEmpty)
      harness.loop.passTime()
      #expect(drafts.left().isEmpty)
    }
  }

  @Test func isOfferedAndGoneOnWith() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let drafts = DraftFolder(folder: folder, book: "/b.db")
    let first = try harness(drafts)
    first.press("' m e")
    first.type("马")
    first.loop.passTime()
    let left = try #require(drafts.left().first)

    let second = try harness(drafts)
    second.browser.offer(left.draft, from: left.file)
    #expect(second.screen.contains("go on with it"))
    second.press("y")
    #expect(second.screen.contains("changed"))
    #expect(drafts.left().count == 1, "it is this program's draft now")
    second.press("^S")
    #expect(drafts.left().isEmpty)
    #expect(second.screen.contains("马马云"))
  }

  @Test func isKeptForLaterOrThrownAway() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let drafts = DraftFolder(folder: folder, book: "/b.db")
    var contact = Contact()
    contact.family = "曹"
    try drafts.write(Draft(original: Contact(), changed: contact))
    let left = try #require(drafts.left().first)
    let harness = try harness(drafts)
    harness.browser.offer(left.draft, from: left.file)
    harness.press("Esc")
    #expect(drafts.left().count == 1)
    harness.browser.offer(left.draft, from: left.file)
    harness.press("d")
    #expect(drafts.left().isEmpty)
  }

  @Test func changesOnlyWhatThePersonChanged() throws {
    var original = ScreenPeople.few[0]
    original.id = 3
    var changed = original
    changed.note = "new note"
    changed.phones = []
    changed.birthday = nil
    changed.groups = ["Friends", "新朋友"]
    changed.addresses[0].city = "九龙"
    let draft = Draft(original: original, changed: changed)
    let decoded = try JSONDecoder().decode(Draft.self, from: JSONEncoder().encode(draft))
    #expect(decoded == draft)
    #expect(draft.applied(to: original) == changed)
    var elsewhere = original
    elsewhere.title = "Director"
    #expect(draft.applied(to: elsewhere).title == "Director")
  }

  @Test func anotherBooksAndARunningProgramsDraftsAreNotOffered() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let draft = Draft(original: Contact(), changed: Contact())
    try DraftFolder(folder: folder, book: "/other.db", process: 1).write(draft)
    try DraftFolder(folder: folder, book: "/b.db", process: 2).write(draft)
    let mine = DraftFolder(folder: folder, book: "/b.db", process: 3)
    #expect(mine.left { _ in true }.isEmpty)
    #expect(mine.left { _ in false }.count == 1)
    try "broken".write(toFile: folder + "/drafts/4.json", atomically: true, encoding: .utf8)
    #expect(mine.left { _ in false }.count == 1)
  }
}
