import AddressBookModel
import Contacts
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Input is undone and redone in the form, before it is saved.
@MainActor
struct FormUndoTests {
  private func form(_ keys: String = "' l j e", language: Language = .english) throws -> (
    ScreenHarness, ContactFormScreen
  ) {
    let harness = try ScreenHarness(rows: 40, language: language, ScreenPeople.few)
    harness.press(keys)
    return (harness, try #require(harness.environment.screens.top as? ContactFormScreen))
  }

  private func go(to name: String, _ harness: ScreenHarness) {
    harness.press("^G")
    harness.type(name)
    harness.press("Enter")
  }

  @Test func aRemovedValueComesBack() throws {
    let (harness, form) = try form()
    let before = form.contact
    go(to: "em", harness)
    harness.press("^X")
    #expect(form.contact.emails.isEmpty && harness.screen.contains("Removed. Press ^_ to undo."))
    harness.press("^_")
    #expect(form.contact == before && form.model.rows[form.model.focus].multiField?.name == "email")
    harness.press("^R")
    #expect(form.contact.emails.isEmpty)
    go(to: "address", harness)
    harness.press("^X ^_ ^_")
    #expect(form.contact == before && !form.model.isChanged)
    harness.press("^_")
    #expect(harness.screen.contains("Nothing to undo."))
    #expect(harness.environment.screens.top === form)
  }

  @Test func typingIsUndoneByTheWord() throws {
    let (harness, form) = try form()
    go(to: "job", harness)
    harness.press("^U")
    harness.type("one two")
    harness.press("Backspace Backspace")
    #expect(form.contact.title == "one t")
    var titles: [String] = []
    for _ in 0..<4 {
      harness.press("^_")
      titles.append(form.contact.title)
    }
    #expect(titles == ["one two", "one", "", "Actor"], "\(titles)")
    harness.press("^R ^R ^R ^R ^R")
    #expect(form.contact.title == "one t")
    // New input ends what can be redone.
    harness.press("^_")
    harness.type("!")
    harness.press("^R")
    #expect(form.contact.title == "one two!" && harness.screen.contains("Nothing to redo."))
  }

  @Test func eachFieldIsUndoneOnItsOwn() throws {
    let (harness, form) = try form()
    go(to: "job", harness)
    harness.type("x")
    harness.press("Tab")
    harness.type("y")
    harness.press("Left")
    harness.type("z")
    let after = form.contact
    harness.press("^_ ^_")
    #expect(form.contact.title == "Actorx" && form.contact != after)
    harness.press("^_")
    #expect(!form.model.isChanged)
    #expect(form.model.rows[form.model.focus].identity == .single(SingleField.allCases.first { $0.isText("title") }!))
  }

  @Test func everyOtherInputIsAStep() throws {
    let (harness, form) = try form()
    let before = form.contact
    go(to: "phone", harness)
    harness.press("^O")
    harness.type("1")
    harness.send(.paste("2 3"))
    harness.press("^T Down Enter M-Up")
    go(to: "groups", harness)
    harness.press("^X")
    #expect(form.contact.groups.count == 1)
    for _ in 0..<6 { harness.press("^_") }
    #expect(form.contact == before)
    harness.press("^S")
    #expect(harness.environment.screens.top === harness.browser)
  }

  @Test func theKindAndAPhotoComeBack() throws {
    let (harness, form) = try form("a")
    go(to: "kind", harness)
    harness.press("Space")
    #expect(form.contact.kind == .organization)
    form.model.photo = .set(try TestPhoto.stored("png-gray8.png"))
    form.inputDidChange()
    harness.press("^_")
    #expect(!form.model.hasPhoto && form.contact.kind == .organization)
    harness.press("^_")
    #expect(form.contact.kind == .person)
  }
}
