import GRDB
import Testing

@testable import ResultsController

/// The list that Xcode's template makes: events, newest first, and one inserted at the top.
struct EventsTests {
  private let database: DatabaseQueue
  private let list: LiveList

  init() throws {
    database = try DatabaseQueue()
    try database.write { db in
      try db.execute(sql: "CREATE TABLE event(id INTEGER PRIMARY KEY, text TEXT NOT NULL, timestamp INTEGER)")
      for number in 1...100 {
        try db.execute(sql: "INSERT INTO event VALUES (?, ?, ?)", arguments: [number, "event \(number)", number * 60])
      }
    }
    list = try LiveList(
      database, ResultsRequest(table: "event", sortKeys: [SortKey("timestamp", ascending: false)]))
  }

  private func insert(_ text: String, _ time: Int?) throws {
    try database.write {
      try $0.execute(sql: "INSERT INTO event(text, timestamp) VALUES (?, ?)", arguments: [text, time])
    }
  }

  @Test func aNewEventIsInsertedAtTheTop() throws {
    #expect(try list.controller.object(at: RowPath(section: 0, row: 0)).text == "event 100")
    try insert("now", 7000)
    #expect(list.changes() == ["+ [0, 0]"])
    #expect(try list.controller.object(at: RowPath(section: 0, row: 0)).text == "now")
    #expect(try list.controller.object(at: RowPath(section: 0, row: 1)).text == "event 100")
  }

  @Test func eventsOfOneMomentStandByIDAndThoseWithoutTimeAtTheEnd() throws {
    try insert("first", 7000)
    try insert("second", 7000)
    try insert("whenever", nil)
    #expect(list.changes() == ["+ [0, 0]", "+ [0, 1]", "+ [0, 102]"])
    #expect(try (0..<3).map { try list.controller.object(atFlatRow: $0).text } == ["first", "second", "event 100"])
  }

  @Test func deletingARowTellsItsOldPath() throws {
    try database.write { try $0.execute(sql: "DELETE FROM event WHERE id IN (100, 98, 1)") }
    #expect(list.changes() == ["- [0, 0]", "- [0, 2]", "- [0, 99]"])
  }

  @Test func whoHasScrolledKeepsTheirLines() throws {
    var state = ListState(top: 10, height: 5, focus: list.controller.snapshot.id(atFlatRow: 12))
    try insert("now", 7000)
    for update in list.updates() { state.apply(update) }
    #expect(state.top == 11)
    #expect(state.focus.flatMap { list.controller.snapshot.flatRow(ofID: $0) } == 13)
  }
}
