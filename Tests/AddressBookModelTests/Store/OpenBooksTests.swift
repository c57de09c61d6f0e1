import Contacts
import Foundation
import Testing

@testable import AddressBookModel
@testable import BookInterchange

/// Only SQLite may open the files of an open book in this process: closing any other descriptor would drop its locks.
struct OpenBooksTests {
  @Test func filesOfAnOpenBookAreRecognizedUnderAnyName() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    try book.bulkWrite { _ = try $0.write(.example) }
    symlink(folder.file("book.db"), folder.file("link"))
    _ = folder.write([1, 2, 3], to: "other.db")
    for name in [
      "book.db", "book.db-wal", "book.db-shm", "link", "../\((folder.path as NSString).lastPathComponent)/link",
    ] {
      #expect(AddressBook.isOpen(path: folder.file(name)), "\(name)")
    }
    for name in ["other.db", "missing", "."] { #expect(!AddressBook.isOpen(path: folder.file(name)), "\(name)") }
    let second = try AddressBook.open(at: .file(folder.file("link")))
    book.close()
    #expect(AddressBook.isOpen(path: folder.file("book.db")), "it is still open once")
    second.close()
    #expect(!AddressBook.isOpen(path: folder.file("book.db")))
  }

  @Test(.enabled(if: SecondProcess.isInstalled, "sqlite3 is not installed"), arguments: ["book.db", "book.db-shm"])
  func anImportOfTheBookIsRefusedAndItsLocksStay(name: String) throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    try book.bulkWrite { _ = try $0.write(.example) }
    do {
      _ = try Importer(book: book).run([folder.file(name)])
      Issue.record("it was imported")
    } catch {
      #expect((error as? ImportError)?.reason == .isBook)
    }
    // Otherwise another process would consider itself the last one, and remove the write-ahead log.
    #expect(try count(folder) == "1")
    var other = Contact()
    other.uid = "other"
    try book.bulkWrite { _ = try $0.write(other) }
    #expect(folder.names.contains("book.db-wal"))
    #expect(try count(folder) == "2")
  }

  private func count(_ folder: TemporaryFolder) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = [folder.file("book.db"), "SELECT count(*) FROM contact"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
