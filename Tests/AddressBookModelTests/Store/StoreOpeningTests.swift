import Contacts
import Foundation
import GRDB
import Testing

@testable import AddressBookModel

/// What can be opened, and what is refused.
struct StoreOpeningTests {
  @Test func aNewBookIsPrivateAndOurs() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    try book.bulkWrite { _ = try $0.write(.example) }
    #expect(folder.mode(of: "book.db") == 0o600)
    #expect(folder.mode(of: "book.db-wal") == 0o600)
    #expect(folder.mode(of: "book.db-shm") == 0o600)
    book.close()
    #expect(folder.names == ["book.db"])
    #expect(Array(folder.bytes(of: "book.db")[68..<72]) == Array("abk1".utf8))
  }

  @Test func theStandardFolderIsMadePrivate() throws {
    let folder = TemporaryFolder()
    let location = try StoreLocation.resolve(book: nil, environment: ["XDG_DATA_HOME": folder.path + "/deep/er"])
    try AddressBook.open(at: location).close()
    #expect(folder.mode(of: "deep/er/addressbook") == 0o700)
    #expect(folder.mode(of: "deep/er/addressbook/addressbook.db") == 0o600)
  }

  @Test func foldersFollowTheXDGSpecification() throws {
    func path(_ book: String?, _ environment: [String: String]) throws -> String? {
      try StoreLocation.resolve(book: book, environment: environment).path
    }
    #expect(try path("/a/b", ["ADDRESSBOOK_FILE": "/c"]) == "/a/b")
    #expect(try path(nil, ["ADDRESSBOOK_FILE": "/c", "HOME": "/h"]) == "/c")
    #expect(try path("", ["XDG_DATA_HOME": "/x"]) == "/x/addressbook/addressbook.db")
    #expect(try path(nil, ["XDG_DATA_HOME": "rel", "HOME": "/h"]) == "/h/.local/share/addressbook/addressbook.db")
    #expect(try path("rel.db", [:])?.hasPrefix("/") == true)
  }

  @Test func everyConnectionIsDurable() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    let writer = try book.database.writeWithoutTransaction { try pragmas($0) }
    let reader = try book.database.read { try pragmas($0) }
    #expect(writer == [2, 1, 1])
    #expect(reader == [2, 1, 1])
    #expect(try book.database.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    #expect(try book.database.read { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") ?? 0 } >= 5000)
  }

  @Test(arguments: ["text", "short", "png", "foreign", "newer", "cut", "zeros"])
  func refusedFilesAreNeverWritten(_ kind: String) throws {
    let folder = TemporaryFolder()
    let expected: StoreError.Reason
    switch kind {
    case "text":
      _ = folder.write(Array(String(repeating: "BEGIN:VCARD\n", count: 50).utf8), to: "book.db")
      expected = .notADatabase
    case "short":
      _ = folder.write(Array("SQLite".utf8), to: "book.db")
      expected = .notADatabase
    case "png":
      _ = folder.write([0x89, 0x50, 0x4E, 0x47] + [UInt8](repeating: 1, count: 4096), to: "book.db")
      expected = .notADatabase
    case "zeros":
      _ = folder.write([UInt8](repeating: 0, count: 8192), to: "book.db")
      expected = .notADatabase
    case "foreign":
      let queue = try DatabaseQueue(path: folder.file("book.db"))
      try queue.write { try $0.execute(sql: "CREATE TABLE bookmarks (id INTEGER PRIMARY KEY)") }
      try queue.close()
      expected = .foreign
    case "newer":
      try AddressBook.open(at: folder.book()).close()
      let queue = try DatabaseQueue(path: folder.file("book.db"))
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
      try queue.close()
      expected = .newerSchema
    default:
      let book = try AddressBook.open(at: folder.book())
      try book.bulkWrite { for person in SampleContacts(count: 200, seed: 1) { try $0.write(person) } }
      book.close()
      truncate(folder.file("book.db"), folder.bytes(of: "book.db").count * 2 / 3)
      expected = .damaged
    }
    let (bytes, names) = (folder.bytes(of: "book.db"), folder.names)
    for mode in [AddressBook.Mode.readWrite, .readOnly] {
      let error = #expect(throws: StoreError.self) { try AddressBook.open(at: folder.book(), mode: mode) }
      #expect(error?.reason == expected)
      #expect(error?.description.contains(folder.file("book.db")) == true)
    }
    #expect(folder.bytes(of: "book.db") == bytes)
    #expect(folder.names == names)
  }

  @Test func aNewerSchemaInTheLogIsSeen() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    // Only the write-ahead log shows it: the header of the file is the old one.
    try book.database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v99')") }
    let copy = folder.file("copy.db")
    try FileManager.default.copyItem(atPath: folder.file("book.db"), toPath: copy)
    try FileManager.default.copyItem(atPath: folder.file("book.db-wal"), toPath: copy + "-wal")
    let error = #expect(throws: StoreError.self) { try AddressBook.open(at: .file(copy)) }
    #expect(error?.reason == .newerSchema)
  }

  @Test func foldersPipesAndMissingPathsAreNamed() throws {
    let folder = TemporaryFolder()
    func reason(_ location: StoreLocation, _ mode: AddressBook.Mode = .readWrite) -> StoreError.Reason? {
      #expect(throws: StoreError.self) { try AddressBook.open(at: location, mode: mode) }?.reason
    }
    #expect(reason(.file(folder.path)) == .notAFile)
    mkfifo(folder.file("pipe"), 0o600)
    #expect(reason(folder.book("pipe")) == .notAFile)
    #expect(reason(folder.book("none/book.db")) == .missingFolder)
    #expect(reason(folder.book("none.db"), .readOnly) == .missingFile)
    _ = folder.write([1], to: "file")
    #expect(reason(folder.book("file/book.db")) == .missingFolder)
    #expect(folder.names == ["file", "pipe"])
  }

  @Test func anEmptyFileBecomesABookUnlessALogIsBesideIt() throws {
    let folder = TemporaryFolder()
    _ = folder.write([], to: "book.db")
    try AddressBook.open(at: folder.book()).close()
    #expect(folder.bytes(of: "book.db").count > 4096)
    _ = folder.write([], to: "lost.db")
    _ = folder.write([1, 2, 3], to: "lost.db-wal")
    #expect(throws: StoreError(.emptied, path: folder.file("lost.db"))) {
      try AddressBook.open(at: folder.book("lost.db"))
    }
    #expect(folder.bytes(of: "lost.db-wal") == [1, 2, 3])
  }

  @Test func readingAMissingBookCreatesNoFile() throws {
    let folder = TemporaryFolder()
    let location = try StoreLocation.resolve(book: nil, environment: ["XDG_DATA_HOME": folder.path])
    let book = try AddressBook.open(at: location, mode: .readOnly)
    #expect(book.isReadOnly)
    #expect(try book.contactCount() == 0)
    #expect(folder.names.isEmpty)
  }

  @Test func readingDoesNotChangeTheFiles() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    let id = try book.bulkWrite { try $0.write(.example).id }
    book.close()
    let bytes = folder.bytes(of: "book.db")
    let reader = try AddressBook.open(at: folder.book(), mode: .readOnly)
    #expect(try reader.contact(id: id)?.content == .example)
    #expect(throws: StoreError(.readOnly, path: folder.file("book.db"))) { try reader.bulkWrite { _ in } }
    let context = reader.newContext()
    context.insertPerson().family = "A"
    #expect(throws: EditError.self) { try context.save() }
    reader.close()
    #expect(folder.bytes(of: "book.db") == bytes)
    #expect(folder.names == ["book.db"])
  }

  /// Reading an older book migrates it; the reader cannot write to it afterwards either.
  @Test(arguments: ["older version", "older names", "open"]) func readingIsAlwaysReadOnly(_ state: String) throws {
    let folder = try state == "older version" ? MigrationTests.book(ofVersion: 3) : TemporaryFolder()
    let book = state == "older version" ? nil : try AddressBook.open(at: folder.book())
    defer { book?.close() }
    if state == "older names" {
      try book?.database.write { try $0.execute(sql: "UPDATE store_info SET value = 'older' WHERE key = 'collation'") }
      book?.close()
    }
    let reader = try AddressBook.open(at: folder.book(), mode: .readOnly)
    #expect(reader.isReadOnly)
    #expect(try reader.contactCount() == (state == "older version" ? 2 : 0))
    #expect(throws: StoreError(.readOnly, path: folder.file("book.db"))) { try reader.bulkWrite { _ in } }
    reader.close()
  }

  /// The first page is whole or torn, beside the rollback journal of a database that had no pages yet.
  @Test(arguments: [false, true]) func aCrashDuringTheFirstWriteIsRecovered(_ isWhole: Bool) throws {
    let folder = TemporaryFolder()
    let queue = try DatabaseQueue(path: folder.file("book.db"))
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA application_id = \(Schema.applicationID)") }
    try queue.close()
    if !isWhole {
      _ = folder.write([UInt8](repeating: 0, count: 512) + [UInt8](repeating: 9, count: 512), to: "book.db")
    }
    var journal: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0]
    journal += [0, 0, 2, 0, 0, 0, 0x10, 0] + [UInt8](repeating: 0, count: 484)
    _ = folder.write(journal, to: "book.db-journal")
    let book = try AddressBook.open(at: folder.book())
    #expect(try book.contactCount() == 0)
    book.close()
    #expect(folder.names == ["book.db"])
  }

  @Test func manyOpenersAtOnceMakeOneBook() async throws {
    let folder = TemporaryFolder()
    let location = folder.book()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seed in 0..<6 {
        group.addTask {
          let book = try AddressBook.open(at: location)
          try book.bulkWrite { for person in SampleContacts(count: 5, seed: UInt64(seed)) { try $0.write(person) } }
          book.close()
        }
      }
      try await group.waitForAll()
    }
    let book = try AddressBook.open(at: location)
    #expect(try book.contactCount() == 30)
  }

  @Test func sortKeysOfAnotherCollationVersionAreRecomputed() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    try book.bulkWrite { for person in SampleContacts(count: 120, seed: 2) { try $0.write(person) } }
    func list(_ book: AddressBook) throws -> [[String]] {
      try book.listRows().map { ["\($0.id)", $0.displayName, $0.phone, $0.email, "\($0.section)"] }
    }
    let before = try list(book)
    try book.database.write { db in
      try db.execute(sql: "UPDATE contact SET sort_key = x'1a', section = 26, list_phone = 'old'")
      try db.execute(sql: "UPDATE store_info SET value = 'older' WHERE key = 'collation'")
    }
    book.close()
    for mode in [AddressBook.Mode.readOnly, .readWrite] {
      let again = try AddressBook.open(at: folder.book(), mode: mode)
      #expect(try list(again) == before)
      again.close()
    }
  }

  /// Before names-2, an organization was displayed under its `organization` field even if its full name differed.
  @Test func organizationNamesAreRecomputed() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    var garage = Contact()
    (garage.kind, garage.formattedName, garage.organization) = (.organization, "Jack's Garage", "Holding")
    try book.bulkWrite { [garage] in _ = try $0.write(garage) }
    try book.database.write { db in
      try db.execute(sql: "UPDATE contact SET display_name = 'Holding', section = 8")
      try db.execute(
        sql: "UPDATE store_info SET value = replace(value, ' names-5', '') WHERE key = 'collation'")
    }
    book.close()
    let again = try AddressBook.open(at: folder.book())
    let row = try #require(try again.listRows().first)
    #expect(row.displayName == "Jack's Garage" && row.sectionTitle == "J" && row.organization == "Holding")
    again.close()
  }

  /// Before names-5, names in Hangul and kana were stored with the given name first.
  @Test func namesThatAreJoinedInAnotherWayAreRecomputed() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    var korean = Contact()
    (korean.family, korean.given) = ("김", "철수")
    try book.bulkWrite { [korean] in _ = try $0.write(korean) }
    try book.database.write { db in
      try db.execute(sql: "UPDATE contact SET display_name = '철수 김'")
      try db.execute(sql: "UPDATE store_info SET value = replace(value, 'names-5', 'names-4') WHERE key = 'collation'")
    }
    #expect(try book.find("김철수").isEmpty)
    book.close()
    let again = try AddressBook.open(at: folder.book())
    #expect(try again.listRows().map(\.displayName) == ["김철수"])
    #expect(try again.find("김철수").count == 1)
    again.close()
  }

  @Test func aBookWithAnOddNameOpens() throws {
    let folder = TemporaryFolder()
    let name = "通讯录 a?b#c%20\n'\".db"
    let book = try AddressBook.open(at: folder.book(name))
    try book.bulkWrite { _ = try $0.write(.example) }
    book.close()
    #expect(folder.names == [name])
  }

  private func pragmas(_ db: Database) throws -> [Int] {
    try ["synchronous", "recursive_triggers", "foreign_keys"].map {
      try Int.fetchOne(db, sql: "PRAGMA \($0)") ?? -1
    }
  }
}
