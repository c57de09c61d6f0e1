import Foundation
import GRDB
import ResultsController
import SharedMaterial
import Testing

struct TheFirstPageTests {
  @Test(.timeLimit(.minutes(1))) func theFirstPagePrintsThis() async throws {
    let page = try DocumentedCode(of: "ResultsController")
    let print = PrintedLines()
    let folder = FileManager.default.temporaryDirectory.appending(path: "first-page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "league.db").path
    try await DatabaseQueue(path: path).write { db in
      try db.execute(sql: "CREATE TABLE player(id INTEGER PRIMARY KEY, team TEXT, name TEXT)")
      try db.execute(
        sql: """
          INSERT INTO player(team, name)
          VALUES ('Red', 'Ann'), ('Red', 'Bo'), ('Red', 'Cy'), ('Blue', 'Dee'), ('Blue', 'Eve')
          """)
    }
    let listing = Task {
      struct Player: Decodable, FetchableRecord { var name: String }

      let league = try DatabasePool(path: path)
      try await league.write { try ChangeTracking(table: "player").install(in: $0) }  // once, in a migration

      let list = try league.list(
        Player.self,
        ResultsRequest(
          table: "player", sectionKey: .column("team"), sortKeys: [RowSortKey("team"), RowSortKey("name")]))
      for try await update in list.updates {
        for row in update.changes.inserts {
          print("inserted", row.path, try list.object(at: row.path, in: update.after).name)
        }
        for row in update.changes.moves {
          print("moved", row.from, "to", row.to, try list.object(at: row.to, in: update.after).name)
        }
      }
    }
    while print.lines.count < page.output.count - 1 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(try page.runCommands(in: folder) == 0)
    while print.lines.count < page.output.count { try await Task.sleep(for: .milliseconds(10)) }
    listing.cancel()
    try await listing.value
    let problems = try page.problems(in: #filePath, printed: print.lines)
    #expect(problems == [])
    let chinese = try DocumentedCode(of: "ResultsController", article: "ResultsController-zh-Hans")
    let inChinese = try chinese.problems(in: #filePath, printed: print.lines)
    #expect(inChinese == [])
    #expect(chinese.commands == page.commands)
  }
}
