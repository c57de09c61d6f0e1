import ChangeLog
import GRDB

/// The change logs of all tables that a list depends on.
struct TrackedLogs {
  /// The log of the listed table.
  let rows: ChangeLogReader
  /// The logs of the other tables, in the order of the request.
  let related: [ChangeLogReader]

  /// Nil if one of them is missing. Throws the database's error.
  init?(_ tracking: ChangeTracking, _ request: ResultsRequest, _ db: Database) throws {
    guard let rows = try ChangeLogReader(tracking, in: db) else { return nil }
    var related: [ChangeLogReader] = []
    for table in request.source?.related ?? [] {
      guard let reader = try ChangeLogReader(ChangeTracking(table: table.table), in: db) else { return nil }
      related.append(reader)
    }
    self.rows = rows
    self.related = related
  }

  /// The current end of the logs.
  func position(_ db: Database) throws -> LogPosition {
    LogPosition(rows: try rows.cursor(in: db), related: try related.map { try $0.cursor(in: db) })
  }

  /// Installs what is missing, and extends triggers that keep too little.
  static func install(_ tracking: ChangeTracking, _ request: ResultsRequest, _ db: Database) throws {
    for tracking in [tracking] + (request.source?.related ?? []).map({ ChangeTracking(table: $0.table) }) {
      if try db.tableExists(tracking.table), try tracking.installed(in: db) == nil {
        try tracking.installMerging(in: db)
      }
    }
  }
}

/// How far the logs of a list have been read.
struct LogPosition: Hashable {
  var rows: LogCursor
  var related: [LogCursor]
}

/// The log entries since a position.
struct LogEntries {
  /// The written rows, and their previous content.
  var contents: [Int64: EarlierRow] = [:]
  /// The rows that refer to written rows of other tables.
  var referrers: Set<Int64> = []
  /// The log of the rows does not reach back far enough, or there was no position to read it from.
  var isLost = false
  /// Another table was written, or its log does not reach back far enough, and the affected rows are unknown.
  var concernsAnyRow = false
  let position: LogPosition

  var isEmpty: Bool { contents.isEmpty && referrers.isEmpty && !isLost && !concernsAnyRow }

  init(_ logs: TrackedLogs, since position: LogPosition?, _ plan: FetchPlan?, _ db: Database) throws {
    guard let position, position.related.count == logs.related.count, let plan else {
      self.position = try logs.position(db)
      isLost = true
      return
    }
    var reached = position
    switch try Self.read(logs.rows, since: position.rows, plan, &contents, db) {
    case .nothing: break
    case .read(let last): reached.rows = last
    case .lost(let last):
      reached.rows = last
      isLost = true
    }
    for (index, log) in logs.related.enumerated() {
      let cursor = position.related[index]
      switch try log.readLines(since: cursor, in: db, { _ in }) {
      case .nothing: break
      case .read(let last):
        reached.related[index] = last
        if let sql = plan.referrersSQL(index, log, since: cursor) {
          referrers.formUnion(try Int64.fetchSet(db, sql: sql))
        } else {
          concernsAnyRow = true
        }
      case .lost(let last):
        reached.related[index] = last
        concernsAnyRow = true
      }
    }
    self.position = reached
  }

  private static func read(
    _ log: ChangeLogReader, since cursor: LogCursor, _ plan: FetchPlan, _ contents: inout [Int64: EarlierRow],
    _ db: Database
  ) throws -> ChangeLogReader.Reading {
    var found: [Int64: EarlierRow] = [:]
    defer { contents = found }
    guard let identities = plan.identities else {
      return try log.readLines(since: cursor, in: db) { line in
        if let id = line.oldInteger, found[id] == nil { found[id] = line.earlier }
        if let id = line.newInteger, found[id] == nil { found[id] = .absent }
      }
    }
    return try log.readLines(since: cursor, in: db) { line in
      if let id = line.oldKey.map(identities.number(of:)), found[id] == nil { found[id] = line.earlier }
      if let id = line.newKey.map(identities.number(of:)), found[id] == nil { found[id] = .absent }
    }
  }
}
