import Contacts
import Foundation
import GRDB
import Testing

@testable import AddressBookModel
@testable import BookCare

/// Write-ahead logs beside a file that took the name of another, and logs that were moved together with their book.
struct ForeignLogTests {
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

  /// Returns the family names in a book, as a command reads them. Also checks that the file is intact.
  private func families(_ name: String = "book.db", mode: AddressBook.Mode = .readOnly) throws -> [String] {
    let book = try AddressBook.open(at: folder.book(name), mode: mode)
    defer { book.close() }
    #expect(try book.database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    var families: [String] = []
    try book.forEachContact {
      families.append($0.family)
      return true
    }
    return families
  }

  private func shell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(command)")
  }

  /// Leaves `book.db` with a log, as a killed process does.
  private func leaveLog(of families: [String]) throws {
    let book = try AddressBook.open(at: folder.book("open.db"))
    for family in families { try add(family, to: book) }
    try shell("cp open.db book.db; cp open.db-wal book.db-wal; test -s book.db-wal")
    book.close()
    try shell("rm open.db*")
  }

  /// A restored copy of the same book is another file too.
  @Test(arguments: ["mv other.db book.db", "cp other.db book.db", "cp older.db book.db"], [false, true])
  func theLogOfAKilledProcessIsNotAppliedToAnotherFile(_ command: String, isExamined: Bool) throws {
    try makeBook("other.db", "Other")
    try makeBook("open.db", "Old")
    try shell("cp open.db older.db")
    try makeBook("open.db", "Mine")
    try leaveLog(of: ["New"])
    try shell("cp book.db kept.db; \(command)")
    let (other, log) = (folder.bytes(of: "book.db"), folder.bytes(of: "book.db-wal"))
    if isExamined { #expect(try BookDoctor(folder.book()).examine().isHealthy) }
    #expect(try families() == [command.contains("older") ? "Old" : "Other"])
    #expect(folder.bytes(of: "book.db") == other)
    #expect(folder.bytes(of: "book.db-wal.replaced") == log)
    try shell("mv book.db-wal.replaced kept.db-wal")
    #expect(try families("kept.db") == ["Mine", "New", "Old"], "nothing that was saved is lost")
  }

  /// The file that the log belongs to is known by its content, not by its name or inode.
  @Test(arguments: [
    "true", "cp book.db a.db; cp book.db-wal a.db-wal; rm book.db*; mv a.db book.db; mv a.db-wal book.db-wal",
    "sqlite3 book.db 'PRAGMA integrity_check' > /dev/null; touch -d 2001-01-01 book.db",
  ])
  func aLogThatBelongsToItsBookIsKept(_ command: String) throws {
    try makeBook("open.db", "Mine")
    try leaveLog(of: (0..<40).map { "New \($0)" })
    try shell(command)
    #expect(try families().count == 41)
    #expect(folder.names == ["book.db"])
  }

  /// A checkpoint copies the pages of a log one by one, and may be interrupted after each of them.
  @Test func aLogThatIsPartlyCopiedIsKept() throws {
    try makeBook("open.db", "Mine")
    let base = folder.bytes(of: "open.db")
    try leaveLog(of: (0..<10).map { "New \($0)" })
    let log = folder.bytes(of: "book.db-wal")
    let whole = try families().count
    let copied = folder.bytes(of: "book.db")
    #expect(whole == 11 && copied != base)
    for page in stride(from: 0, to: copied.count, by: 4096) {
      for halves in [[0], [1], [0, 1]] {
        var mixed = base + [UInt8](repeating: 0, count: max(0, copied.count - base.count))
        for half in halves {
          let range = page + half * 2048..<page + half * 2048 + 2048
          mixed.replaceSubrange(range, with: copied[range])
        }
        _ = folder.write(mixed, to: "book.db")
        _ = folder.write(log, to: "book.db-wal")
        #expect(try families().count == 11, "page \(page / 4096 + 1), halves \(halves)")
      }
    }
    #expect(folder.names == ["book.db"])
  }

  /// A long-lived process copies its log into the file from time to time and begins it again.
  @Test func everyLogOfALongLivedProcessIsKnown() throws {
    try makeBook("other.db", "Other")
    let book = try AddressBook.open(at: folder.book("open.db"))
    for round in 0..<4 {
      try add("A\(round)", to: book)
      if round == 1 { book.shortenLog() } else { _ = try book.database.writeWithoutTransaction { try $0.checkpoint() } }
      try add("B\(round)", to: book)
      try shell("cp open.db book.db; cp open.db-wal book.db-wal")
      #expect(try families().count == 2 * round + 2)
      try shell("cp other.db book.db; cp open.db-wal book.db-wal")
      #expect(try families() == ["Other"])
      try shell("rm book.db*")
    }
    book.close()
  }

  /// The file may even be a copy of the one that the log was begun with.
  @Test(
    .enabled(if: SecondProcess.isInstalled, "sqlite3 is not installed"), arguments: ["other.db", "same.db"],
    [AddressBook.Mode.readOnly, .readWrite])
  func aLogThatAProcessHasOpenForAnotherFileIsNotApplied(_ name: String, mode: AddressBook.Mode) throws {
    try makeBook("other.db", "Other")
    try makeBook("book.db", "Mine")
    try shell("cp book.db same.db")
    let process = try SecondProcess(book: folder.file("book.db"))
    try process.run("PRAGMA wal_autocheckpoint = 0; UPDATE contact SET family = 'New';")
    try shell("mv book.db old.db; mv \(name) book.db")
    #expect(try families(mode: mode) == [name == "same.db" ? "Mine" : "Other"])
    try process.run("UPDATE contact SET nickname = 'N';")
    try process.end()
    #expect(try families(mode: mode) == [name == "same.db" ? "Mine" : "Other"])
    try shell("mv book.db-wal.replaced old.db-wal")
    #expect(try families("old.db") == ["New"], "nothing that was saved is lost")
  }

  /// The log is there before any command is started: the open book notices the new file first.
  @Test func anOpenBookSetsItsLogAside() throws {
    try makeBook("other.db", "Other")
    let book = try AddressBook.open(at: folder.book())
    try add("Mine", to: book)
    let log = folder.bytes(of: "book.db-wal")
    try shell("mv other.db book.db")
    #expect(try book.contactCount() == 1)
    #expect(folder.bytes(of: "book.db-wal.replaced") == log)
    #expect(try families() == ["Other"])
    book.close()
    #expect(folder.bytes(of: "book.db-wal.replaced") == log)
    #expect(folder.names.sorted() == ["book.db", "book.db-wal.replaced"])
  }
}
