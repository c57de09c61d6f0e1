import GRDB
import Printing
import ResultsController

/// Notes by folder, the one edited last first. A search narrows the list to ids, and what that changes is a change set too.
@main
struct Notes {
  struct Note: FetchableRecord, Decodable, Sendable {
    var id: Int64
    var text: String
  }

  static func main() async throws {
    let database = try memoryDatabase(
      """
      CREATE TABLE note(id INTEGER PRIMARY KEY, folder TEXT NOT NULL, text TEXT NOT NULL, edited INTEGER NOT NULL);
      INSERT INTO note VALUES (1, 'Home', 'milk, bread', 10), (2, 'Home', 'call the plumber', 20), (3, 'Work', 'milk round', 5);
      """)
    var request = ResultsRequest(
      table: "note", sectionKey: .column("folder"), sortKeys: [SortKey("folder"), SortKey("edited", ascending: false)])
    let controller = ResultsController<Note>(database, request: request, installsTriggers: true, deliver: { $0() })
    var updates = controller.updates.makeAsyncIterator()
    try controller.performFetch()
    // The first one is the list as it is.
    _ = await updates.next()
    try printList(controller) { $0.text }

    print("\nthe oldest note at home is edited and comes first")
    try await database.write { try $0.execute(sql: "UPDATE note SET text = 'milk', edited = 30 WHERE id = 1") }
    if let update = await updates.next() { printChanges(update) }

    print("\nonly notes with milk")
    request.ids = try await database.read {
      try Int64.fetchSet($0, sql: "SELECT id FROM note WHERE text LIKE '%milk%'")
    }
    try controller.setRequest(request)
    if let update = await updates.next() { printChanges(update) }
    try printList(controller) { $0.text }

    print("\nall notes, the newest last")
    request.ids = nil
    request.sortKeys[1].ascending = true
    try controller.setRequest(request)
    if let update = await updates.next() { printChanges(update) }
    try printList(controller) { $0.text }
  }
}
