import Contacts
import Foundation
import GRDB
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

  // MARK: - What others write in between

  /// A book with A, which a bulk write changed, and B, which it added; the journal of the write.
  private func written() throws -> (book: AddressBook, a: Int64, b: Int64, journal: BulkJournal) {
    let book = try AddressBook.inMemory()
    let a = try book.bulkWrite { try $0.write(contact("A", uid: "a", phone: "1")) }.id
    var changed = contact("A", uid: "a", phone: "2")
    changed.groups = ["Import"]
    let (b, journal) = try book.bulkWrite { writer in
      writer.keepsJournal = true
      try writer.write(changed)
      return (try writer.write(contact("B", uid: "b", phone: "3")).id, writer.journal)
    }
    return (book, a, b, journal)
  }

  private func edit(_ book: AddressBook, _ id: Int64, _ change: (inout Contact) -> Void) throws {
    let context = book.newContext()
    let person = try #require(try context.person(id))
    var contact = try person.contact
    change(&contact)
    try person.apply(contact)
    try context.save()
  }

  private func conflict(_ body: () throws -> Void) throws -> BulkConflict? {
    do {
      try body()
      return nil
    } catch RevertError.conflict(let conflict) {
      return conflict
    }
  }

  @Test func aFieldThatOnlyOthersWroteStays() throws {
    let (book, a, _, journal) = try written()
    try edit(book, a) {
      $0.note = "theirs"
      $0.groups.append("Theirs")
    }
    let inverse = try book.revert(journal)
    let contact = try #require(try book.contact(id: a))
    #expect(contact.phones.map(\.value) == ["1"] && contact.note == "theirs" && contact.groups == ["Theirs"])
    _ = try book.revert(inverse)
    let again = try #require(try book.contact(id: a))
    #expect(again.phones.map(\.value) == ["2"] && again.note == "theirs" && again.groups == ["Import", "Theirs"])
    #expect(try names(book) == ["A2", "B3"])
  }

  @Test(arguments: [MergePolicy.storeWins, .objectWins]) func aFieldThatBothWroteIsAskedAbout(_ policy: MergePolicy)
    throws
  {
    let (book, a, b, journal) = try written()
    try edit(book, a) { $0.phones[0].value = "9" }
    let found = try conflict { _ = try book.revert(journal) }
    #expect(found?.count == 1 && found?.ids == [a] && found?.fields == ["phones"])
    #expect(try names(book) == ["A9", "B3"])
    _ = try book.revert(journal, policy: policy)
    #expect(try names(book) == [policy == .storeWins ? "A9" : "A1"])
    #expect(try book.contact(id: b) == nil)
  }

  @Test(arguments: [MergePolicy.storeWins, .objectWins])
  func anAddedContactThatSomebodyChangedIsAskedAbout(_ policy: MergePolicy) throws {
    let (book, _, b, journal) = try written()
    try book.database.write { try $0.execute(sql: "UPDATE phone SET value = '9' WHERE contact_id = \(b)") }
    let found = try conflict { _ = try book.revert(journal) }
    #expect(found?.ids == [b] && found?.fields == [] && found?.isDeleted == false)
    _ = try book.revert(journal, policy: policy)
    #expect(try book.contact(id: b)?.phones.map(\.value) == (policy == .storeWins ? ["9"] : nil))
  }

  @Test(arguments: [MergePolicy.storeWins, .objectWins])
  func aChangedContactThatSomebodyDeletedIsAskedAbout(_ policy: MergePolicy) throws {
    let (book, a, _, journal) = try written()
    let context = book.newContext()
    try context.delete(#require(try context.person(a)))
    try context.save()
    #expect(try conflict { _ = try book.revert(journal) }?.isDeleted == true)
    _ = try book.revert(journal, policy: policy)
    #expect(try names(book) == (policy == .storeWins ? [] : ["A1"]))
  }

  /// The version is another one then, the content the same.
  @Test func whatWasChangedAndChangedBackIsNotAskedAbout() throws {
    let (book, a, b, journal) = try written()
    for id in [a, b] {
      let before = try #require(try book.contact(id: id))
      try edit(book, id) { $0.note = "x" }
      try edit(book, id) { $0.note = before.note }
    }
    _ = try book.revert(journal)
    #expect(try names(book) == ["A1"])
  }

  @Test func aContactThatIsWrittenTwiceGoesBackToItsFirstState() throws {
    let book = try AddressBook.inMemory()
    _ = try book.bulkWrite { try $0.write(contact("A", uid: "a", phone: "1")) }
    let journal = try book.bulkWrite { writer in
      writer.keepsJournal = true
      for phone in ["2", "3"] {
        try writer.write(contact("A", uid: "a", phone: phone))
        try writer.write(contact("B", uid: "b", phone: phone))
      }
      return writer.journal
    }
    #expect(try names(book) == ["A3", "B3"])
    let inverse = try book.revert(journal)
    #expect(try names(book) == ["A1"])
    _ = try book.revert(inverse)
    #expect(try names(book) == ["A3", "B3"])
  }

  @Test func cancellingLeavesEverything() throws {
    let (book, _, _, journal) = try written()
    var asked = 0
    #expect(throws: RevertError.self) {
      try book.revert(
        journal,
        isCancelled: {
          asked += 1
          return asked > 3
        })
    }
    #expect(try names(book) == ["A2", "B3"])
    _ = try book.revert(journal)
    #expect(try names(book) == ["A1"])
  }

  // MARK: - Where it is kept

  @Test(arguments: [UInt64(1), UInt64.random(in: 0...UInt64.max)]) func recordsComeBackAsTheyWere(_ seed: UInt64) throws
  {
    print("BulkJournalTests.recordsComeBackAsTheyWere: seed \(seed)")
    for (index, contact) in DemoPeople(count: 50, seed: seed).enumerated() {
      var contact = contact
      contact.id = Int64(index)
      contact.cardLines = ["X-A:\u{0}\n", "e\u{301}", ""]
      contact.addresses.append(
        PostalAddress(label: "l", poBox: "p", extended: "e", street: "s\nt", city: "c", country: "k"))
      contact.dates = [LabelledValue(label: "", value: "")]
      let photo = index % 2 == 0 ? Photo(mediaType: "image/png", data: .init([0, 1, 255])) : nil
      contact.photo = photo?.summary
      let record = JournalRecord(contact: contact, photo: photo, setsPhoto: index % 3 == 0)
      let again = try JournalRecord(record.data)
      #expect(again.contact == contact && again.photo == photo && again.setsPhoto == record.setsPhoto, "seed \(seed)")
      #expect(throws: StoreError.self) { try JournalRecord(record.data.dropLast()) }
    }
  }

  /// What is more than fits into memory is in a file that nobody else can open and that no crash leaves behind.
  @Test func aLargeJournalIsInAFileWithoutAName() throws {
    func temporaryFiles() -> [(name: String, mode: mode_t)] {
      (0..<256).compactMap { descriptor in
        var buffer = [CChar](repeating: 0, count: 512)
        var status = stat()
        guard readlink("/proc/self/fd/\(descriptor)", &buffer, 511) > 0, fstat(Int32(descriptor), &status) == 0 else {
          return nil
        }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.contains("etilqs") ? (name, status.st_mode) : nil
      }
    }
    let book = try AddressBook.inMemory()
    let journal = book.makeJournal()
    var contact = Contact.example
    contact.note = String(repeating: "n", count: 4000)
    for id in 1...2500 as ClosedRange<Int64> {
      contact.id = id
      journal.record(
        .init(
          id: id, before: .present(JournalRecord(contact: contact)), after: .present(JournalRecord(contact: contact))))
    }
    var last: Int64 = 0
    while let end = try journal.entries(after: last).last { last = end.id }
    #expect(last == 2500 && journal.count == 2500)
    let files = temporaryFiles()
    #expect(!files.isEmpty)
    #expect(files.allSatisfy { $0.name.hasSuffix("(deleted)") && $0.mode & 0o777 == 0o600 }, "\(files)")
  }
}
