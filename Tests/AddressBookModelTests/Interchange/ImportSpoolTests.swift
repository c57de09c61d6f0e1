import Foundation
import Synchronization
import Testing

@testable import AddressBookModel
@testable import BookInterchange
@testable import Messages

/// Slow inputs: the book is not locked while the import waits for them.
struct ImportSpoolTests {
  private static let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Li;Ann;;;\r\nFN:Ann Li\r\nEND:VCARD\r\n"

  @Test(arguments: [0, 1, 1 << 18, (8 << 20) - 1, 8 << 20, (8 << 20) + 1, 11 << 20])
  func spooledDataIsUnchanged(_ count: Int) throws {
    var spool = ImportSpool(name: "-")
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    for start in stride(from: 0, to: count, by: 300_001) {
      try spool.append(Array(bytes[start..<min(count, start + 300_001)]))
    }
    #expect(spool.size == count)
    var found: [UInt8] = []
    while let next = try spool.next() { found += next }
    #expect(found == bytes)
    #expect(try spool.next() == nil)
  }

  @Test func moreThanTheLimitIsRefused() throws {
    var spool = ImportSpool(name: "-", limit: 1 << 20)
    try spool.append([UInt8](repeating: 0, count: 1 << 20))
    let error = #expect(throws: ImportError.self) { try spool.append([0]) }
    #expect(error?.reason == .tooLong)
    #expect(error?.message(in: Localization(language: .english)).contains("1 MiB") == true)
  }

  @Test(arguments: [false, true]) func theBookIsFreeWhileAPipeIsSlow(_ isDryRun: Bool) throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    let pipe = folder.file("pipe")
    mkfifo(pipe, 0o600)
    // Open for reading and writing, so that opening does not wait.
    let writer = open(pipe, O_RDWR | O_CLOEXEC)
    #expect(send(String(Self.card.prefix(40)), to: writer))
    let isReading = DispatchSemaphore(value: 0)
    let result = Mutex<Result<ImportReport, any Error>?>(nil)
    let thread = Thread {
      let importer = Importer(book: book)
      importer.isDryRun = isDryRun
      importer.isCancelled = {
        isReading.signal()
        return false
      }
      result.withLock { $0 = Result { try importer.run([pipe]) } }
    }
    thread.start()
    isReading.wait()
    isReading.wait()
    // While the import waits for the rest of the card, another program can write.
    let second = try AddressBook.open(at: folder.book(), configuration: StoreConfiguration(busyTimeout: 0))
    try second.bulkWrite { _ = try $0.write(.example) }
    let context = book.newContext(waitsBriefly: true)
    context.insertPerson().family = "Screen"
    try context.save()
    #expect(send(String(Self.card.dropFirst(40)), to: writer))
    // A reader of a pipe sees the end once no process has it open for writing.
    close(writer)
    while !thread.isFinished { sched_yield() }
    let report = try #require(result.withLock { $0 }).get()
    #expect(report.imported == 1)
    #expect(try book.contactCount() == (isDryRun ? 2 : 3))
    second.close()
    book.close()
  }

  @Test func aWrongFormatIsRefusedBeforeTheEndOfInput() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.inMemory()
    let pipe = folder.file("pipe")
    mkfifo(pipe, 0o600)
    let writer = open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(writer) }
    #expect(send("%PDF-1.7\n%binary follows", to: writer))
    let error = #expect(throws: ImportError.self) { try Importer(book: book).run([pipe]) }
    #expect(error?.reason == .foreign)
  }

  private func send(_ text: String, to descriptor: Int32) -> Bool {
    let bytes = Array(text.utf8)
    return write(descriptor, bytes, bytes.count) == bytes.count
  }
}
