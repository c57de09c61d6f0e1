import GRDB
import GRDBSQLite

extension Database {
  /// Runs statements without arguments or results. GRDB's `execute` joins their text with generic code, whose first use
  /// in a process takes half a million instructions.
  func run(_ sql: String) throws {
    let code = sqlite3_exec(sqliteConnection, sql, nil, nil, nil)
    guard code != SQLITE_OK else { return }
    throw DatabaseError(
      resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(sqliteConnection)), sql: sql)
  }

  func reading<Value>(_ body: () throws -> Value) throws -> Value {
    try run("BEGIN DEFERRED TRANSACTION")
    do {
      let value = try body()
      try run("COMMIT TRANSACTION")
      return value
    } catch {
      // The first error counts. Some errors have ended the transaction already.
      if isInsideTransaction { try? run("ROLLBACK TRANSACTION") }
      throw error
    }
  }
}
