import GRDB

/// What a written row was when the reading began.
enum FirstContent: Equatable {
  /// There was no such row.
  case absent
  /// There was one, too long for the log to keep its content.
  case unknown
  /// The content's fingerprint.
  case known(UInt64)
}

/// What each written row was when the reading began.
typealias FirstContents = [Int64: FirstContent]

/// Reads the log past a cursor, inside the caller's transaction.
struct ChangeLog: Sendable {
  let tracking: ChangeTracking

  /// What the log says about the time since a cursor.
  enum Reading {
    /// Nothing was written.
    case nothing
    /// These rows were written; `last` is the new cursor.
    case written(FirstContents, last: Int64)
    /// Lines are missing: the list must be read again. `last` is the new cursor.
    case lost(last: Int64)
  }

  /// The number of the line that was written last, 0 for a log that was never written.
  func last(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = ?"), arguments: [tracking.logTable]) ?? 0
  }

  func read(_ db: Database, after cursor: Int64) throws -> Reading {
    let last = try last(db)
    if last == cursor { return .nothing }
    if last < cursor || last - cursor > Int64(tracking.capacity) { return .lost(last: last) }
    var contents: FirstContents = [:]
    var lines: Int64 = 0
    var isUnknown = false
    try SQLite.forEachRow(
      db,
      sql: "SELECT old_id, new_id, old_content FROM \(tracking.quotedLog) WHERE seq > ? ORDER BY seq",
      arguments: [cursor], isRepeated: true
    ) { row in
      lines += 1
      if !row.isNull(0) {
        let id = row.integer(0)
        if contents[id] == nil { contents[id] = row.isNull(2) ? .unknown : .known(row.digest(2)) }
      } else if row.isNull(1) {
        isUnknown = true
      }
      if !row.isNull(1) {
        let id = row.integer(1)
        if contents[id] == nil { contents[id] = .absent }
      }
    }
    // AUTOINCREMENT leaves no gaps: fewer lines than numbers means that some were removed.
    return isUnknown || lines < last - cursor ? .lost(last: last) : .written(contents, last: last)
  }
}
