import Contacts
import Foundation
import Synchronization
import SystemCalls
import Testing

@testable import AddressBookModel

/// A book that is opened through a symbolic link: SQLite puts the additional files beside the link's target.
struct LinkedBookTests {
  private let folder = TemporaryFolder()
  private let link: StoreLocation

  init() {
    link = folder.book()
    mkdir(folder.file("real"), 0o700)
    symlink("real/book.db", folder.file("book.db"))
  }

  private func makeBook() throws {
    let book = try AddressBook.open(at: folder.book("real/book.db"))
    try book.bulkWrite { _ = try $0.write(.example) }
    book.close()
  }

  @Test func aLinkIsResolvedEvenIfTheFileIsMissing() throws {
    let real = RealPath.target(of: folder.path) + "/real/book.db"
    symlink("../book.db", folder.file("real/second"))
    symlink("book.db/", folder.file("slash"))
    symlink("ring", folder.file("ring"))
    func target(_ name: String) -> String { RealPath.target(of: folder.file(name)) }
    for _ in 0..<2 {
      for name in ["book.db", "real/book.db", "real/second", "real/../book.db"] {
        #expect(target(name) == real, "\(name)")
      }
      _ = folder.write([1], to: "real/book.db")
    }
    #expect(target("ring") == folder.file("ring"))
    #expect(target("none/book.db") == folder.file("none/book.db"))
    #expect(RealPath.target(of: "/missing.db") == "/missing.db")
  }

  @Test func aNewBookIsPrivate() throws {
    let book = try AddressBook.open(at: link)
    try book.bulkWrite { _ = try $0.write(.example) }
    for name in ["book.db", "book.db-wal", "book.db-shm"] { #expect(folder.mode(of: "real/" + name) == 0o600) }
    book.close()
    #expect(folder.names == ["book.db", "real"])
  }

  @Test func aLogProtectsAnEmptyOrMissingFile() {
    _ = folder.write([1], to: "real/book.db-wal")
    for _ in 0..<2 {
      #expect(throws: StoreError(.emptied, path: folder.file("book.db"))) { try AddressBook.open(at: link) }
      #expect(folder.bytes(of: "real/book.db-wal") == [1])
      _ = folder.write([], to: "real/book.db")
    }
  }

  @Test func aLogMayCompleteAFileThatIsCutShort() throws {
    try makeBook()
    let bytes = folder.bytes(of: "real/book.db")
    _ = folder.write(Array(bytes.dropLast(4096)), to: "real/book.db")
    #expect(throws: StoreError(.damaged, path: folder.file("book.db"))) { try StoreFile.inspect(link) }
    _ = folder.write([1], to: "real/book.db-wal")
    #expect(try StoreFile.inspect(link) == .book(schema: Schema.version))
  }

  @Test func aJournalOfTheFirstWriteIsFound() throws {
    _ = folder.write(Array(repeating: 1, count: 4096), to: "real/book.db")
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    _ = folder.write(magic + Array(repeating: 0, count: 20), to: "real/book.db-journal")
    #expect(try StoreFile.inspect(link) == .fresh(exists: true))
  }

  /// Frames after the first one must reach the disk.
  @Test func onlyAnEmptyLogIsBegunWithoutWaiting() throws {
    try makeBook()
    func write(_ uid: String) throws -> (book: AddressBook, skipsWaiting: Bool) {
      let statements = Mutex<[String]>([])
      let book = try AddressBook.open(at: link, mode: .readWrite) { line in statements.withLock { $0.append(line) } }
      var contact = Contact()
      contact.uid = uid
      try book.bulkWrite { _ = try $0.write(contact) }
      return (book, statements.withLock { $0.contains { $0.contains("synchronous = OFF") } })
    }
    let (first, second) = (try write("first"), try write("second"))
    #expect(first.skipsWaiting && !second.skipsWaiting)
    first.book.close()
    second.book.close()
  }

  @Test func statisticsIncludeTheLog() throws {
    let book = try AddressBook.open(at: link)
    try book.bulkWrite { _ = try $0.write(.example) }
    let sizes = ["book.db", "book.db-wal"].map { FileBytes.count(of: folder.file("real/" + $0)) }
    #expect(sizes[1] > 0)
    #expect(try book.statistics().bytes == sizes[0] + sizes[1])
  }

  @Test(.enabled(if: SecondProcess.isInstalled, "sqlite3 is not installed"))
  func theLocksOfAnotherProcessAreSeen() throws {
    try makeBook()
    #expect(!WriteLock.isOpen(bookAt: folder.file("book.db")))
    let other = try SecondProcess(book: folder.file("real/book.db"))
    try other.run("BEGIN IMMEDIATE;")
    #expect(WriteLock.isOpen(bookAt: folder.file("book.db")))
    #expect(WriteLock.holder(ofBookAt: folder.file("book.db")) == Int(other.process.processIdentifier))
    try other.run("ROLLBACK;")
    try other.end()
  }

  @Test(
    .enabled(if: SecondProcess.isInstalled, "sqlite3 is not installed"),
    .enabled(if: geteuid() != 0, "root can write everything"), arguments: [0o400, 0o600] as [mode_t])
  func anUnwritableBookIsReadWithItsLog(mode: mode_t) throws {
    try makeBook()
    let other = try SecondProcess(book: folder.file("real/book.db"))
    try other.run("UPDATE contact SET family = '王', version = version + 1;")
    chmod(folder.file("real/book.db"), mode)
    chmod(folder.file("real"), 0o500)
    defer { chmod(folder.file("real"), 0o700) }
    let book = try AddressBook.open(at: link)
    #expect(book.isReadOnly)
    #expect(try book.contact(id: 1)?.family == "王")
    #expect(throws: StoreError(.readOnly, path: folder.file("book.db"))) { try book.bulkWrite { _ in } }
    book.close()
    try other.end()
  }

  @Test(.enabled(if: geteuid() != 0, "root can write everything"))
  func aLinkInAnUnwritableFolderLeadsToAWritableBook() throws {
    try makeBook()
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let book = try AddressBook.open(at: link)
    #expect(!book.isReadOnly)
    var other = Contact()
    other.uid = "other"
    try book.bulkWrite { _ = try $0.write(other) }
    #expect(try book.contactCount() == 2)
    book.close()
  }
}
