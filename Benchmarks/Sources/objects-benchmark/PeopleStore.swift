import Foundation
import GRDB
import ObjectGraph
import Synchronization

/// A store of many people, and a connection to its file for plain SQL.
final class PeopleStore {
  let rows: Int
  let stack: ObjectStack
  let pool: DatabasePool
  private let path: String

  private final class StatementCount: Sendable {
    let count = Mutex(0)
  }

  init(rows: Int, folder: URL) throws {
    self.rows = rows
    path = folder.appendingPathComponent("people.db").path
    stack = try ObjectStack(model: ObjectModel(classes: CompanyModel.classes), store: .sqlite(path))
    pool = try DatabasePool(path: path)
    // The setting of the store; a plain pool has NORMAL.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    try fill()
  }

  /// Fills the store by SQL, because saves are measured separately.
  private func fill() throws {
    guard case .join(let join)? = try stack.model.entity("Person").relationship(named: "skills")?.storage else {
      return
    }
    try pool.write { db in
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(CompanyModel.companies))
          INSERT INTO Company(_id, _type, _version, name) SELECT i, 'Company', 1, 'Company ' || i FROM n;
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(CompanyModel.skills))
          INSERT INTO Skill(_id, _type, _version, name) SELECT i, 'Skill', 1, 'Skill ' || i FROM n;
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
          INSERT INTO Person(_id, _type, _version, name, age, company)
          SELECT i, 'Person', 1, hex(randomblob(6)) || ' ' || i, i * 7919 % 90, i % \(CompanyModel.companies) + 1 FROM n;
          INSERT INTO "\(join.table)"(\(join.ownColumn), \(join.otherColumn))
          SELECT _id, _id % \(CompanyModel.skills) + 1 FROM Person;
          ANALYZE
          """)
    }
    _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }

  /// Returns the number of queries that a body runs in a context.
  func queries(_ body: (ObjectContext) throws -> Void) throws -> Int {
    let queries = StatementCount()
    let trace: @Sendable (SQLTraceEvent) -> Void = { event in
      if event.sql.hasPrefix("SELECT") { queries.count.withLock { $0 += 1 } }
    }
    // A separate stack, because tracing costs time.
    let stack = try ObjectStack(
      model: ObjectModel(classes: CompanyModel.classes), store: .sqlite(path), options: StackOptions(trace: trace))
    let opening = queries.count.withLock { $0 }
    try body(stack.newContext())
    return queries.count.withLock { $0 } - opening
  }
}
