import Foundation
import GRDB
import ResultsController

struct Item: FetchableRecord, Sendable {
  let id: Int64
  let name: String
  init(row: Row) {
    id = row["id"]
    name = row["name"]
  }
}

/// A table of many rows in 27 sections, with random keys of thirty bytes, and an index that covers the list.
struct ItemTable {
  static let listSQL = "SELECT id, section, sort_key FROM item ORDER BY section, sort_key, id"
  static let request = ResultsRequest(
    table: "item", sectionKey: .column("section"), sortKeys: [RowSortKey("section"), RowSortKey("sort_key")],
    sectionCounts: SectionCounts(sql: "SELECT section, rows FROM section_count ORDER BY section"))

  let rows: Int
  let path: String
  let pool: DatabasePool

  /// Creates the table in a new file.
  init(rows: Int, path: String) throws {
    self.rows = rows
    self.path = path
    pool = try DatabasePool(path: path)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item(id INTEGER PRIMARY KEY AUTOINCREMENT, section INTEGER NOT NULL, sort_key BLOB NOT NULL,
            name TEXT NOT NULL);
          CREATE INDEX item_order ON item(section, sort_key, id);
          CREATE TABLE section_count(section INTEGER PRIMARY KEY, rows INTEGER NOT NULL);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
          INSERT INTO item(section, sort_key, name) SELECT i * 7919 % 27, randomblob(30), 'Person ' || i FROM n;
          INSERT INTO section_count SELECT section, count(*) FROM item GROUP BY section;
          ANALYZE
          """)
    }
    try checkpoint()
  }

  func checkpoint() throws { _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) } }

  /// Gives random rows another key, in one transaction. A row may be chosen twice.
  func move(_ count: Int, also: (Database) throws -> Void = { _ in }) throws {
    let ids = (0..<count).map { _ in Int64.random(in: 1...Int64(rows)) }
    try pool.write { db in
      let statement = try db.cachedStatement(sql: "UPDATE item SET sort_key = randomblob(30) WHERE id = ?")
      for id in ids { try statement.execute(arguments: [id]) }
      try also(db)
    }
  }
}
