import Contacts
import Foundation
import GRDB
import Synchronization
import Testing

@testable import AddressBookModel

/// How long a write waits for other writers.
struct WaitingTests {
  private let folder = TemporaryFolder()

  private func expectBusy(_ context: BookContext) throws {
    let error = #expect(throws: EditError.self) { try context.save() }
    guard case .store(let store)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(store.reason == .busy)
    #expect(context.hasChanges, "it can be saved later")
  }

  /// The busy timeout of the book, 1,000 seconds, does not apply to a brief wait.
  @Test(.enabled(if: SecondProcess.isInstalled, "sqlite3 is not installed"))
  func aBriefWaitForAnotherProcessEnds() throws {
    let book = try AddressBook.open(at: folder.book(), configuration: StoreConfiguration(busyTimeout: 1000))
    let other = try SecondProcess(book: folder.file("book.db"))
    try other.run("BEGIN IMMEDIATE;")
    let context = book.newContext(waitsBriefly: true)
    context.insertPerson().family = "A"
    try expectBusy(context)
    try other.run("COMMIT;")
    try context.save()
    #expect(try book.contactCount() == 1)
    #expect(try book.database.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") } == 1_000_000)
    try other.end()
  }

  @Test func aBriefWaitForAnotherThreadEnds() throws {
    let book = try AddressBook.open(at: folder.book())
    let (isWriting, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let thread = Thread {
      _ = try? book.bulkWrite { writer in
        isWriting.signal()
        mayEnd.wait()
        try writer.write(.example)
      }
    }
    thread.start()
    isWriting.wait()
    let context = book.newContext(waitsBriefly: true)
    context.insertPerson().family = "A"
    try expectBusy(context)
    mayEnd.signal()
    while !thread.isFinished { sched_yield() }
    try context.save()
    #expect(try book.contactCount() == 2)
  }

  /// A program that suspends itself must not hold a lock that others wait for.
  @Test func noLockIsHeldWhenTheProgramSuspends() throws {
    let book = try AddressBook.open(at: folder.book())
    let (isWriting, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let hasEnded = Atomic(false)
    let thread = Thread {
      _ = try? book.bulkWrite { writer in
        isWriting.signal()
        mayEnd.wait()
        try writer.write(.example)
        hasEnded.store(true, ordering: .releasing)
      }
    }
    thread.start()
    isWriting.wait()
    let signaller = Thread { mayEnd.signal() }
    signaller.start()
    book.store.betweenWrites(atMost: 60_000) {
      let isOver = hasEnded.load(ordering: .acquiring)
      #expect(isOver)
      let error = #expect(throws: StoreError.self) { try book.store.transaction(waiting: .briefly) { _ in } }
      #expect(error?.reason == .busy)
    }
    try book.bulkWrite { _ = try $0.write(.example) }
    #expect(try book.contactCount() == 1)
  }

  @Test func waitingForAWriteTimesOut() throws {
    let book = try AddressBook.open(at: folder.book())
    var wasCalled = false
    try book.store.transaction { _ in book.store.betweenWrites(atMost: 1) { wasCalled = true } }
    #expect(wasCalled)
  }

  @Test func truncatingTheLogMovesEverythingIntoTheFile() throws {
    let book = try AddressBook.open(at: folder.book())
    try book.bulkWrite { _ = try $0.write(.example) }
    #expect(!folder.bytes(of: "book.db-wal").isEmpty)
    book.shortenLog()
    #expect(folder.bytes(of: "book.db-wal").isEmpty)
    // A copy of the file alone is the whole book.
    try FileManager.default.copyItem(atPath: folder.file("book.db"), toPath: folder.file("copy.db"))
    let copy = try AddressBook.open(at: folder.book("copy.db"))
    #expect(try copy.contactCount() == 1)
    copy.close()
    try book.bulkWrite { for person in SampleContacts(count: 20, seed: 5) { try $0.write(person) } }
    #expect(try book.contactCount() == 21)
    book.close()
    #expect(folder.names == ["book.db", "copy.db"])
  }

  @Test(.enabled(if: SecondProcess.isInstalled, "sqlite3 is not installed"))
  func aReaderPreventsTruncationAndNobodyWaits() throws {
    let book = try AddressBook.open(at: folder.book())
    try book.bulkWrite { _ = try $0.write(.example) }
    let other = try SecondProcess(book: folder.file("book.db"))
    try other.run("BEGIN; SELECT count(*) FROM contact;")
    var contact = Contact()
    contact.family = "B"
    try book.bulkWrite { _ = try $0.write(contact) }
    book.shortenLog()
    #expect(!folder.bytes(of: "book.db-wal").isEmpty)
    try other.run("SELECT count(*) FROM contact; COMMIT;")
    book.shortenLog()
    #expect(folder.bytes(of: "book.db-wal").isEmpty)
    #expect(try book.contactCount() == 2)
    try other.end()
  }
}
