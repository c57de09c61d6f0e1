import Contacts
import Foundation
import GRDB
import SeededRandom
import Synchronization
import Testing

@testable import AddressBookModel

/// Changes to the files of a book while it is open.
struct OpenedFileTests {
  private let folder = TemporaryFolder()

  /// Makes a book with one contact in the folder, and closes it.
  private func makeBook(_ name: String, family: String) throws {
    let book = try AddressBook.open(at: folder.book(name))
    try add(family, to: book)
    book.close()
  }

  private func add(_ family: String, to book: AddressBook) throws {
    var contact = Contact()
    contact.family = family
    try book.bulkWrite { _ = try $0.write(contact) }
  }

  /// Returns the family names in a book, as another program reads them. Also checks that the file is intact.
  private func families(_ name: String) throws -> [String] {
    let queue = try DatabaseQueue(path: folder.file(name))
    defer { try? queue.close() }
    return try queue.read { db in
      #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      return try String.fetchAll(db, sql: "SELECT family FROM contact ORDER BY id")
    }
  }

  /// Runs a command in another process: closing a descriptor of the book in this one would drop SQLite's locks.
  private func shell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(command)")
  }

  private func expectRefusal(_ reason: StoreError.Reason, _ book: AddressBook) {
    for _ in 0..<2 {
      let error = #expect(throws: StoreError.self) { try add("Lost", to: book) }
      #expect(error?.reason == reason)
    }
    let context = book.newContext()
    context.insertPerson().family = "Lost"
    let error = #expect(throws: EditError.self) { try context.save() }
    guard case .store(let store)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(store.reason == reason)
  }

  @Test(arguments: ["mv other.db book.db", "cp other.db book.db", "cp -p other.db book.db", "cat other.db > book.db"])
  func aBookThatWasReplacedIsNotWritten(_ command: String) throws {
    try makeBook("other.db", family: "Other")
    try makeBook("book.db", family: "Mine")
    let book = try AddressBook.open(at: folder.book())
    #expect(try book.contactCount() == 1)
    let other = folder.bytes(of: "other.db")
    try shell(command)
    expectRefusal(.replaced, book)
    book.close()
    #expect(folder.bytes(of: "book.db") == other)
    #expect(try families("book.db") == ["Other"])
    // The file that is there now is a book like any other.
    let again = try AddressBook.open(at: folder.book())
    try add("More", to: again)
    again.close()
    #expect(try families("book.db") == ["Other", "More"])
  }

  /// The log still has what was just saved: pages of a file that no longer exists.
  @Test(.enabled(if: SecondProcess.isInstalled, "sqlite3 is not installed"), arguments: [true, false])
  func aCopiedFileDoesNotGetTheOldLog(isNoticedBeforeClosing: Bool) throws {
    try makeBook("other.db", family: "Other")
    let other = folder.bytes(of: "other.db")
    let books = try (0..<2).map { _ in try AddressBook.open(at: folder.book()) }
    for (number, book) in books.enumerated() { try add("Mine \(number)", to: book) }
    for book in books { #expect(try book.contactCount() == 2) }
    let log = folder.bytes(of: "book.db-wal")
    #expect(log.count > 4096)
    try shell("cp other.db book.db")
    if isNoticedBeforeClosing { for book in books { expectRefusal(.replaced, book) } }
    // A program that opens the new file while these books are still open finds it intact.
    if isNoticedBeforeClosing {
      try shell(
        "test \"$(sqlite3 book.db 'PRAGMA integrity_check; SELECT family FROM contact')\" = \"$(printf 'ok\\nOther')\"")
    }
    for book in books { book.close() }
    #expect(folder.bytes(of: "book.db") == other)
    #expect(try families("book.db") == ["Other"])
    #expect(folder.bytes(of: "book.db-wal.replaced") == log, "nothing that was saved is lost")
    #expect(folder.names.sorted() == ["book.db", "book.db-wal.replaced", "other.db"])
  }

  /// Backup programs and file managers do this; the content is unchanged.
  @Test(arguments: ["touch book.db", "touch -d 2001-01-01 book.db", "chmod 600 book.db; touch -a book.db"])
  func aTouchedBookCanStillBeWritten(_ command: String) throws {
    try makeBook("other.db", family: "Mine")
    try makeBook("book.db", family: "Mine")
    let book = try AddressBook.open(at: folder.book())
    #expect(try book.contactCount() == 1)
    for family in ["First", "Second"] {
      try shell(command)
      #expect(try book.contactCount() >= 1)
      try shell(command)
      try add(family, to: book)
    }
    book.shortenLog()
    #expect(try book.contactCount() == 3)
    let other = folder.bytes(of: "other.db")
    // The sizes are the same, so that they do not give it away.
    try shell("test $(stat -c %s other.db) = $(stat -c %s book.db)")
    try shell("\(command); cp other.db book.db; \(command)")
    expectRefusal(.replaced, book)
    book.close()
    #expect(folder.bytes(of: "book.db") == other)
  }

  @Test(arguments: [true, false])
  func aNewBookUnderTheNameDoesNotGetTheOldLog(isNoticedBeforeClosing: Bool) throws {
    try makeBook("other.db", family: "Other")
    let book = try AddressBook.open(at: folder.book())
    try add("Mine", to: book)
    #expect(folder.bytes(of: "book.db-wal").count > 4096)
    try shell("mv book.db old.db; mv other.db book.db")
    if isNoticedBeforeClosing { expectRefusal(.replaced, book) }
    book.close()
    #expect(try families("book.db") == ["Other"])
    #expect(try families("old.db") == ["Mine"], "what was reported as stored is in the file that was moved away")
  }

  @Test(arguments: ["rm book.db", "mv book.db elsewhere.db"])
  func aMissingBookIsNotWritten(_ command: String) throws {
    let book = try AddressBook.open(at: folder.book())
    try add("Mine", to: book)
    try shell(command)
    expectRefusal(.removed, book)
    // What is displayed can still be read.
    #expect(try book.contactCount() == 1)
    book.close()
    #expect(!folder.names.contains("book.db"))
    if command.hasPrefix("mv") { #expect(try families("elsewhere.db") == ["Mine"]) }
  }

  @Test func aMissingFolderIsNoticed() throws {
    try shell("mkdir deep")
    let book = try AddressBook.open(at: folder.book("deep/book.db"))
    try add("Mine", to: book)
    try shell("rm -r deep")
    expectRefusal(.removed, book)
    book.close()
    #expect(folder.names.isEmpty)
  }

  @Test(arguments: ["book.db-wal", "book.db-shm"])
  func aDeletedLogIsNoticedAndNothingIsLost(_ name: String) throws {
    let book = try AddressBook.open(at: folder.book())
    try add("Mine", to: book)
    try shell("rm \(name)")
    expectRefusal(.logRemoved, book)
    book.close()
    #expect(try families("book.db") == ["Mine"])
  }

  @Test func readsNoticeAReplacedBook() throws {
    try makeBook("other.db", family: "Other")
    let book = try AddressBook.open(at: folder.book())
    try add("Mine", to: book)
    let found = Mutex<[StoreError.Reason]>([])
    book.onFileLoss { error in found.withLock { $0.append(error.reason) } }
    #expect(try book.contactCount() == 1)
    #expect(found.withLock { $0 }.isEmpty)
    try shell("mv other.db book.db")
    for _ in 0..<3 { #expect(try book.contactCount() == 1, "the book that was opened") }
    #expect(found.withLock { $0 } == [.replaced], "once")
    book.close()
  }

  @Test(.enabled(if: SecondProcess.isInstalled, "sqlite3 is not installed"))
  func aCheckpointByAnotherProcessIsNotAReplacement() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("aCheckpointByAnotherProcessIsNotAReplacement: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let book = try AddressBook.open(at: folder.book())
    let other = try SecondProcess(book: folder.file("book.db"))
    var count = 0
    var isReading = false
    for _ in 0..<120 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        count += 1
        try add("A\(count)", to: book)
      case 2 where !isReading: try other.run("UPDATE contact SET note = hex(randomblob(3000)), version = version + 1;")
      case 3 where !isReading: try other.run("PRAGMA wal_checkpoint(PASSIVE);")
      case 4 where !isReading: try other.run("PRAGMA wal_checkpoint(TRUNCATE);")
      case 5: try shell("touch book.db")
      default:
        try other.run(isReading ? "END;" : "BEGIN; SELECT count(*) FROM contact;")
        isReading.toggle()
      }
      #expect(try book.contactCount() == count)
    }
    if isReading { try other.run("END;") }
    try add("B", to: book)
    try other.end()
  }

  @Test(.enabled(if: SecondProcess.isInstalled, "sqlite3 is not installed"))
  func aBookThatANewerProgramUpgradedIsNotWritten() throws {
    let book = try AddressBook.open(at: folder.book())
    try add("Mine", to: book)
    let other = try SecondProcess(book: folder.file("book.db"))
    try other.run("PRAGMA user_version = 99;")
    expectRefusal(.newerSchema, book)
    #expect(try book.contactCount() == 1)
    try other.end()
  }

  @Test func aBookWithTwoNamesIsRefused() throws {
    try makeBook("book.db", family: "Mine")
    let book = try AddressBook.open(at: folder.book())
    try shell("ln book.db second.db")
    for mode in [AddressBook.Mode.readWrite, .readOnly] {
      let error = #expect(throws: StoreError.self) { try AddressBook.open(at: folder.book("second.db"), mode: mode) }
      #expect(error?.reason == .severalNames)
    }
    // The name in use remains valid.
    try add("More", to: book)
    book.close()
    #expect(throws: StoreError(.severalNames, path: folder.file("book.db"))) { try AddressBook.open(at: folder.book()) }
    try shell("rm second.db")
    #expect(try families("book.db") == ["Mine", "More"])
  }

  @Test(arguments: ["book.db.v1", "book.db-wal"])
  func anEmptyFileBesideALogOrABackupIsRefused(_ name: String) throws {
    _ = folder.write([], to: "book.db")
    _ = folder.write([1, 2, 3], to: name)
    for mode in [AddressBook.Mode.readWrite, .readOnly] {
      #expect(throws: StoreError(.emptied, path: folder.file("book.db"))) {
        try AddressBook.open(at: folder.book(), mode: mode)
      }
    }
    #expect(folder.bytes(of: name) == [1, 2, 3])
  }

  @Test func aLogWithoutItsBookIsNotDeleted() throws {
    _ = folder.write([1, 2, 3], to: "book.db-wal")
    #expect(throws: StoreError(.emptied, path: folder.file("book.db"))) { try AddressBook.open(at: folder.book()) }
    #expect(folder.bytes(of: "book.db-wal") == [1, 2, 3])
    #expect(folder.names == ["book.db-wal"])
  }
}
