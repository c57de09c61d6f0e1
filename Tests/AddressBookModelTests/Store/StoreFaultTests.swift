import Foundation
import GRDB
import Testing

@testable import AddressBookModel

/// Full disks, locks, a second process, files that may not be written.
struct StoreFaultTests {
  @Test func aFullDiskLeavesNoPartialWrite() throws {
    let folder = TemporaryFolder()
    try AddressBook.open(at: folder.book()).close()
    let pages = folder.bytes(of: "book.db").count / 4096 + 3
    let book = try AddressBook.open(at: folder.book(), configuration: StoreConfiguration(maximumPageCount: pages))
    let context = book.newContext()
    let person = context.insertPerson()
    try person.apply(.example)
    person.note = String(repeating: "long ", count: 20_000)
    let error = #expect(throws: EditError.self) { try context.save() }
    guard case .store(let store)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(store.reason == .diskFull)
    #expect(try book.contactCount() == 0)
    // The context keeps its changes, and can save once there is room.
    #expect(context.hasChanges)
    #expect(person.id == 0)
    person.note = "short"
    try context.save()
    #expect(try book.contactCount() == 1)
    #expect(try person.contact.phones.count == 2)
    #expect(try book.database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    #expect(throws: StoreError(.diskFull, path: folder.file("book.db"), detail: "")) {
      do {
        try book.bulkWrite { for person in SampleContacts(count: 5000, seed: 1) { try $0.write(person) } }
      } catch let error as StoreError {
        throw StoreError(error.reason, path: error.path)
      }
    }
    #expect(try book.contactCount() == 1)
  }

  @Test(.enabled(if: SecondProcess.isInstalled, "sqlite3 is not installed"))
  func aWriteThatTimesOutNamesTheOtherProcess() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book(), configuration: StoreConfiguration(busyTimeout: 0.05))
    let other = try SecondProcess(book: folder.file("book.db"))
    try other.run("BEGIN IMMEDIATE;")
    let error = #expect(throws: StoreError.self) { try book.bulkWrite { _ = try $0.write(.example) } }
    #expect(error?.reason == .busy)
    #expect(error?.detail == "pid \(other.process.processIdentifier)")
    // Reading still works.
    #expect(try book.contactCount() == 0)
    try other.run("ROLLBACK;")
    try book.bulkWrite { _ = try $0.write(.example) }
    #expect(try book.contactCount() == 1)
    try other.end()
  }

  @Test(.enabled(if: SecondProcess.isInstalled, "sqlite3 is not installed"))
  func aSecondProcessIsSeenAndNotOverwritten() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    let context = book.newContext()
    let person = context.insertPerson()
    try person.apply(.example)
    try context.save()
    let other = try SecondProcess(book: folder.file("book.db"))
    try other.run("UPDATE contact SET family = '王', version = version + 1;")
    #expect(try book.contact(id: person.id)?.family == "王")
    person.family = "张"
    let error = #expect(throws: EditError.self) { try context.save() }
    guard case .conflict? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(try book.contact(id: person.id)?.family == "王")
    try other.end()
    book.close()
    #expect(folder.names == ["book.db"])
  }

  @Test func twoConnectionsWriteInTurn() async throws {
    let folder = TemporaryFolder()
    let location = folder.book()
    let first = try AddressBook.open(at: location)
    let second = try AddressBook.open(at: location)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, book) in [first, second].enumerated() {
        group.addTask {
          for seed in 0..<20 {
            try book.bulkWrite {
              for person in SampleContacts(count: 3, seed: UInt64(number * 1000 + seed)) { try $0.write(person) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try first.contactCount() == 120)
    first.close()
    #expect(try second.contactCount() == 120)
    second.close()
    #expect(folder.names == ["book.db"])
  }

  @Test func aClosedBookIsAnError() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    let context = book.newContext()
    context.insertPerson().family = "A"
    book.close()
    book.close()
    #expect(throws: StoreError(.closed, path: folder.file("book.db"))) { try book.contactCount() }
    #expect(throws: EditError.self) { try context.save() }
  }

  @Test(.enabled(if: geteuid() != 0, "root can write everything")) func anUnwritableBookIsReadOnly() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    let id = try book.bulkWrite { try $0.write(.example).id }
    book.close()
    chmod(folder.file("book.db"), 0o400)
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let reader = try AddressBook.open(at: folder.book())
    #expect(reader.isReadOnly)
    #expect(try reader.contact(id: id)?.content == .example)
    #expect(throws: StoreError(.readOnly, path: folder.file("book.db"))) { try reader.bulkWrite { _ in } }
    #expect(throws: StoreError(.readOnly, path: folder.path)) { try AddressBook.open(at: folder.book("new.db")) }
  }
}

/// Another process with the same book: Debian's `sqlite3`, controlled line by line.
final class SecondProcess {
  let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  private static let program = "/usr/bin/sqlite3"
  static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

  init(book: String) throws {
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = ["-batch", book]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try run(".timeout 8000")
  }

  /// Runs statements and waits until they are done.
  func run(_ sql: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((sql + "\nSELECT 'done';\n").utf8))
    var answer = ""
    while !answer.hasSuffix("done\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw StoreError(.other, path: "", detail: "the second process ended: \(answer)") }
      answer += String(decoding: data, as: UTF8.self)
    }
  }

  func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
