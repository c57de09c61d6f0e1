import ChangeLog
import Foundation
import GRDB
import Testing

@testable import ResultsController

/// A process that is stopped in the middle of a transaction, and a listener that is suspended while others write.
@Suite
struct SuspensionTests {
  /// A writer that is stopped when its rows are in the WAL but not committed delays no reader, and its rows are hidden.
  /// Once it continues and commits, they are reported.
  @Test(arguments: [("COMMIT;", 2000), ("ROLLBACK;", 0)])
  func stoppedWriter(end: String, count: Int) throws {
    let book = try TestBook()
    try book.write("INSERT INTO item(id, sec, key) VALUES (1, 0, 10), (2, 0, 20)")
    try book.open(ContractRules.items)
    let ready = book.folder + "/ready"
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    writer.arguments = ["sqlite3", "-bail", book.path]
    let input = Pipe()
    writer.standardInput = input
    writer.standardOutput = FileHandle.nullDevice
    try writer.run()
    let work = """
      .timeout 10000
      PRAGMA cache_size = 2;
      BEGIN IMMEDIATE;
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 2099)
      INSERT INTO item(id, sec, key, body) SELECT i, 1, i, hex(zeroblob(200)) FROM n;
      .system touch '\(ready)'

      """
    input.fileHandleForWriting.write(Data(work.utf8))
    #expect(wait { FileManager.default.fileExists(atPath: ready) })
    kill(writer.processIdentifier, SIGSTOP)

    book.waitForUpdates()
    #expect(book.updates().isEmpty)
    var request = ContractRules.items
    request.filter = .sql("id <> 2")
    try book.controller.setRequest(request)
    book.waitForUpdates()
    #expect(book.updates().flatMap(\.changes.deletes).map(\.id) == [2])
    #expect(try book.controller.object(atFlatRow: 0).id == 1)

    kill(writer.processIdentifier, SIGCONT)
    input.fileHandleForWriting.write(Data((end + "\n").utf8))
    try input.fileHandleForWriting.close()
    writer.waitUntilExit()
    #expect(writer.terminationStatus == 0)
    #expect(try book.waitForLog())
    let updates = book.updates()
    #expect(updates.flatMap(\.changes.inserts).count == count)
    #expect(book.controller.snapshot.count == 1 + count)
    #expect(book.errors().isEmpty)
  }

  /// A listener that is suspended while others write and empty the WAL gets one correct change set, even if the log is
  /// pruned.
  @Test(arguments: [40, 400])
  func suspendedListener(transactions: Int) throws {
    let book = try TestBook()
    let tracking = ChangeTracking(table: "item", capacity: 100)
    try book.pool.write { try tracking.install(in: $0) }
    try book.write("INSERT INTO item(id, sec, key) VALUES (1, 0, 10), (2, 0, 20), (3, 1, 30)")
    try book.open(ContractRules.items, tracking: tracking)
    let queue = book.controller.engine.queue
    queue.suspend()
    var script = ".timeout 10000\n"
    for number in 1...transactions { script += "UPDATE item SET body = 'round \(number)' WHERE id = 1;\n" }
    script += "DELETE FROM item WHERE id = 3; UPDATE item SET key = 5 WHERE id = 2; PRAGMA wal_checkpoint(TRUNCATE);"
    try book.runSQLite(script)
    queue.resume()
    #expect(try book.waitForLog())
    let updates = book.updates()
    #expect(updates.count == 1)
    let changes = try #require(updates.first?.changes)
    #expect(changes.deletes.map(\.id) == [3])
    #expect(changes.deletedSections.map(\.ordinal) == [1])
    #expect(changes.moves.map(\.id) == [2])
    #expect(changes.updates.map(\.id) == [1])
    #expect(PlainList(book.controller.snapshot).description == "0[2, 1]")
  }

  /// Polls until a condition holds; returns false after ten seconds.
  private func wait(_ holds: () -> Bool) -> Bool {
    let end = Date().addingTimeInterval(10)
    while !holds() {
      if Date() > end { return false }
      usleep(1000)
    }
    return true
  }
}
