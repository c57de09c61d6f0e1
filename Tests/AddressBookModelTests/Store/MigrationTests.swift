import Foundation
import GRDB
import Testing

@testable import AddressBookModel

/// Books that earlier versions of the program left.
@Suite struct MigrationTests {
  private func bookOfVersion1() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/Books/v1.sql")
    let sql = try String(contentsOf: file, encoding: .utf8)
    let queue = try DatabaseQueue(path: folder.file("book.db"))
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: sql)
      _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
    }
    try queue.close()
    return folder
  }

  @Test func aBookOfVersion1IsWholeAfterwards() throws {
    let folder = try bookOfVersion1()
    let book = try AddressBook.open(at: folder.book())
    #expect(try book.database.read { try Int32.fetchOne($0, sql: "PRAGMA user_version") } == Schema.version)
    #expect(try book.contactCount() == 2)
    let first = try #require(try book.contact(id: 1))
    #expect(first.displayName == "曾国藩" && first.groups == ["Friends"])
    #expect(first.phones.map(\.value) == ["+8613812345678"] && first.birthday?.iso == "1811-11-26")
    #expect(try book.deletedIDs() == [3])
    let context = book.newContext()
    try #require(try context.person(1)).nickname = "伯涵"
    try context.save()
    #expect(try book.contact(id: 1)?.nickname == "伯涵")
    book.close()
  }

  @Test func aCopyIsKeptThatTheOldProgramCanOpen() throws {
    let folder = try bookOfVersion1()
    try AddressBook.open(at: folder.book()).close()
    let path = folder.file("book.db.v1")
    let copy = try DatabaseQueue(path: path)
    let (version, people) = try copy.read { db in
      (
        try Int32.fetchOne(db, sql: "PRAGMA user_version"),
        try String.fetchAll(db, sql: "SELECT display_name FROM contact ORDER BY id")
      )
    }
    #expect(version == 1)
    #expect(people == ["曾国藩", "Åsa Lindström", "王小明"])
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(!folder.names.contains { $0.hasSuffix(".tmp") })
    // Opening it again leaves the copy alone.
    let before = try Data(contentsOf: URL(filePath: path))
    try AddressBook.open(at: folder.book()).close()
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func withoutRoomForTheCopyNothingIsChanged() throws {
    let folder = try bookOfVersion1()
    // A folder in the way stands for a disk without room.
    try FileManager.default.createDirectory(atPath: folder.file("book.db.v1/x"), withIntermediateDirectories: true)
    #expect(throws: StoreError.self) { try AddressBook.open(at: folder.book()) }
    let queue = try DatabaseQueue(path: folder.file("book.db"))
    #expect(try queue.read { try Int32.fetchOne($0, sql: "PRAGMA user_version") } == 1)
  }
}
