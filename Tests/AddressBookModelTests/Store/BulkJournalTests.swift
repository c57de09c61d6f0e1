import Testing

@testable import AddressBookModel

struct BulkJournalTests {
  private func contact(_ name: String, uid: String, phone: String = "") -> Contact {
    var contact = Contact()
    contact.uid = uid
    contact.family = name
    if !phone.isEmpty { contact.phones = [LabelledValue(label: "mobile", value: phone)] }
    return contact
  }

  private func names(_ book: AddressBook) throws -> [String] {
    try book.listRows().map { $0.displayName + $0.phone }.sorted()
  }

  @Test func aBulkWriteIsTakenBackAndDoneAgain() throws {
    let book = try AddressBook.inMemory()
    _ = try book.bulkWrite { try $0.write(contact("A", uid: "a", phone: "1")) }
    let journal = try book.bulkWrite { writer in
      writer.keepsJournal = true
      try writer.write(contact("A", uid: "a", phone: "2"))
      try writer.write(contact("B", uid: "b"))
      return writer.journal
    }
    #expect(try names(book) == ["A2", "B"])
    let inverse = try book.revert(journal)
    #expect(try names(book) == ["A1"])
    #expect(try book.contactCount() == 1)
    _ = try book.revert(inverse)
    #expect(try names(book) == ["A2", "B"])
  }

  @Test func aPictureComesBackToo() throws {
    let book = try AddressBook.inMemory()
    let id = try book.bulkWrite { try $0.write(contact("A", uid: "a")) }.id
    let photo = Photo(mediaType: "image/png", data: .init([1, 2, 3]))
    let journal = try book.bulkWrite { writer in
      writer.keepsJournal = true
      try writer.write(contact("A", uid: "a"), photo: photo)
      return writer.journal
    }
    #expect(try book.photo(of: id)?.summary == photo.summary)
    let inverse = try book.revert(journal)
    #expect(try book.photo(of: id) == nil)
    _ = try book.revert(inverse)
    #expect(try book.photo(of: id)?.summary == photo.summary)
  }

  @Test func nothingWrittenIsNothingToUndo() throws {
    let book = try AddressBook.inMemory()
    _ = try book.bulkWrite { try $0.write(contact("A", uid: "a")) }
    let journal = try book.bulkWrite { writer in
      writer.keepsJournal = true
      try writer.write(contact("A", uid: "a"))
      return writer.journal
    }
    #expect(journal.isEmpty)
  }
}
