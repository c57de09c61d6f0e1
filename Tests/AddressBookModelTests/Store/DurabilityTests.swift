import Foundation
import GRDB
import Synchronization
import SystemCalls
import Testing

@testable import AddressBookModel
@testable import BookSearching

/// Only the commit that begins an empty write-ahead log may skip waiting for the disk.
struct DurabilityTests {
  private final class Trace: Sendable {
    private let statements = Mutex<[String]>([])

    func add(_ line: String) { statements.withLock { $0.append(line) } }

    /// The statements that ran while `synchronous` was off, on all connections.
    var unflushed: [String] {
      statements.withLock { lines in
        var isOff = false
        var found: [String] = []
        for line in lines {
          if line.contains("synchronous = OFF") { isOff = true }
          if line.contains("synchronous = FULL") { isOff = false }
          if isOff { found.append(line) }
        }
        return found
      }
    }
  }

  @Test func theNonceOfACacheIsFlushedLikeAnyWrite() throws {
    let folder = TemporaryFolder()
    let location = StoreLocation.file(folder.file("book.db"), cacheFolder: folder.file("cache"))
    let trace = Trace()
    let book = try AddressBook.open(at: location, mode: .readWrite) { trace.add($0) }
    try book.bulkWrite { for person in SampleContacts(count: 300, seed: 3) { try $0.write(person) } }
    let before = trace.unflushed
    try book.keepSearchIndex()
    #expect(try !BookState.read(book).nonces.isEmpty)
    #expect(trace.unflushed == before)
  }

  @Test(.enabled(if: SecondProcess.isInstalled, "sqlite3 is not installed"))
  func aLogBegunByAnotherProcessIsLeftAlone() throws {
    let folder = TemporaryFolder()
    try AddressBook.open(at: folder.book()).close()
    let other = try SecondProcess(book: folder.file("book.db"))
    try other.run("PRAGMA wal_autocheckpoint = 0; BEGIN IMMEDIATE; INSERT INTO store_info VALUES ('other', '1');")
    let log = folder.file("book.db-wal")
    #expect(FileBytes.count(of: log) == 0, "nothing is in the log before the commit")
    let isWaiting = DispatchSemaphore(value: 0)
    let configuration = StoreConfiguration(trace: { if $0.contains("synchronous = OFF") { isWaiting.signal() } })
    let path = folder.file("book.db")
    let opening = Thread { _ = try? DatabasePool(path: path, configuration: configuration.connection(log: log)) }
    opening.start()
    isWaiting.wait()
    // The pool found the log empty and waits for the lock.
    try other.run("COMMIT;")
    let size = FileBytes.count(of: log)
    while !opening.isFinished { sched_yield() }
    #expect(size == 32 + 24 + 4096, "the header and one page")
    #expect(FileBytes.count(of: log) == size, "its own page would follow frames that it must not checkpoint")
    try other.end()
  }
}

extension BookState {
  fileprivate static func read(_ book: AddressBook) throws -> BookState { try book.store.read { try BookState($0) } }
}
