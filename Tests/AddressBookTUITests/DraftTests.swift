import AddressBookModel
import Contacts
import Foundation
import Messages
import Testing

@testable import AddressBookTUI

/// Input in a form survives the end of the program.
@MainActor
struct DraftTests {
  private let home =
    FileManager.default.temporaryDirectory.appendingPathComponent("addressbook-draft-\(UUID().uuidString)").path
  private var folder: String { home + "/addressbook" }

  private func harness(_ drafts: DraftFolder) throws -> ScreenHarness {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.environment.drafts = DraftAutosave(store: drafts, loop: harness.loop)
    return harness
  }

  /// Advances the time until a draft is due, and waits until it is written.
  private func keep(_ harness: ScreenHarness) throws {
    harness.loop.advanceTime()
    try harness.wait("the draft to be written") { harness.environment.drafts?.isIdle == true }
  }

  @Test func aDraftIsWrittenAfterAWhileAndRemovedWhenTheFormCloses() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let drafts = DraftFolder(folder: folder, book: "/b.db")
    for leave in ["^S", "Esc y"] {
      let harness = try harness(drafts)
      harness.press("a")
      harness.type("曹")
      let timers = harness.loop.timerCount
      harness.type("操")
      #expect(harness.loop.timerCount == timers, "one write at a time")
      #expect(drafts.left().isEmpty)
      try keep(harness)
      let left = try #require(drafts.left().first)
      #expect(left.draft.applied(to: Contact()).family == "曹操")
      let attributes = try FileManager.default.attributesOfItem(atPath: left.file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      harness.press(leave)
      #expect(drafts.left().isEmpty)
      try keep(harness)
      #expect(drafts.left().isEmpty)
    }
  }

  /// Makes the draft of a new contact with a family name.
  private func newContact(_ family: String) -> Draft {
    var contact = Contact()
    contact.family = family
    return Draft(original: Contact(), changed: contact)
  }

  /// A note of several megabytes is written only if it was changed, and a draft that has it can be read.
  @Test func aDraftOfALongNoteStoresOnlyTheChange() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let drafts = DraftFolder(folder: folder, book: "/b.db")
    var original = Contact()
    original.note = String(repeating: "line of a note\n", count: 650_000)
    var changed = original
    changed.family = "曹"
    try drafts.write(Draft(original: original, changed: changed))
    let size = try FileManager.default.attributesOfItem(atPath: drafts.path)[.size] as? Int
    #expect(try #require(size) < 10_000)
    #expect(drafts.left().first?.draft.applied(to: original) == changed)
    changed.note += "and its end"
    try drafts.write(Draft(original: original, changed: changed))
    #expect(drafts.left().first?.draft.applied(to: original) == changed)
  }

  @Test func aDraftIsOfferedAndContinued() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let drafts = DraftFolder(folder: folder, book: "/b.db")
    let first = try harness(drafts)
    first.press("' m e")
    first.type("马")
    try keep(first)
    #expect(drafts.left().count == 1)

    let second = try harness(drafts)
    second.browser.forms.offer(drafts.left())
    #expect(second.screen.contains("马马云 was being") && second.screen.contains("keep editing"))
    second.press("Up Up Enter")
    #expect(second.screen.contains("changed"))
    #expect(drafts.left().count == 1, "it is this program's draft now")
    second.press("^S")
    #expect(drafts.left().isEmpty)
    #expect(second.screen.contains("马马云"))
  }

  @Test(arguments: ScreenGoldenTests.views)
  func theQuestionMatchesTheGoldens(size: (rows: Int, columns: Int), language: Language) throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    for (process, name) in [(Int32(1), "曹"), (2, "刘")] {
      try DraftFolder(folder: folder, book: "/b.db", process: process).write(newContact(name))
    }
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    let drafts = DraftFolder(folder: folder, book: "/b.db", process: 9)
    harness.environment.drafts = DraftAutosave(store: drafts, loop: harness.loop)
    harness.browser.forms.offer(drafts.left { _ in false })
    try Golden.check(harness.screen, "draft-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func aDraftIsOfferedWithTheNameOfItsContact() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let drafts = DraftFolder(folder: folder, book: "/b.db")
    let first = try harness(drafts)
    first.press("' m e")
    let form = try #require(first.environment.screens.top as? ContactFormScreen)
    let original = form.model.contact
    var changed = original
    changed.note = "Only the note is changed."
    try drafts.write(Draft(original: original, changed: changed))
    let second = try harness(drafts)
    second.browser.forms.offer(drafts.left())
    #expect(second.screen.contains("马云 was being"), "\(second.screen)")
  }

  @Test func aDraftIsPostponedOrDiscarded() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let drafts = DraftFolder(folder: folder, book: "/b.db")
    try drafts.write(newContact("曹"))
    let harness = try harness(drafts)
    harness.browser.forms.offer(drafts.left())
    harness.press("Esc")
    #expect(drafts.left().count == 1)
    harness.browser.forms.offer(drafts.left())
    harness.press("Up Enter")
    #expect(drafts.left().isEmpty)
  }

  @Test func everyDraftIsOfferedOneAfterTheOther() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    for (process, name) in [(Int32(1), "曹"), (2, "刘"), (3, "孙"), (4, "周")] {
      try DraftFolder(folder: folder, book: "/b.db", process: process).write(newContact(name))
    }
    let mine = DraftFolder(folder: folder, book: "/b.db", process: 9)
    let harness = try harness(mine)
    harness.browser.forms.offer(mine.left { _ in false })
    #expect(harness.screen.contains("曹 was being") && harness.screen.contains("3 more drafts after this"))
    harness.press("Enter")
    #expect(harness.screen.contains("刘 was being"))
    harness.press("Up Up Enter")
    #expect(harness.screen.contains("New contact") && !harness.screen.contains("was being"))
    harness.press("^S")
    #expect(harness.screen.contains("孙 was being") && harness.screen.contains("1 more draft after this one"))
    harness.press("Up Enter")
    #expect(harness.screen.contains("周 was being") && !harness.screen.contains("after this one"))
    harness.press("Up Up Enter Esc y")
    #expect(!harness.screen.contains("was being"))
    let left = mine.left { _ in false }
    #expect(left.map { $0.draft.applied(to: Contact()).family } == ["曹"])
    #expect(harness.screen.contains("刘"))
  }

  @Test func aDraftOfAnEarlierProcessWithTheSameIDIsKept() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let drafts = DraftFolder(folder: folder, book: "/b.db", process: 7)
    #expect(drafts.setAside() == nil, "there is none")
    for name in ["曹", "刘"] {
      try drafts.write(newContact(name))
      #expect(drafts.setAside() == nil)
    }
    #expect(drafts.left { _ in true }.map { $0.draft.applied(to: Contact()).family } == ["曹", "刘"])
  }

  @Test func aFailedWriteIsReportedOnceAndAgainAtTheEnd() throws {
    let parent = (folder as NSString).deletingLastPathComponent
    defer { try? FileManager.default.removeItem(atPath: parent) }
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    // A file in place of the folder: nothing can be written, even by root.
    try "".write(toFile: folder, atomically: true, encoding: .utf8)
    let drafts = DraftFolder(folder: folder, book: "/b.db")
    let harness = try harness(drafts)
    harness.press("a")
    harness.type("曹")
    try keep(harness)
    #expect(harness.screen.contains("No draft can be kept") && harness.screen.contains("Press ^S to save"))
    harness.type("操")
    try keep(harness)
    #expect(!harness.screen.contains("No draft can be kept"), "once is enough")
    #expect(harness.environment.drafts?.flush() != nil)

    let state = SessionState(browser: harness.browser, folder: folder, path: "/b.db")
    harness.environment.drafts?.update(Draft(original: Contact(), changed: ScreenPeople.few[0]))
    let lost = state.save()
    #expect(lost.count == 2 && lost[0].contains("unsaved changes") && lost[1].contains("position in the list"))

    harness.press("^S")
    #expect(harness.screen.contains("曹操"), "it can still be saved")
  }

  @Test func aDraftChangesOnlyTheEditedFields() throws {
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

  @Test func draftsOfOtherBooksAndRunningProgramsAreNotOffered() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let draft = Draft(original: Contact(), changed: Contact())
    try DraftFolder(folder: folder, book: "/other.db", process: 1).write(draft)
    try DraftFolder(folder: folder, book: "/b.db", process: 2).write(draft)
    let mine = DraftFolder(folder: folder, book: "/b.db", process: 3)
    #expect(mine.left { _ in true }.isEmpty)
    #expect(mine.left { _ in false }.count == 1)
    try "broken".write(toFile: folder + "/drafts/4.json", atomically: true, encoding: .utf8)
    #expect(mine.left { _ in false }.count == 1)
  }

  @Test func aDraftOfANewContactShowsNoNotice() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let drafts = DraftFolder(folder: folder, book: "/b.db")
    try drafts.write(newContact("曹"))
    let harness = try harness(drafts)
    harness.browser.forms.offer(drafts.left())
    harness.press("Up Up Enter")
    let form = try #require(harness.environment.screens.top as? ContactFormScreen)
    #expect(form.notice.isEmpty)
  }

  @Test func aDraftOfAContactThatIsGoneBecomesANewContact() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let drafts = DraftFolder(folder: folder, book: "/b.db")
    let harness = try harness(drafts)
    let id = try #require(try harness.book.listRows().first?.id)
    let original = try #require(try harness.book.contact(id: id))
    var changed = original
    changed.family = "Changed"
    try drafts.write(Draft(original: original, changed: changed))
    _ = try harness.book.bulkEdit([id], .delete, as: StepName(.delete), isCancelled: { false })
    try harness.book.emptyTrash([id])
    harness.browser.forms.offer(drafts.left())
    harness.press("Up Up Enter")
    #expect(harness.screen.contains("! No longer in the book; saving adds a new contact with only your changes"))
    harness.press("^S")
    try harness.wait(for: "Added Changed.")
  }
}
