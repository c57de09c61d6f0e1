import Foundation
import GRDB
import Testing

@testable import AddressBookModel

/// Books of earlier versions of the program.
@Suite struct MigrationTests {
  /// The versions of the books in Tests/Fixtures/Books.
  private static let stored = [1, 2, 3, 6, 7, 8, 9, 11]

  /// The versions before the current one that books may have.
  static let versions = stored + (stored[stored.count - 1] + 1..<Int(Schema.version))

  /// Makes a folder with a book of an earlier version: one that such a program left or, because migrations are frozen,
  /// one that is migrated to that version.
  static func book(ofVersion version: Int) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let known = stored.last { $0 <= version } ?? 1
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/Books/v\(known).sql")
    let sql = try String(contentsOf: file, encoding: .utf8)
    let queue = try DatabaseQueue(path: folder.file("book.db"))
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: sql)
      _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
    }
    if known < version { try Migrations.migrator.migrate(queue, upTo: "v\(version)") }
    try queue.close()
    return folder
  }

  @Test func theIdentifiersAreThoseOfTheMigrator() { #expect(Migrations.identifiers == Migrations.migrator.migrations) }

  @Test(arguments: MigrationTests.versions) func anOldBookIsMigratedCompletely(version: Int) throws {
    let folder = try Self.book(ofVersion: version)
    let book = try AddressBook.open(at: folder.book())
    #expect(try book.database.read { try Int32.fetchOne($0, sql: "PRAGMA user_version") } == Schema.version)
    #expect(try book.contactCount() == 2)
    let first = try #require(try book.contact(id: 1))
    #expect(first.displayName == "曾国藩" && first.groups == ["Friends"])
    #expect(first.phones.map(\.value) == ["+8613812345678"] && first.birthday?.iso == "1811-11-26")
    #expect(try book.deletedContacts().map(\.id) == [3])
    let context = book.newContext()
    try #require(try context.person(1)).nickname = "伯涵"
    try context.save()
    #expect(try book.contact(id: 1)?.nickname == "伯涵")
    book.close()
  }

  @Test(arguments: MigrationTests.versions) func anOldBookGetsTheTriggersOfANewOne(version: Int) throws {
    func triggers(_ book: AddressBook) throws -> [String: String] {
      let rows = try book.database.read { db in
        try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
      }
      return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    }
    let folder = try Self.book(ofVersion: version)
    let old = try AddressBook.open(at: folder.book())
    #expect(try triggers(old) == triggers(AddressBook.inMemory()))
    try old.database.write { try $0.execute(sql: "UPDATE phone SET value = '1' WHERE contact_id = 1") }
    #expect(try old.contact(id: 1)?.version == 3)
    old.close()
  }

  @Test(arguments: MigrationTests.versions) func aCopyIsKeptThatTheOldProgramCanOpen(version: Int) throws {
    let folder = try Self.book(ofVersion: version)
    try AddressBook.open(at: folder.book()).close()
    let path = folder.file("book.db.v\(version)")
    let copy = try DatabaseQueue(path: path)
    let (kept, people) = try copy.read { db in
      (
        try Int32.fetchOne(db, sql: "PRAGMA user_version"),
        try String.fetchAll(db, sql: "SELECT display_name FROM contact ORDER BY id")
      )
    }
    #expect(kept == Int32(version))
    #expect(people == ["曾国藩", "Åsa Lindström", "王小明"])
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(!folder.names.contains { $0.hasSuffix(".tmp") })
    // Opening it again leaves the copy alone.
    let before = try Data(contentsOf: URL(filePath: path))
    try AddressBook.open(at: folder.book()).close()
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test(arguments: MigrationTests.versions.filter { $0 >= 6 }) func linesOfCardsSurviveAMigration(version: Int) throws {
    let folder = try Self.book(ofVersion: version)
    let book = try AddressBook.open(at: folder.book())
    #expect(
      try book.contact(id: 1)?.cardLines == ["VERSION:4.0", #"X-SEAT;LANGUAGE=zh:湘乡\n"荷叶""#])
    #expect(try book.contact(id: 2)?.cardLines == ["AGENT:BEGIN:VCARD\nFN:x\nEND:VCARD"])
    #expect(try [1, 2].map { try book.contact(id: $0)?.version } == [2, 2])
    // The checksum that the old version set still fits.
    #expect(try book.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM contact_checksum") } == 1)
    #expect(book.damage.isEmpty)
    book.close()
  }

  @Test func aBookThatCannotBeCopiedIsNotMigrated() throws {
    let folder = try Self.book(ofVersion: 1)
    // A folder in the way makes the copy of the old book fail, as a full disk would.
    try FileManager.default.createDirectory(atPath: folder.file("book.db.v1/x"), withIntermediateDirectories: true)
    #expect(throws: StoreError.self) { try AddressBook.open(at: folder.book()) }
    let queue = try DatabaseQueue(path: folder.file("book.db"))
    #expect(try queue.read { try Int32.fetchOne($0, sql: "PRAGMA user_version") } == 1)
  }
}
