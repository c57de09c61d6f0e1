import Contacts
import GRDB
import Testing

@testable import AddressBookModel
@testable import Messages

/// Deleted contacts, and the history of a contact.
struct TrashAndLogTests {
  private func book(_ count: Int) throws -> AddressBook {
    let book = try AddressBook.inMemory()
    try book.bulkWrite(as: StepName(.samples)) { writer in
      for contact in SampleContacts(count: count, seed: 1) { try writer.write(contact) }
    }
    return book
  }

  private func delete(_ ids: [Int64], from book: AddressBook, at moment: String? = nil) throws {
    _ = try book.bulkEdit(ids, .delete, as: StepName(.delete), isCancelled: { false })
    guard let moment else { return }
    try book.database.write { db in
      for id in ids { try db.execute(sql: "UPDATE contact SET deleted_at = ? WHERE id = ?", arguments: [moment, id]) }
    }
  }

  private func trash(_ book: AddressBook) throws -> [Int64] {
    var ids: [Int64] = []
    try book.forEachDeleted { contact in
      ids.append(contact.id)
      return true
    }
    return ids
  }

  @Test func deletedContactsAreListedNewestFirst() throws {
    let book = try book(1500)
    try delete([2, 1500], from: book, at: "2026-01-01T00:00:00Z")
    try delete([1] + Array(3...1499), from: book)
    #expect(try trash(book) == (3...1499).reversed() + [1] + [1500, 2])
    #expect(try book.deletedCount() == 1500)
    _ = try book.bulkEdit([2, 7], .restore, as: StepName(.restore), isCancelled: { false })
    #expect(try book.deletedCount() == 1498 && book.contactCount() == 2)
  }

  @Test func onlyOldDeletedContactsAreRemoved() throws {
    let book = try book(4)
    try delete([1], from: book, at: "2020-01-01T00:00:00Z")
    try delete([2, 3], from: book)
    #expect(try book.emptyTrash(olderThanDays: AddressBook.trashDays) == 1)
    #expect(try book.emptyTrash(olderThanDays: AddressBook.trashDays) == 0)
    #expect(try book.emptyTrash([2, 4]) == 1)
    #expect(try trash(book) == [3] && book.contactCount() == 1)
    #expect(try book.emptyTrash() == 1)
    let left = try book.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM phone WHERE contact_id < 4") }
    #expect(left == 0)
    // The step that added the contacts still exists. Undoing it deletes those that are left.
    let step = try #require(try book.history().last)
    _ = try book.reverse(step)
    #expect(try book.contactCount() == 0)
  }

  @Test func theHistoryOfAContactNamesProgramsAndChanges() throws {
    let book = try book(3)
    let context = book.newContext(session: EditSession(program: "screen"))
    let person = try #require(try context.person(2))
    var contact = try person.contact
    contact.note = "new"
    contact.phones = [LabeledValue(label: "home", value: "1")]
    try person.apply(contact)
    try context.save()
    try delete([2], from: book)
    let step = try #require(try book.stepToUndo())
    _ = try book.reverse(step)
    let changes = try book.changes(ofContact: 2)
    #expect(changes.map(\.kind) == [.restored, .deleted, .changed, .added])
    #expect(changes.map(\.step.program) == ["command", "command", "screen", "command"])
    let edit = changes[2]
    #expect(Set(edit.fields.map(\.name)).isSuperset(of: ["note", "phones"]))
    #expect(edit.after.note == "new" && edit.after.phones.map(\.value) == ["1"])
    #expect(try book.changes(ofContact: 3).map(\.kind) == [.added])
  }

  @Test func theNameOfARemovedContactIsRemovedFromTheHistory() throws {
    let book = try AddressBook.inMemory()
    for family in ["Ada", "Bob"] {
      let context = book.newContext()
      context.insertPerson().family = family
      try context.save()
    }
    _ = try book.bulkEdit([1], .delete, as: StepName(.delete, "Ada"), isCancelled: { false })
    try book.edit(.add("Ada"))
    try book.emptyTrash()
    let english = Localization(language: .english)
    #expect(
      try book.history().map { $0.text(in: english) } == [
        "Add group Ada", "Delete 1 contact", "Add Bob", "Add 1 contact",
      ])
  }

  @Test func differencesAreOneLineEach() {
    let english = Localization(language: .english)
    func line(_ field: String, _ old: (inout Contact) -> Void, _ new: (inout Contact) -> Void) -> String {
      var (before, after) = (Contact(), Contact())
      old(&before)
      new(&after)
      let field = ContactFields.standard.all.first { $0.name == field } ?? .special(.kind)
      return FieldDifference(field, from: before, to: after, in: english).line(in: english)
    }
    #expect(line("note", { $0.note = "a" }, { $0.note = "b" }) == "Note: a → b")
    #expect(line("note", { $0.note = "a" }, { _ in }) == "Note: − a")
    #expect(line("birthday", { _ in }, { $0.birthday = PartialDate("--02-29") }) == "Birthday: + --02-29")
    let phones = (1...3).map { LabeledValue(label: "home", value: "\($0)") }
    #expect(
      line("phones", { $0.phones = [phones[0], phones[1]] }, { $0.phones = [phones[1], phones[2]] })
        == "Phones: 1 (home) → 3 (home)")
    #expect(line("phones", { $0.phones = phones }, { _ in }) == "Phones: − 1 (home), − 2 (home), − 3 (home)")
    let chinese = Localization(language: .simplifiedChinese)
    var friend = Contact()
    friend.groups = ["同事", "朋友"]
    let groups = FieldDifference(.special(.groups), from: Contact(), to: friend, in: chinese)
    #expect(groups.line(in: chinese) == "群组：+ 同事、+ 朋友")
    #expect(line("kind", { _ in }, { $0.kind = .organization }).contains("Person → Organization"))
  }
}
