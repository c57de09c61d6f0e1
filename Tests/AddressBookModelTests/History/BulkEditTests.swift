import Contacts
import Foundation
import GRDB
import Testing

@testable import AddressBookModel

/// A bulk edit reads its contacts in batches; the result is that of one edit for each contact.
struct BulkEditTests {
  /// Makes a book of a thousand contacts: some are deleted, and some are in the groups Work or Other, or in both.
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

  /// Returns the contacts without times, with their sort keys and names, and whether they are not deleted.
  private func rows(_ book: AddressBook) throws -> [String] {
    try book.store.read { db in
      try ContactLoader(db).loadStored(Array(1...1000)).map { stored in
        var contact = stored.contact
        (contact.created, contact.modified) = ("", "")
        return "\(contact) \(stored.derived.sortKey) \(stored.derived.displayName) \(stored.isDeleted)"
      }
    }
  }

  /// Returns whether each contact has the right checksum and the right derived columns.
  private func areWhole(_ book: AddressBook) throws -> Bool {
    try book.completeChecksums()
    return try book.store.read { db in
      var cursor = try ContactCursor(db, .ids(Array(1...1000)))
      var digest = ContactDigest()
      while let stored = try cursor.next() {
        guard stored.checksum != nil, !stored.isDamaged(&digest), stored.isDerived else { return false }
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

  /// Joining and leaving a group, and deleting, have the same result as in a context, including the name of the step.
  @Test(arguments: [0, 1, 3, 1000])
  func groupsAndNamesOfStepsAreThoseOfAContext(_ count: Int) throws {
    let folder = TemporaryFolder()
    let (many, ids) = try book(folder, "many.db")
    let (single, _) = try book(folder, "single.db")
    // Contact 8 is in the group Work; 6 and 7 are not.
    let some = Array(ids.dropFirst(5).prefix(count))
    func edit(_ edit: BulkEdit, _ change: (BookContext, Person) throws -> Void) throws {
      let written = try many.bulkEdit(some, edit, as: nil, isCancelled: { false })
      let context = single.newContext()
      for person in try context.persons(some) { try change(context, person) }
      try context.save()
      #expect(try rows(many) == rows(single))
      let steps = try [many, single].map { try $0.stepToUndo() }
      #expect(steps[0]?.name == steps[1]?.name && steps[0]?.count == steps[1]?.count)
      if written > 0 { #expect(steps[0]?.count == written) }
      #expect(try many.groups().map { "\($0.name) \($0.count)" } == single.groups().map { "\($0.name) \($0.count)" })
    }
    func changeGroups(_ person: Person, _ change: (inout [String]) -> Void) throws {
      var contact = try person.contact
      change(&contact.groups)
      try person.apply(contact)
    }
    for name in ["Work", "New", ""] {
      try edit(.join(name)) { _, person in
        try changeGroups(person) { if !$0.contains(name) { $0.append(name) } }
      }
    }
    for name in ["Work", "None", ""] {
      try edit(.leave(name)) { _, person in try changeGroups(person) { $0.removeAll { $0 == name } } }
    }
    try edit(.delete) { try $0.delete($1) }
    #expect(try areWhole(many))
  }

  /// A contact that is named twice is changed once.
  @Test func idsMayBeRepeated() throws {
    let folder = TemporaryFolder()
    let (book, ids) = try book(folder, "book.db")
    let before = try book.contactCount()
    // There is another id between these, which must stay.
    let count = try book.bulkEdit([ids[0], ids[2], ids[0]], .delete, as: nil, isCancelled: { false })
    #expect(try before - book.contactCount() == count)
    #expect(try Set(book.allDeleted().map(\.id)).isSuperset(of: [ids[0], ids[2]]))
    #expect(try book.contact(id: ids[1]) != nil)
  }

  /// Looking up many contacts finds those that looking up each finds.
  @Test func idsAndUIDsAreFoundTogether() throws {
    let folder = TemporaryFolder()
    let (book, ids) = try book(folder, "book.db")
    let numbers = ids + [0, -5, .max, ids[0]]
    #expect(try book.existingIDs(numbers) == Set(numbers.filter { try book.contact(id: $0) != nil }))
    let uids = (0..<1010).map { "uid-\($0)" } + ["", "UID-1", "uid-1\0", "uid-1"]
    #expect(try book.ids(ofUIDs: uids) == uids.map { try book.contact(uid: $0)?.id })
  }

  /// A change to a phone number also changes the contact's row, which has derived columns.
  @Test func derivedColumnsFollow() throws {
    let folder = TemporaryFolder()
    let (book, ids) = try book(folder, "book.db")
    _ = try book.bulkEdit(
      ids, .change { $0.phones = [LabeledValue(label: "mobile", value: "5")] }, as: StepName(.edit),
      isCancelled: { false })
    #expect(try book.listRows().allSatisfy { $0.phone == "5" })
    #expect(try areWhole(book))
  }

  /// Deleting and restoring many writes the same rows as deleting and restoring each.
  @Test func deletionsGiveWhatSingleOnesGive() throws {
    let folder = TemporaryFolder()
    let (many, ids) = try book(folder, "many.db")
    let (single, _) = try book(folder, "single.db")
    for book in [many, single] {
      try book.bulkWrite { writer in
        var contact = Contact()
        contact.uid = "uid-12"
        contact.family = "Ōe"
        contact.birthday = PartialDate("1985-04-12")
        contact.note = "two\nlines \u{1} “quoted” \\"
        contact.emails = [LabeledValue(label: "", value: "a@example.org"), LabeledValue(label: "work", value: "")]
        contact.urls = [LabeledValue(label: "home", value: "https://example.org")]
        contact.addresses = [PostalAddress(label: "home"), PostalAddress(label: "")]
        contact.addresses[0].city = "Zürich"
        contact.cardLines = ["X-A;P=\"q\":1\\n\t", "X-LANG:日本"]
        contact.groups = ["Other", "Ärzte", "work"]
        let photo = Photo(mediaType: "image/png", data: Data([1, 2, 3]))
        _ = try writer.write(contact, photo: photo)
      }
    }
    let count = try many.bulkEdit(ids, .delete, as: StepName(.delete), isCancelled: { false })
    try single.bulkWrite(as: StepName(.delete)) { writer in
      for id in ids { try writer.delete(id) }
      #expect(writer.recordedCount == count)
    }
    func check() throws {
      for book in [many, single] { _ = try book.completeChecksums() }
      #expect(try rows(many) == rows(single))
      let checked: [Int64] = try many.store.read { db in
        var damaged: [Int64] = []
        var cursor = try ContactCursor(db, .ids(ids))
        var digest = ContactDigest()
        while let stored = try cursor.next() {
          if stored.checksum == nil || stored.isDamaged(&digest) { damaged.append(stored.contact.id) }
        }
        return damaged
      }
      #expect(checked.isEmpty)
      // Triggers write the log and the counts when a single contact is written.
      for sql in [
        "SELECT old_id || ',' || new_id || ',' || old_content FROM results_log_contact ORDER BY seq",
        "SELECT section || ',' || count FROM section_count ORDER BY section",
        "SELECT step_id || ',' || contact_id || ',' || was_there || is_there || version FROM edit_entry ORDER BY 1",
      ] {
        let values = try [many, single].map { try $0.store.read { db in try String?.fetchAll(db, sql: sql) } }
        #expect(values[0] == values[1] && !values[0].isEmpty)
      }
    }
    try check()
    _ = try many.reverse(try #require(try many.stepToUndo()))
    _ = try single.reverse(try #require(try single.stepToUndo()))
    try check()
    _ = try many.reverse(try #require(try many.stepToRedo()))
    _ = try single.reverse(try #require(try single.stepToRedo()))
    try check()
  }
}
