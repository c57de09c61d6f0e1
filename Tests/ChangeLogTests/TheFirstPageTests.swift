import ChangeLog
import Foundation
import GRDB
import SharedMaterial
import Testing

struct TheFirstPageTests {
  @Test func theFirstPagePrintsThis() throws {
    let page = try DocumentedCode(of: "ChangeLog")
    let print = PrintedLines()
    let folder = FileManager.default.temporaryDirectory.appending(path: "first-page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let league = try DatabaseQueue(path: folder.appending(path: "league.db").path)
    try league.write { db in
      try db.execute(sql: "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT)")
      try db.execute(sql: "INSERT INTO player(name) VALUES ('Ann'), ('Bo'), ('Cy')")
    }

    let tracking = ChangeTracking(table: "player")
    let start = try league.write { db in
      try tracking.install(in: db)  // once, in a migration
      return try ChangeLogReader(tracking, in: db)?.cursor(in: db) ?? LogCursor(line: 0)
    }

    #expect(try page.runCommands(in: folder) == 0)

    try league.read { db in
      let log = try ChangeLogReader(tracking, in: db)
      if case .rows(let inserted, let updated, let deleted, _)? = try log?.changes(since: start, in: db) {
        print("inserted \(inserted), updated \(updated), deleted \(deleted)")
      }
    }

    let problems = try page.problems(in: #filePath, printed: print.lines)
    #expect(problems == [])
  }
}
