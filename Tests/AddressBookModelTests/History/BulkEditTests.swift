import Contacts
import GRDB
import Testing

@testable import AddressBookModel

/// A bulk edit reads its contacts in batches; the result is that of one edit for each contact.
struct BulkEditTests {
  /// A thousand contacts: some deleted, some in the group already or in another one.
  private func book(_ folder: TemporaryFolder, _ name: String) throws -> (book: AddressBook, ids: [Int64]) {
    let book = try AddressBook.open(at: folder.book(name))
    let ids = try book.bulkWrite { writer in
      try (0..<1000).map { number in
        var contact = Contact()
        contact.uid = "uid-\(number)"
        contact.family = ["王", "Müller", "Smith"][number % 3]
        contact.given = "\(number)"
        contact.phones = [LabeledValue(label: "mobile", value: "138\(number)")]
        if number % 7 == 0 { contact.groups = ["Work"] }
        if number % 5 == 0 { contact.groups.append("Other") }
        return try writer.write(contact).id
      }
    }
    try book.bulkWrite { writer in for id in ids where id % 11 == 0 { try writer.delete(id) } }
    return (book, ids)
  }

  /// Everything stored about the contacts, except times.
  private func rows(_ book: AddressBook) throws -> [String] {
    try book.store.read { db in
      try ContactLoader(db).loadStored(Array(1...1000)).map { stored in
        var contact = stored.contact
        (contact.created, contact.modified) = ("", "")
        return "\(contact) \(stored.row.sortKey) \(stored.row.displayName) \(stored.row.deleted.isEmpty)"
      }
    }
  }

  /// Whether each contact has its checksum, and the derived columns that follow from it.
  private func areWhole(_ book: AddressBook) throws -> Bool {
    try book.store.read { db in
      let cursor = try ContactCursor(db, .ids(Array(1...1000)), withChecksums: true)
      var digest = ContactDigest()
      while let stored = try cursor.next() {
        let derived = DerivedColumns(stored.contact)
        guard let checksum = stored.checksum, stored.fits(checksum, &digest), stored.row.listPhone == derived.listPhone,
          stored.row.displayName == derived.displayName, Array(stored.row.sortKey) == Array(derived.sortKey)
        else { return false }
      }
      return true
    }
  }

  private let join: @Sendable (inout Contact) -> Void = { contact in
    if !contact.groups.contains("Work") { contact.groups.append("Work") }
  }

  @Test func batchesGiveWhatSingleEditsGive() throws {
    let folder = TemporaryFolder()
    let (many, ids) = try book(folder, "many.db")
    let (single, _) = try book(folder, "single.db")
    let before = try rows(many)
    #expect(try rows(single) == before)

    let count = try many.bulkEdit(ids, .change(join), as: StepName(.edit), isCancelled: { false })
    try single.bulkWrite(groups: .replace, as: StepName(.edit)) { writer in
      for id in ids { try writer.change(id, join) }
      #expect(writer.recordedCount == count)
    }
    let after = try rows(many)
    #expect(after == (try rows(single)))
    #expect(after != before)

    let undo = try many.reverse(try #require(try many.stepToUndo()))
    #expect(undo.step.count == count)
    let groups = try many.groups().map { "\($0.name) \($0.count)" }
    #expect(groups == (try book(folder, "new.db").book.groups().map { "\($0.name) \($0.count)" }))
    _ = try many.reverse(try #require(try many.stepToRedo()))
    #expect(try many.groups().map(\.count) == (try single.groups().map(\.count)))
    #expect(try areWhole(many))
  }

  /// A change of a number is one of the row too: derived columns follow.
  @Test func derivedColumnsFollow() throws {
    let folder = TemporaryFolder()
    let (book, ids) = try book(folder, "book.db")
    _ = try book.bulkEdit(
      ids, .change { $0.phones = [LabeledValue(label: "mobile", value: "5")] }, as: StepName(.edit),
      isCancelled: { false })
    #expect(try book.listRows().allSatisfy { $0.phone == "5" })
    #expect(try areWhole(book))
  }
}
