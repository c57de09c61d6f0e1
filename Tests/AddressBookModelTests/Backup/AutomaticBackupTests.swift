import Contacts
import Foundation
import GRDB
import Testing

@testable import AddressBookModel
@testable import BookCare

struct AutomaticBackupTests {
  private let folder = TemporaryFolder()

  private func add(_ family: String, to book: AddressBook) throws {
    var contact = Contact()
    contact.family = family
    try book.bulkWrite { _ = try $0.write(contact) }
  }

  private func day(_ number: Int) throws -> CalendarDay {
    try #require(CalendarDay(year: 2026, month: 11, day: number))
  }

  private func backUp(_ book: AddressBook, _ number: Int, keeping count: Int = 7) throws -> Bool {
    try AutomaticBackup(of: book, keeping: count).run(on: day(number)) != nil
  }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.file("book.db.backups")))?.sorted() ?? []
  }

  @Test func oneBackupIsMadePerDayWithChanges() throws {
    let book = try AddressBook.open(at: folder.book())
    #expect(try !backUp(book, 1), "nothing is in the book")
    try add("Ames", to: book)
    #expect(try backUp(book, 1))
    #expect(folder.mode(of: "book.db.backups") == 0o700)
    #expect(folder.mode(of: "book.db.backups/book-2026-11-01.db") == 0o600)
    try add("Baker", to: book)
    #expect(try !backUp(book, 1), "there is one of this day")
    #expect(try backUp(book, 2))
    #expect(try !backUp(book, 3), "nothing was changed")
    let summaries = AddressBook.backups(of: folder.book())
    #expect(summaries.map(\.contacts) == [2, 1])
    #expect(names == ["book-2026-11-01.db", "book-2026-11-02.db"])
  }

  @Test(arguments: [false, true]) func aBookOfGroupsAloneIsBackedUp(isSmart: Bool) throws {
    let book = try AddressBook.open(at: folder.book())
    if isSmart {
      try book.edit(.addSmart("A", .search("ames")))
    } else {
      let context = book.newContext()
      _ = try context.group(named: "Friends")
      try context.save()
    }
    #expect(try backUp(book, 1))
    #expect(AddressBook.backups(of: folder.book()).map(\.contacts) == [0])
  }

  @Test func aChangedGroupIsAChange() throws {
    let book = try AddressBook.open(at: folder.book())
    try add("Ames", to: book)
    #expect(try backUp(book, 1))
    let context = book.newContext()
    _ = try context.group(named: "Friends")
    try context.save()
    #expect(try backUp(book, 2))
  }

  @Test func aChangedSmartGroupIsAChange() throws {
    let book = try AddressBook.open(at: folder.book())
    try add("Ames", to: book)
    #expect(try backUp(book, 1))
    try book.edit(.addSmart("A", .search("ames")))
    #expect(try backUp(book, 2))
    let group = try #require(try book.smartGroups().first)
    try book.edit(.changeSmart(group, to: .search("baker")))
    #expect(try backUp(book, 3))
    #expect(try !backUp(book, 4), "nothing was changed")
  }

  @Test func aPairMarkedAsNotTheSameIsAChange() throws {
    let book = try AddressBook.open(at: folder.book())
    try add("Ames", to: book)
    try add("Baker", to: book)
    #expect(try backUp(book, 1))
    try book.markNotSame([1, 2])
    #expect(try backUp(book, 2))
    try book.unmarkNotSame([1, 2])
    #expect(try backUp(book, 3))
    #expect(try !backUp(book, 4), "nothing was changed")
  }

  @Test func theCardOfAGroupIsAChange() throws {
    let book = try AddressBook.open(at: folder.book())
    try add("Ames", to: book)
    let context = book.newContext()
    _ = try context.group(named: "Friends")
    try context.save()
    #expect(try backUp(book, 1))
    try book.store.write { try $0.execute(sql: "INSERT INTO group_card (group_id, lines) VALUES (1, '[]')") }
    #expect(try backUp(book, 2))
  }

  /// A book of version 1 has no tables for smart groups and for pairs that are not the same.
  @Test func theContactsOfABackupOfAnEarlierVersionAreCounted() throws {
    let old = try MigrationTests.book(ofVersion: 1)
    #expect(BackupFile(old.file("book.db"))?.contactCount == 2)
  }

  @Test func theOldestBackupsAreDeleted() throws {
    let book = try AddressBook.open(at: folder.book())
    for number in 1...9 {
      try add("Person \(number)", to: book)
      #expect(try backUp(book, number, keeping: 3))
    }
    #expect(names == ["book-2026-11-07.db", "book-2026-11-08.db", "book-2026-11-09.db"])
    // If the clock is set back, the backup that was just made is not removed.
    try add("Earlier", to: book)
    #expect(try backUp(book, 2, keeping: 3))
    #expect(names.contains("book-2026-11-02.db") && names.count <= 4)
  }

  @Test func noBackupsAreMadeIfDisabled() throws {
    let book = try AddressBook.open(at: folder.book())
    try add("Ames", to: book)
    #expect(try !backUp(book, 1, keeping: 0))
    #expect(names.isEmpty)
  }

  @Test func aDamagedBookReplacesNoBackup() throws {
    let book = try AddressBook.open(at: folder.book())
    try book.bulkWrite { writer in for person in SampleContacts(count: 500, seed: 3) { try writer.write(person) } }
    #expect(try backUp(book, 1, keeping: 1))
    book.close()
    var bytes = folder.bytes(of: "book.db")
    for index in 40_960..<45_056 { bytes[index] = 0xA5 }
    _ = folder.write(bytes, to: "book.db")
    let damaged = try AddressBook.open(at: folder.book())
    try add("Ames", to: damaged)
    let error = #expect(throws: BackupError.self) { _ = try backUp(damaged, 2, keeping: 1) }
    #expect(error?.reason == .damaged)
    #expect(names == ["book-2026-11-01.db"])
  }

  @Test func aDamagedContactIsReportedAndReplacesNoBackup() throws {
    let book = try AddressBook.open(at: folder.book())
    try add("Ames", to: book)
    #expect(try backUp(book, 1, keeping: 1))
    try add("Baker", to: book)
    try book.database.write { db in
      let checksums = try Row.fetchAll(db, sql: "SELECT * FROM contact_checksum WHERE contact_id = 1")
      try db.execute(sql: "UPDATE contact SET family = 'Amos' WHERE id = 1")
      for row in checksums {
        try db.execute(sql: "INSERT INTO contact_checksum VALUES (?, ?)", arguments: [row[0], row[1]])
      }
    }
    #expect(try AutomaticBackup(of: book, keeping: 1).run(on: day(2), isThorough: true) != nil)
    #expect(book.damage.contacts == [1])
    #expect(names == ["book-2026-11-01.db", "book-2026-11-02.db"])
  }

  @Test func theDefaultBookHasItsBackupsInTheDataFolder() throws {
    let usual = try StoreLocation.resolve(book: nil, environment: ["XDG_DATA_HOME": "/x"])
    #expect(usual.backupFolder == "/x/addressbook/backups")
    let named = try StoreLocation.resolve(
      book: "/x/addressbook/addressbook.db", environment: ["XDG_DATA_HOME": "/x"])
    #expect(named.backupFolder == "/x/addressbook/backups" && named.isExplicit)
    #expect(StoreLocation.file("/a/b.db").backupFolder == "/a/b.db.backups")
  }
}
