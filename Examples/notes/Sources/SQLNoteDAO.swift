import Foundation
import GRDB

/// Notes in SQL: a table, and a statement for each operation except the search.
struct SQLNoteDAO: NoteDAO {
  let name = "SQL"
  private let database: DatabaseQueue

  init(path: String) throws {
    database = try DatabaseQueue(path: path)
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS note(
            id INTEGER PRIMARY KEY AUTOINCREMENT, date REAL NOT NULL, content TEXT NOT NULL) STRICT
          """)
    }
  }

  func create(_ note: Note) throws -> Note {
    try database.write { db in
      try db.execute(
        sql: "INSERT INTO note(date, content) VALUES (?, ?)",
        arguments: [note.date.timeIntervalSinceReferenceDate, note.content])
      return Note(id: "\(db.lastInsertedRowID)", date: note.date, content: note.content)
    }
  }

  func modify(_ note: Note) throws -> Bool {
    try database.write { db in
      try db.execute(
        sql: "UPDATE note SET date = ?, content = ? WHERE id = ?",
        arguments: [note.date.timeIntervalSinceReferenceDate, note.content, note.id.flatMap(Int64.init)])
      return db.changesCount > 0
    }
  }

  func remove(_ note: Note) throws -> Bool {
    try database.write { db in
      try db.execute(sql: "DELETE FROM note WHERE id = ?", arguments: [note.id.flatMap(Int64.init)])
      return db.changesCount > 0
    }
  }

  func findAll() throws -> [Note] { try notes("") }

  func find(id: String) throws -> Note? { try notes("WHERE id = ?", [Int64(id)]).first }

  /// SQLite cannot ignore accents, so Swift does the comparison.
  func find(containing text: String) throws -> [Note] {
    try findAll().filter { $0.content.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil }
  }

  private func notes(_ condition: String, _ arguments: StatementArguments = []) throws -> [Note] {
    try database.read { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT id, date, content FROM note \(condition) ORDER BY date DESC, id", arguments: arguments)
      return rows.map { row in
        Note(id: "\(row[0] as Int64)", date: Date(timeIntervalSinceReferenceDate: row[1]), content: row[2])
      }
    }
  }
}
