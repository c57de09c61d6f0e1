import Contacts
import Foundation
import GRDB
import SystemCalls
import Testing

@testable import AddressBookModel
@testable import BookCare

struct RestoreTests {
  private let folder = TemporaryFolder()

  private func makeBook(_ name: String, _ family: String) throws {
    let book = try AddressBook.open(at: folder.book(name))
    try add(family, to: book)
    book.close()
  }

  private func add(_ family: String, to book: AddressBook) throws {
    var contact = Contact()
    contact.family = family
    try book.bulkWrite { _ = try $0.write(contact) }
  }

  private func names(_ path: String) throws -> [String] {
    let book = try AddressBook.open(at: .file(path))
    defer { book.close() }
    return try book.listRows().map(\.displayName)
  }

  private func restore() throws -> BookRestore.Result {
    try BookRestore.run(from: folder.file("backup.db"), to: folder.book())
  }

  @Test func thePreviousBookIsKept() throws {
    try makeBook("backup.db", "Ames")
    try makeBook("book.db", "Baker")
    let result = try restore()
    #expect(result.contacts == 1)
    let kept = try #require(result.kept)
    #expect(kept.contains("/book.db.replaced-20"))
    #expect(try names(folder.file("book.db")) == ["Ames"])
    #expect(try names(kept) == ["Baker"])
    #expect(folder.mode(of: "book.db") == 0o600)
    #expect(try names(folder.file("backup.db")) == ["Ames"], "the backup stays")
  }

  /// The restore was killed after it had linked the previous book under its second name, and before it renamed the new
  /// one.
  @Test func anInterruptedRestoreIsRolledBack() throws {
    try makeBook("book.db", "Baker")
    let book = folder.file("book.db")
    let kept = BookExchange.keptName(of: book, "replaced")
    #expect(link(book, kept) == 0)
    #expect(try names(book) == ["Baker"])
    #expect(!FileManager.default.fileExists(atPath: kept))
    // A name that another program created is not removed.
    #expect(link(book, folder.file("other.db")) == 0)
    #expect(throws: StoreError.self) { try names(book) }
    #expect(FileManager.default.fileExists(atPath: folder.file("other.db")))
  }

  @Test func aBookCanBeRestoredWhereThereIsNone() throws {
    try makeBook("backup.db", "Ames")
    #expect(try restore().kept == nil)
    #expect(try names(folder.file("book.db")) == ["Ames"])
  }

  @Test func aCancelledRestoreChangesNothing() throws {
    try makeBook("backup.db", "Ames")
    try makeBook("book.db", "Baker")
    var questions = 0
    var allowed = 0
    repeat {
      questions = 0
      do {
        _ = try BookRestore.run(from: folder.file("backup.db"), to: folder.book()) {
          questions += 1
          return questions > allowed
        }
      } catch let error as StoreError {
        #expect(error.reason == .cancelled && error.path == RealPath.target(of: folder.file("book.db")))
        #expect(try names(folder.file("book.db")) == ["Baker"])
      }
      allowed += 1
    } while questions > allowed - 1
    #expect(allowed > 2, "the copy and its check were canceled")
    #expect(try names(folder.file("book.db")) == ["Ames"])
  }

  @Test func anEmptyFileIsReplaced() throws {
    try makeBook("backup.db", "Ames")
    _ = folder.write([], to: "book.db")
    #expect(try restore().kept == nil)
    #expect(try names(folder.file("book.db")) == ["Ames"])
  }

  @Test func aLeftoverLogIsRenamedWithItsBook() throws {
    try makeBook("backup.db", "Ames")
    try makeBook("book.db", "Baker")
    // As a killed program leaves it: the log has changes that are not in the file.
    let before = folder.bytes(of: "book.db")
    let book = try AddressBook.open(at: folder.book())
    try add("Clark", to: book)
    let log = folder.bytes(of: "book.db-wal")
    book.close()
    _ = folder.write(before, to: "book.db")
    _ = folder.write(log, to: "book.db-wal")
    let kept = try #require(try restore().kept)
    #expect(try names(folder.file("book.db")) == ["Ames"])
    #expect(try names(kept) == ["Baker", "Clark"])
  }

  @Test func aSymbolicLinkStays() throws {
    try makeBook("backup.db", "Ames")
    mkdir(folder.file("real"), 0o700)
    try makeBook("real/book.db", "Baker")
    symlink(folder.file("real/book.db"), folder.file("book.db"))
    let kept = try #require(try restore().kept)
    #expect(kept.contains("/real/book.db.replaced"))
    #expect(try names(folder.file("real/book.db")) == ["Ames"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("book.db")).hasSuffix("real/book.db"))
  }

  @Test func aLinkedBackupIsReadWithItsLog() throws {
    mkdir(folder.file("real"), 0o700)
    try makeBook("real/backup.db", "Ames")
    let before = folder.bytes(of: "real/backup.db")
    let book = try AddressBook.open(at: folder.book("real/backup.db"))
    try add("Clark", to: book)
    let log = folder.bytes(of: "real/backup.db-wal")
    book.close()
    _ = folder.write(before, to: "real/backup.db")
    _ = folder.write(log, to: "real/backup.db-wal")
    symlink("real/backup.db", folder.file("backup.db"))
    #expect(try restore().contacts == 2)
    #expect(try names(folder.file("book.db")) == ["Ames", "Clark"])
  }

  @Test func aDamagedBookIsReplacedAndKept() throws {
    try makeBook("backup.db", "Ames")
    _ = folder.write(Array("no book".utf8), to: "book.db")
    let kept = try #require(try restore().kept)
    #expect(try names(folder.file("book.db")) == ["Ames"])
    #expect(FileManager.default.contents(atPath: kept) == Data("no book".utf8))
  }

  @Test(arguments: ["missing", "text", "foreign", "newer", "damaged", "itself", "cut"])
  func invalidBackupsChangeNothing(_ kind: String) throws {
    try makeBook("book.db", "Baker")
    switch kind {
    case "text": _ = folder.write(Array(String(repeating: "x", count: 4096).utf8), to: "backup.db")
    case "foreign", "newer":
      try makeBook("backup.db", "Ames")
      let queue = try DatabaseQueue(path: folder.file("backup.db"))
      let pragma = kind == "newer" ? "user_version = 99" : "application_id = 7"
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA \(pragma)") }
      try queue.close()
    case "damaged", "cut":
      let book = try AddressBook.open(at: folder.book("backup.db"))
      try book.bulkWrite { writer in for person in SampleContacts(count: 500, seed: 3) { try writer.write(person) } }
      book.close()
      var bytes = folder.bytes(of: "backup.db")
      if kind == "cut" {
        bytes.removeLast(bytes.count / 3)
      } else {
        for index in 40_960..<45_056 { bytes[index] = 0xA5 }
      }
      _ = folder.write(bytes, to: "backup.db")
    case "itself": symlink(folder.file("book.db"), folder.file("backup.db"))
    default: break
    }
    #expect(throws: (any Error).self) { try restore() }
    #expect(try names(folder.file("book.db")) == ["Baker"])
    #expect(!folder.names.contains { $0.contains("replaced") || $0.hasSuffix(".tmp") })
  }

  @Test func aBookOpenInThisProcessIsRefused() throws {
    try makeBook("backup.db", "Ames")
    let book = try AddressBook.open(at: folder.book())
    try add("Baker", to: book)
    #expect(throws: FileFailure.self) { try restore() }
    #expect(try book.contactCount() == 1)
  }
}
