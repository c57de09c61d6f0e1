import GRDB
import Testing

@testable import ResultsController

/// Notes in folders, the one edited last first.
struct NotesTests {
  private let database: DatabaseQueue
  private let list: LiveList
  private let request = ResultsRequest(
    table: "note", sectionKey: .column("folder"), sortKeys: [SortKey("folder"), SortKey("edited", ascending: false)])

  init() throws {
    database = try DatabaseQueue()
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT NOT NULL, folder TEXT NOT NULL, edited INTEGER NOT NULL);
          INSERT INTO note VALUES (1, 'milk', 'Home', 10), (2, 'plumber', 'Home', 20), (3, 'letters', 'Home', 30),
            (4, 'milk round', 'Work', 5);
          """)
    }
    list = try LiveList(database, request)
  }

  private func write(_ sql: String) throws { try database.write { try $0.execute(sql: sql) } }

  @Test func theNoteEditedLastComesFirst() throws {
    #expect(try list.texts() == ["Home": ["letters", "plumber", "milk"], "Work": ["milk round"]])
    try write("UPDATE note SET text = 'milk, bread', edited = 40 WHERE id = 1")
    #expect(list.changes() == ["> [0, 2] [0, 0]"])
    try write("UPDATE note SET text = 'milk, bread, tea', edited = 50 WHERE id = 1")
    #expect(list.changes() == ["* [0, 0]"])
    #expect(try list.texts()["Home"] == ["milk, bread, tea", "letters", "plumber"])
  }

  @Test func aRenamedFolderMovesItsNotes() throws {
    try write("UPDATE note SET folder = 'Zuhause' WHERE folder = 'Home'")
    let changes = list.changes()
    #expect(changes.prefix(2) == ["- Home", "+ Zuhause"])
    #expect(changes.count == 5)
    #expect(try list.texts() == ["Work": ["milk round"], "Zuhause": ["letters", "plumber", "milk"]])
  }

  @Test func aSearchAndAnotherOrderAreChangeSets() throws {
    var narrowed = request
    narrowed.filter = .sql("text LIKE ?", ["%milk%"])
    try list.controller.setRequest(narrowed)
    #expect(list.changes() == ["- [0, 0]", "- [0, 1]"])
    // What the search would not find does not come, and what it no longer finds goes.
    try write("INSERT INTO note VALUES (5, 'tea', 'Home', 60)")
    #expect(list.changes().isEmpty)
    try write("UPDATE note SET text = 'bread' WHERE id = 1")
    #expect(list.changes() == ["- Home", "- [0, 0]"])
    try list.controller.setRequest(request)
    #expect(list.changes() == ["+ Home", "+ [0, 0]", "+ [0, 1]", "+ [0, 2]", "+ [0, 3]"])
    var oldestFirst = request
    oldestFirst.sortKeys[1].ascending = true
    try list.controller.setRequest(oldestFirst)
    #expect(list.changes().allSatisfy { $0.hasPrefix(">") })
    #expect(try list.texts()["Home"] == ["bread", "plumber", "letters", "tea"])
  }
}
