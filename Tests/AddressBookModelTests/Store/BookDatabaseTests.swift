import Contacts
import Foundation
import GRDB
import Synchronization
import Testing

@testable import AddressBookModel

/// The connections of a book: one for reads by the thread that opened it, and a pool for writes and for other threads.
@Suite struct BookDatabaseTests {
  private func book() throws -> (TemporaryFolder, BookDatabase, PoolOpenings) {
    let folder = TemporaryFolder()
    let path = folder.file("book.db")
    let first = try DatabaseQueue(path: path)
    try first.writeWithoutTransaction { db in
      _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: "CREATE TABLE t (a INTEGER)")
    }
    let counter = PoolOpenings()
    let database = BookDatabase(first: first) {
      counter.value.withLock { $0 += 1 }
      if counter.failures.withLock({ $0 > 0 }) { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
      return try DatabasePool(path: path)
    }
    return (folder, database, counter)
  }

  private func inAnotherThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let thread = Thread { result.withLock { $0 = Result { try body() } } }
    thread.start()
    while !thread.isFinished { sched_yield() }
    return try #require(result.withLock { $0 }).get()
  }

  /// Another program may write while a listing waits for its reader.
  @Test func aListingOfABookThatIsOnlyReadIsOneSnapshot() throws {
    let folder = TemporaryFolder()
    let writable = try AddressBook.open(at: folder.book())
    defer { writable.close() }
    func add(_ names: String...) throws {
      try writable.bulkWrite { writer in
        for name in names {
          var contact = Contact()
          contact.family = name
          _ = try writer.write(contact)
        }
      }
    }
    try add("B", "D")
    let book = try AddressBook.open(at: folder.book(), mode: .readOnly)
    defer { book.close() }
    var names: [String] = []
    try book.forEachContact(pageSize: 1) { contact in
      if names.isEmpty { try add("C", "E") }
      names.append(contact.family)
      #expect(try book.contactCount() == 2)
      return true
    }
    #expect(names == ["B", "D"] && book.damage.isEmpty && !book.damage.isListIncomplete)
    #expect(try book.contactCount() == 4, "the snapshot has ended")
  }

  @Test func theFirstReadOpensNoPool() throws {
    let (folder, database, opened) = try book()
    withExtendedLifetime(folder) {
      #expect((try? database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }) == 0)
      #expect(opened.value.withLock { $0 } == 0)
    }
    try database.close()
  }

  @Test func aWriteIsSeenByEveryThread() throws {
    let (folder, database, opened) = try book()
    try database.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 1)
    try inAnotherThread { try database.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") } }
    #expect(try inAnotherThread { try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } } == 2)
    #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 2)
    #expect(opened.value.withLock { $0 } == 1, "one pool")
    try database.close()
    #expect(!folder.names.contains("book.db-wal"), "the last connection takes the log into the file")
  }

  @Test func aLongReadBlocksNobody() throws {
    let (folder, database, _) = try book()
    let (isReading, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let reader = Thread {
      _ = try? database.read { db in
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
        isReading.signal()
        mayEnd.wait()
      }
    }
    reader.start()
    isReading.wait()
    #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
    try database.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    mayEnd.signal()
    while !reader.isFinished { sched_yield() }
    try database.close()
    withExtendedLifetime(folder) {}
  }

  @Test func aClosedDatabaseThrows() throws {
    for hadPool in [false, true] {
      let (folder, database, _) = try book()
      if hadPool { try database.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") } }
      try database.close()
      let count: @Sendable (Database) throws -> Int? = { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
      #expect(throws: DatabaseError.self) { try database.read(count) }
      #expect(throws: DatabaseError.self) { try inAnotherThread { try database.read(count) } }
      #expect(throws: DatabaseError.self) { try database.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") } }
      withExtendedLifetime(folder) {}
    }
  }

  @Test func withoutAPoolTheFirstConnectionDoesEverything() throws {
    let (folder, database, opened) = try book()
    opened.failures.withLock { $0 = 1 }
    try database.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    #expect(try inAnotherThread { try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } } == 1)
    opened.failures.withLock { $0 = 0 }
    try database.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 2, "a pool that opens later")
    try database.close()
    withExtendedLifetime(folder) {}
  }
}

/// How often a pool was opened, and whether opening it should fail.
private final class PoolOpenings: Sendable {
  let value = Mutex(0)
  let failures = Mutex(0)
}
