import Contacts
import Foundation
import GRDB
import Testing

@testable import AddressBookModel
@testable import BookCare

struct BackupTests {
  private let folder = TemporaryFolder()

  private func makeBook(_ families: String...) throws -> AddressBook {
    let book = try AddressBook.open(at: folder.book())
    try add(families, to: book)
    return book
  }

  private func add(_ families: [String], to book: AddressBook) throws {
    try book.bulkWrite { writer in
      for family in families {
        var contact = Contact()
        contact.family = family
        try writer.write(contact)
      }
    }
  }

  private func names(_ file: String) throws -> [String] {
    let book = try AddressBook.open(at: folder.book(file))
    defer { book.close() }
    return try book.listRows().map(\.displayName)
  }

  @Test func aBackupIsTheWholeBookInOneFile() throws {
    let book = try makeBook("Ames", "Baker")
    // The backup includes what is only in the write-ahead log.
    #expect(!folder.bytes(of: "book.db-wal").isEmpty)
    try book.backUp(to: folder.file("copy.db"))
    #expect(folder.names == ["book.db", "book.db-shm", "book.db-wal", "copy.db"])
    #expect(folder.mode(of: "copy.db") == 0o600)
    #expect(folder.bytes(of: "copy.db")[18..<20] == [1, 1])
    book.close()
    #expect(try names("copy.db") == ["Ames", "Baker"])
  }

  @Test func aBackupDoesNotContainLaterWrites() throws {
    let book = try makeBook("Ames")
    try book.backUp(to: folder.file("copy.db"))
    try add(["Baker"], to: book)
    #expect(try names("copy.db") == ["Ames"])
  }

  @Test func othersCanWriteDuringABackup() throws {
    let book = try AddressBook.open(at: folder.book())
    try book.bulkWrite { writer in
      for number in 0..<3000 {
        var contact = Contact()
        contact.family = "Person \(number)"
        contact.note = String(repeating: "x", count: 400)
        try writer.write(contact)
      }
    }
    let other = DispatchQueue(label: "other")
    var written = 0
    try book.backUp(
      to: folder.file("copy.db"),
      onProgress: { share in
        guard share < 1, written < 3 else { return }
        other.sync {
          do { try self.add(["Later \(written)"], to: book) } catch { Issue.record(error) }
        }
        written += 1
      })
    #expect(written > 0)
    #expect(try book.contactCount() == 3000 + written)
    #expect(BackupFile(folder.file("copy.db"))?.contactCount == 3000)
    #expect(try FileIntegrity.isIntact(folder.file("copy.db"), isThorough: true))
  }

  @Test func aBackupReplacesAFileOnlyWithForce() throws {
    let book = try makeBook("Ames")
    let path = folder.write([1, 2, 3], to: "copy.db")
    let error = #expect(throws: BackupError.self) { try book.backUp(to: path) }
    #expect(error?.reason == .exists)
    #expect(folder.bytes(of: "copy.db") == [1, 2, 3])
    try book.backUp(to: path, isReplacing: true)
    #expect(try names("copy.db") == ["Ames"])
  }

  @Test(arguments: ["book.db", "link.db", "book.db-wal"]) func aBackupNeverReplacesTheBook(_ name: String) throws {
    let book = try makeBook("Ames")
    symlink(folder.file("book.db"), folder.file("link.db"))
    let error = #expect(throws: BackupError.self) { try book.backUp(to: folder.file(name), isReplacing: true) }
    #expect(error?.reason == .isBook)
    #expect(try book.contactCount() == 1)
  }

  @Test func aBookThatMayBeOpenIsNotReplaced() throws {
    let book = try makeBook("Ames")
    _ = folder.write([1], to: "other.db")
    _ = folder.write([1], to: "other.db-wal")
    let error = #expect(throws: BackupError.self) { try book.backUp(to: folder.file("other.db"), isReplacing: true) }
    #expect(error?.reason == .inUse)
  }

  @Test func aCanceledBackupLeavesNoFile() throws {
    let book = try makeBook()
    try book.bulkWrite { writer in
      for person in SampleContacts(count: 2000, seed: 1) { try writer.write(person) }
    }
    let error = #expect(throws: StoreError.self) {
      try book.backUp(to: folder.file("copy.db"), isCancelled: { true })
    }
    #expect(error?.reason == .cancelled)
    #expect(!folder.names.contains { $0.contains("copy") })
  }
}
