import Contacts
import Foundation
import GRDB
import Testing

@testable import AddressBookModel

/// A bulk write is one step of the history.
struct BulkUndoTests {
  private static let name = StepName(.importing, "x")

  private func contact(_ name: String, uid: String, phone: String = "") -> Contact {
    var contact = Contact()
    contact.uid = uid
    contact.family = name
    if !phone.isEmpty { contact.phones = [LabeledValue(label: "mobile", value: phone)] }
    return contact
  }

  private func names(_ book: AddressBook) throws -> [String] {
    try book.listRows().map { $0.displayName + $0.phone }.sorted()
  }

  @Test func aBulkWriteIsUndoneAndRedone() throws {
    let book = try AddressBook.inMemory()
    _ = try book.bulkWrite { try $0.write(contact("A", uid: "a", phone: "1")) }
    try book.bulkWrite(as: Self.name) { writer in
      try writer.write(contact("A", uid: "a", phone: "2"))
      try writer.write(contact("B", uid: "b"))
    }
    #expect(try names(book) == ["A2", "B"])
    try undo(book)
    #expect(try names(book) == ["A1"])
    #expect(try book.contactCount() == 1)
    try redo(book)
    #expect(try names(book) == ["A2", "B"])
  }

  @Test func undoRestoresPhotosToo() throws {
    let book = try AddressBook.inMemory()
    let id = try book.bulkWrite { try $0.write(contact("A", uid: "a")) }.id
    let photo = Photo(mediaType: "image/png", data: .init([1, 2, 3]))
    _ = try book.bulkWrite(as: Self.name) { writer in
      try writer.write(contact("A", uid: "a"), photo: photo)
    }
    #expect(try book.photo(of: id)?.summary == photo.summary)
    try undo(book)
    #expect(try book.photo(of: id) == nil)
    try redo(book)
    #expect(try book.photo(of: id)?.summary == photo.summary)
  }

  @Test func anEmptyWriteIsNotAStep() throws {
    let book = try AddressBook.inMemory()
    _ = try book.bulkWrite { try $0.write(contact("A", uid: "a")) }
    _ = try book.bulkWrite(as: Self.name) { writer in
      try writer.write(contact("A", uid: "a"))
    }
    #expect(try book.stepToUndo() == nil)
  }

  private func undo(_ book: AddressBook, _ policy: ContactMergePolicy = .byField) throws {
    _ = try book.reverse(try #require(try book.stepToUndo(in: book.session)), policy: policy)
  }

  private func redo(_ book: AddressBook) throws {
    _ = try book.reverse(try #require(try book.stepToRedo(in: book.session)))
  }

  // MARK: - What others write in between

  /// Makes a book with A, which a bulk write changed, and B, which it added.
  private func written() throws -> (book: AddressBook, a: Int64, b: Int64) {
    let book = try AddressBook.inMemory()
    let a = try book.bulkWrite { try $0.write(contact("A", uid: "a", phone: "1")) }.id
    var changed = contact("A", uid: "a", phone: "2")
    changed.groups = ["Import"]
    changed.title = "Boss"
    let b = try book.bulkWrite(as: Self.name) { writer in
      try writer.write(changed)
      return try writer.write(contact("B", uid: "b", phone: "3")).id
    }
    return (book, a, b)
  }

  private func edit(_ book: AddressBook, _ id: Int64, _ change: (inout Contact) -> Void) throws {
    let context = book.newContext(session: EditSession(program: "other"))
    let person = try #require(try context.person(id))
    var contact = try person.contact
    change(&contact)
    try person.apply(contact)
    try context.save()
  }

  private func conflict(_ body: () throws -> Void) throws -> RevertConflict? {
    do {
      try body()
      return nil
    } catch EditError.writtenSince(let conflict) {
      return conflict
    }
  }

  @Test func aFieldThatOnlyOthersWroteIsKept() throws {
    let (book, a, _) = try written()
    try edit(book, a) {
      $0.note = "theirs"
      $0.groups.append("Theirs")
    }
    try undo(book)
    let contact = try #require(try book.contact(id: a))
    #expect(contact.phones.map(\.value) == ["1"] && contact.note == "theirs" && contact.groups == ["Theirs"])
    try redo(book)
    let again = try #require(try book.contact(id: a))
    #expect(again.phones.map(\.value) == ["2"] && again.note == "theirs" && again.groups == ["Import", "Theirs"])
    #expect(try names(book) == ["A2", "B3"])
  }

  @Test(arguments: [ContactMergePolicy.storeWins, .objectWins]) func aFieldThatBothWroteIsAConflict(
    _ policy: ContactMergePolicy
  )
    throws
  {
    let (book, a, b) = try written()
    try edit(book, a) { $0.title = "Theirs" }
    let found = try conflict { try undo(book) }
    #expect(found?.count == 1 && found?.ids == [a] && found?.fields == ["title"])
    #expect(try names(book) == ["A2", "B3"])
    try undo(book, policy)
    #expect(try names(book) == ["A1"])
    #expect(try book.contact(id: a)?.title == (policy == .storeWins ? "Theirs" : ""))
    #expect(try book.contact(id: b) == nil)
  }

  @Test(arguments: [ContactMergePolicy.storeWins, .objectWins])
  func undoingAnAddedContactThatOthersChangedIsAConflict(_ policy: ContactMergePolicy) throws {
    let (book, _, b) = try written()
    try book.database.write { try $0.execute(sql: "UPDATE phone SET value = '9' WHERE contact_id = \(b)") }
    let found = try conflict { try undo(book) }
    #expect(found?.ids == [b] && found?.fields == [] && found?.isDeleted == false)
    try undo(book, policy)
    #expect(try book.contact(id: b)?.phones.map(\.value) == (policy == .storeWins ? ["9"] : nil))
  }

  @Test(arguments: [ContactMergePolicy.storeWins, .objectWins])
  func undoingAChangeOfADeletedContactIsAConflict(_ policy: ContactMergePolicy) throws {
    let (book, a, _) = try written()
    let context = book.newContext(session: EditSession(program: "other"))
    try context.delete(#require(try context.person(a)))
    try context.save()
    #expect(try conflict { try undo(book) }?.isDeleted == true)
    try undo(book, policy)
    #expect(try names(book) == (policy == .storeWins ? [] : ["A1"]))
  }

  /// The version differs, but the content is the same.
  @Test func aFieldThatWasChangedBackIsNotAConflict() throws {
    let (book, a, b) = try written()
    for id in [a, b] {
      let before = try #require(try book.contact(id: id))
      try edit(book, id) { $0.note = "x" }
      try edit(book, id) { $0.note = before.note }
    }
    try undo(book)
    #expect(try names(book) == ["A1"])
  }

  @Test func aContactWrittenTwiceReturnsToItsFirstState() throws {
    let book = try AddressBook.inMemory()
    _ = try book.bulkWrite { try $0.write(contact("A", uid: "a", phone: "1")) }
    try book.bulkWrite(as: Self.name) { writer in
      for phone in ["2", "3"] {
        try writer.write(contact("A", uid: "a", phone: phone))
        try writer.write(contact("B", uid: "b", phone: phone))
      }
    }
    #expect(try names(book) == ["A3", "B3"])
    try undo(book)
    #expect(try names(book) == ["A1"])
    try redo(book)
    #expect(try names(book) == ["A3", "B3"])
  }

  @Test func cancelingChangesNothing() throws {
    let (book, _, _) = try written()
    var asked = 0
    let step = try #require(try book.stepToUndo())
    #expect(throws: EditError.self) {
      try book.reverse(
        step,
        isCancelled: {
          asked += 1
          return asked > 3
        })
    }
    #expect(try names(book) == ["A2", "B3"])
    try undo(book)
    #expect(try names(book) == ["A1"])
  }

  // MARK: - What is kept

  @Test(arguments: [UInt64(1), UInt64.random(in: 0...UInt64.max)]) func storedChangesAreReadBack(_ seed: UInt64) throws
  {
    print("BulkUndoTests.storedChangesAreReadBack: seed \(seed)")
    let people = SampleContacts(count: 51, seed: seed).enumerated().map { index, contact in
      var contact = contact
      contact.cardLines = ["X-A:\u{0}\n", "e\u{301}", ""]
      contact.addresses.append(
        PostalAddress(label: "l", poBox: "p", extended: "e", street: "s\nt", city: "c", country: "k"))
      contact.dates = [LabeledValue(label: "", value: "")]
      contact.photo = index % 2 == 0 ? Photo(mediaType: "image/png", data: .init([0, 1, 255])).summary : nil
      return contact
    }
    for (old, new) in zip(people, people.dropFirst()) {
      let delta = try ContactDelta(ContactDelta(from: old, to: new).data)
      #expect(try delta.after(in: old).comparable == new.comparable, "seed \(seed)")
      #expect(try delta.before(in: new).comparable == old.comparable, "seed \(seed)")
      #expect(throws: StoreError.self) { try ContactDelta(delta.data.dropLast()) }
      let back = ContactDelta(from: new, to: old)
      #expect(delta.followed(by: back).isEmpty, "seed \(seed)")
    }
  }

  /// Consecutive new contacts are one row of the history, however many there are.
  @Test func anImportIsFewRowsOfTheHistory() throws {
    let book = try AddressBook.inMemory()
    try book.bulkWrite(as: Self.name) { writer in
      for contact in SampleContacts(count: 1000, seed: 1) { try writer.write(contact) }
    }
    let rows = try book.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM edit_entry") }
    #expect(rows == 1)
    #expect(try book.stepToUndo()?.count == 1000)
    let id = try #require(try book.listRows().first?.id)
    try edit(book, id) { $0.note = "theirs" }
    let found = try conflict { try undo(book) }
    #expect(found?.ids == [id])
    try undo(book, .storeWins)
    #expect(try book.contactCount() == 1)
    try redo(book)
    #expect(try book.contactCount() == 1000)
  }
}
