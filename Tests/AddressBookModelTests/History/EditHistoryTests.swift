import Contacts
import Foundation
import GRDB
import Testing

@testable import AddressBookModel
@testable import Messages

/// The history of a book: who can undo which steps, including after a restart, and how long they are kept.
struct EditHistoryTests {
  private let folder = TemporaryFolder()

  private func add(_ family: String, to book: AddressBook, in session: EditSession? = nil) throws -> Int64 {
    let context = book.newContext(session: session)
    let person = context.insertPerson()
    person.family = family
    try context.save()
    return person.id
  }

  private func edit(
    _ id: Int64, in book: AddressBook, session: EditSession? = nil, _ change: (inout Contact) -> Void
  ) throws {
    let context = book.newContext(session: session)
    let person = try #require(try context.person(id))
    var contact = try person.contact
    change(&contact)
    try person.apply(contact)
    try context.save()
  }

  private func delete(_ ids: [Int64], from book: AddressBook) throws {
    let context = book.newContext()
    for person in try context.persons(ids) { try context.delete(person) }
    try context.save()
  }

  @discardableResult
  private func undo(_ book: AddressBook, in session: EditSession? = nil) throws -> EditStep? {
    try book.stepToUndo(in: session).map { try book.reverse($0, in: session).step }
  }

  @discardableResult
  private func redo(_ book: AddressBook, in session: EditSession? = nil) throws -> EditStep? {
    try book.stepToRedo(in: session).map { try book.reverse($0, in: session).step }
  }

  private func names(_ book: AddressBook) throws -> [String] { try book.listRows().map(\.displayName) }

  // MARK: - After a restart

  @Test func stepsAreUndoneAndRedoneByAnotherRunOfTheProgram() throws {
    var id: Int64 = 0
    func run(_ body: (AddressBook) throws -> Void) throws {
      let book = try AddressBook.open(at: folder.book())
      try body(book)
      book.close()
    }
    try run { book in
      id = try add("Ada", to: book)
      try edit(id, in: book) { $0.note = "first" }
      try delete([id], from: book)
    }
    try run { book in
      let screen = EditSession(program: "screen")
      try undo(book, in: screen)
      #expect(try book.contact(id: id)?.note == "first")
    }
    try run { book in
      try undo(book)
      #expect(try book.contact(id: id)?.note == "")
      try redo(book)
      try redo(book)
      #expect(try book.contact(id: id) == nil)
      #expect(try redo(book) == nil)
    }
    try run { book in
      for _ in 0..<3 { try undo(book) }
      #expect(try undo(book) == nil)
      #expect(try book.contactCount() == 0)
      #expect(
        try book.history().map(\.kind) == [.undo, .undo, .undo, .redo, .redo, .undo, .undo] + [
          .change, .change, .change,
        ])
    }
  }

  @Test func aPhotoThatWasReplacedComesBackAfterARestart() throws {
    let old = Photo(mediaType: "image/png", data: Data([1, 2, 3]))
    let new = Photo(mediaType: "image/jpeg", data: Data([4]))
    var book = try AddressBook.open(at: folder.book())
    let id = try add("Ada", to: book)
    for photo in [old, new] {
      let context = book.newContext()
      try #require(try context.person(id)).setPhoto(photo)
      try context.save()
    }
    book.close()
    book = try AddressBook.open(at: folder.book())
    try undo(book)
    #expect(try book.photo(of: id) == old)
    try undo(book)
    #expect(try book.photo(of: id) == nil)
    try redo(book)
    try redo(book)
    #expect(try book.photo(of: id) == new)
    book.close()
  }

  // MARK: - Steps of other sessions

  @Test func aScreenUndoesItsOwnStepsAndThoseBeforeIt() throws {
    let book = try AddressBook.inMemory()
    let first = try add("Before", to: book)
    let (mine, theirs) = (EditSession(program: "screen"), EditSession(program: "edit"))
    #expect(try book.stepToUndo(in: mine)?.name == StepName(.add, "Before"))
    let other = try add("Theirs", to: book, in: theirs)
    try edit(first, in: book, session: mine) { $0.nickname = "n" }
    try edit(other, in: book, session: theirs) { $0.nickname = "t" }
    try undo(book, in: mine)
    try undo(book, in: mine)
    #expect(try names(book) == ["Theirs"])
    #expect(try undo(book, in: mine) == nil)
    // A command undoes the most recent step of any session.
    #expect(try book.stepToUndo()?.name == StepName(.edit, "Theirs"))
  }

  /// A screen that was open for a while first writes or undoes after another program wrote.
  @Test func aScreenNeverUndoesWhatOthersDidAfterItWasOpened() throws {
    let book = try AddressBook.open(at: folder.book())
    for name in ["Before", "After"] { _ = try add(name, to: book) }
    try book.database.write { db in
      for (id, days) in [(1, 2), (2, 0)] {
        try db.execute(
          sql: "UPDATE edit_step SET made_at = ? WHERE id = ?", arguments: [Timestamp.daysAgo(days), id])
      }
    }
    let screen = EditSession(program: "screen", began: .now - .seconds(86_400))
    #expect(try book.stepToUndo(in: screen)?.name == StepName(.add, "Before"))
    let writing = EditSession(program: "screen", began: .now - .seconds(86_400))
    _ = try add("Mine", to: book, in: writing)
    for expected in ["Mine", "Before"] {
      let step = try #require(try book.stepToUndo(in: writing))
      #expect(step.name == StepName(.add, expected))
      _ = try book.reverse(step, in: writing)
    }
    #expect(try book.stepToUndo(in: writing) == nil)
    #expect(try names(book) == ["After"])
  }

  @Test func aNewChangeEndsRedo() throws {
    let book = try AddressBook.inMemory()
    let id = try add("Ada", to: book)
    try edit(id, in: book) { $0.note = "1" }
    try undo(book)
    #expect(try book.stepToRedo() != nil)
    try edit(id, in: book) { $0.note = "2" }
    #expect(try book.stepToRedo() == nil)
    try undo(book)
    try undo(book)
    #expect(try book.contactCount() == 0)
  }

  @Test func aStepIsUndoneOnlyOnce() throws {
    let book = try AddressBook.inMemory()
    _ = try add("Ada", to: book)
    let step = try #require(try book.stepToUndo())
    _ = try book.reverse(step)
    do {
      _ = try book.reverse(step)
      Issue.record("it was reversed twice")
    } catch EditError.missing {
    }
    #expect(try book.history().count == 2)
  }

  @Test func anEmptyChangeIsNotAStep() throws {
    let book = try AddressBook.inMemory()
    let id = try add("Ada", to: book)
    try edit(id, in: book) { $0.note = "" }
    #expect(try book.history().count == 1)
  }

  // MARK: - Names

  @Test func stepsAreNamedByWhatWasSaved() throws {
    let book = try AddressBook.inMemory()
    let ada = try add("Ada", to: book)
    let bob = try add("Bob", to: book)
    try edit(ada, in: book) { $0.note = "x" }
    try delete([ada, bob], from: book)
    let english = Localization(language: .english)
    #expect(
      try book.history().map { $0.text(in: english) } == ["Delete 2 contacts", "Edit Ada", "Add Bob", "Add Ada"])
    let steps = try book.history()
    #expect(steps.allSatisfy { $0.program == "command" && !$0.user.isEmpty })
  }

  // MARK: - Groups

  @Test func groupChangesAreUndone() throws {
    let book = try AddressBook.inMemory()
    let id = try add("Ada", to: book)
    try edit(id, in: book) { $0.groups = ["Friends"] }
    func change(_ name: String, _ body: (BookContext, Group) throws -> Void) throws {
      let context = book.newContext()
      try body(context, #require(try context.existingGroup(named: name)))
      try context.save()
    }
    func groups() throws -> [String] { try book.groups().map { "\($0.name) \($0.count)" } }
    try change("Friends") { $1.name = "Chums" }
    #expect(try book.contact(id: id)?.groups == ["Chums"])
    try change("Chums") { try $0.delete($1) }
    #expect(try groups() == [])
    let version = try book.contact(id: id)?.version ?? 0
    try undo(book)
    #expect(try groups() == ["Chums 1"])
    #expect(try book.contact(id: id)?.version ?? 0 > version, "lists and open forms hear of it")
    try undo(book)
    #expect(try groups() == ["Friends 1"])
    try undo(book)
    #expect(try groups() == [])
    for expected in [["Friends 1"], ["Chums 1"], []] {
      try redo(book)
      #expect(try groups() == expected)
    }
  }

  // MARK: - How long steps are kept

  @Test func oldStepsAreRemoved() throws {
    let book = try AddressBook.inMemory()
    let id = try add("Ada", to: book)
    try book.database.write { try $0.execute(sql: "UPDATE edit_step SET made_at = '2001-01-01T00:00:00Z'") }
    try edit(id, in: book) { $0.note = "x" }
    #expect(try book.history().map(\.name.action) == [.edit])
    let entries = try book.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM edit_entry") }
    #expect(entries == 1)
  }

  /// Removing many entries at once would delay a save.
  @Test func aLargeOldStepIsRemovedByTheStepsAfterIt() throws {
    let book = try AddressBook.inMemory()
    try book.bulkWrite(as: StepName(.samples)) { writer in
      for contact in SampleContacts(count: 1200, seed: 1) { try writer.write(contact) }
    }
    _ = try book.bulkEdit(Array(1...1200), .change { $0.note = "x" }, as: StepName(.edit), isCancelled: { false })
    try book.database.write { try $0.execute(sql: "UPDATE edit_step SET made_at = '2001-01-01T00:00:00Z'") }
    var left: [Int?] = []
    for number in 0..<4 {
      try edit(1, in: book) { $0.nickname = "\(number)" }
      #expect(try book.history().map(\.id) == (3...Int64(number) + 3).reversed())
      #expect(try book.step(2) == nil)
      left += [try book.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM edit_entry WHERE step_id < 3") }]
    }
    #expect(left == [701, 201, 0, 0])
    for _ in 0..<4 { try undo(book) }
    #expect(try undo(book) == nil)
  }

  @Test func stepsBeyondTheSizeLimitAreRemovedExceptTheNewest() throws {
    let book = try AddressBook.inMemory()
    let id = try add("Ada", to: book)
    for number in 0..<3 { try edit(id, in: book) { $0.note = "\(number)" } }
    // As if the third step had been larger than the maximum size of the history.
    try book.database.write { db in
      try db.execute(sql: "UPDATE edit_step SET total_bytes = total_bytes + \(EditHistory.bytes) WHERE id >= 3")
    }
    try edit(id, in: book) { $0.note = "4" }
    #expect(try book.history().map(\.id) == [5, 4, 3])
    try book.database.write { db in
      try db.execute(sql: "UPDATE edit_step SET total_bytes = total_bytes + \(2 * EditHistory.bytes) WHERE id = 5")
    }
    try edit(id, in: book) { $0.note = "5" }
    #expect(try book.history().map(\.id) == [6, 5])
    try undo(book)
    #expect(try book.contact(id: id)?.note == "4")
  }
}
