import ChangeLog
@preconcurrency import Dispatch
import GRDB
import Glibc
import SystemCalls

/// The rows that writes inserted, updated and deleted, among all that match the request's filter, even those outside
/// its `ids`. For code that follows the whole table, such as a search index.
///
/// The three sets are disjoint. When the request gets another filter, rows that enter or leave the list count as
/// written.
public struct ResultsWrites: Sendable, Equatable {
  /// Rows that are new in the table, or newly match the filter.
  public internal(set) var inserted: Set<Int64> = []
  /// Rows whose content changed.
  public internal(set) var updated: Set<Int64> = []
  /// Rows that were deleted, or no longer match the filter.
  public internal(set) var deleted: Set<Int64> = []
  /// True if the log did not tell which rows were written since the previous reading, and their contents could not be
  /// compared, as in a long list. Then `updated` may lack rows that have changed; `inserted` and `deleted` are
  /// complete.
  public internal(set) var mayLackUpdates = false

  /// Whether there is nothing to process.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && !mayLackUpdates }

  init() {}

  /// Sorts written rows into inserted, updated and deleted; `old` and `new` are the list, ignoring `ids`, before and
  /// after.
  init(_ rows: WrittenRows, from old: OrderedIndex, to new: OrderedIndex) {
    for (id, touch) in rows.touched {
      switch (old.location(of: id) != nil, new.location(of: id) != nil) {
      case (false, true): inserted.insert(id)
      case (true, false): deleted.insert(id)
      case (true, true): if touch.base != touch.latest { updated.insert(id) }
      case (false, false): break
      }
    }
  }

  /// The difference between two separately read lists; `old` is nil when none was read before.
  init(_ rows: WrittenRows, comparing old: OrderedIndex?, with new: OrderedIndex, mayLackUpdates: Bool) {
    self.init()
    if let old {
      self = ResultsWrites(rows, from: old, to: new)
      old.forEachID(in: 0..<old.count) { if new.location(of: $0) == nil { deleted.insert($0) } }
    }
    new.forEachID(in: 0..<new.count) { if old?.location(of: $0) == nil { inserted.insert($0) } }
    self.mayLackUpdates = mayLackUpdates
  }

  /// Adds later writes.
  mutating func merge(_ later: ResultsWrites) {
    for id in later.inserted {
      if deleted.remove(id) == nil { inserted.insert(id) } else { updated.insert(id) }
    }
    for id in later.updated where !inserted.contains(id) { updated.insert(id) }
    for id in later.deleted {
      updated.remove(id)
      if inserted.remove(id) == nil { deleted.insert(id) }
    }
    mayLackUpdates = mayLackUpdates || later.mayLackUpdates
  }
}

/// Wakes after each commit of the database's own writing connection.
final class CommitObserver: TransactionObserver, Sendable {
  private let onCommit: @Sendable () -> Void

  init(onCommit: @escaping @Sendable () -> Void) { self.onCommit = onCommit }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) { onCommit() }
  func databaseDidRollback(_ db: Database) {}
}

/// Wakes when any process writes the database's files, with an inotify watch on their folder.
///
/// A wake only means that something may have been committed. A writer's frames reach the WAL before its commit becomes
/// visible, which happens in shared memory, where inotify sees nothing; so after a wake the engine checks again at
/// growing intervals for about eight seconds.
///
/// If no watch can be created, a timer wakes instead: the system limits inotify instances per user
/// (`fs.inotify.max_user_instances`).
final class ExternalChanges: Sendable {
  // Created once and canceled once; Dispatch sources may be used from any thread.
  private nonisolated(unsafe) let source: any DispatchSourceProtocol
  /// The polling interval without a watch, so that writes of others are seen within half a second.
  private static let pollingInterval = DispatchTimeInterval.milliseconds(400)

  /// Watches the files of a database. Nil if it has no file; then only commits of its own connection are seen.
  init?(path: String, queue: DispatchQueue, onWake: @escaping @Sendable () -> Void) {
    guard let (folder, name) = RealPath.of(path).map(Folder.split) else { return nil }
    let names: Set<String> = [name, name + "-wal", name + "-journal"]

    guard let watch = FileWatch(),
      watch.add(folder, IN_MODIFY, IN_CREATE, IN_DELETE, IN_MOVED_TO, IN_CLOSE_WRITE)
    else {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + Self.pollingInterval, repeating: Self.pollingInterval)
      timer.setEventHandler(handler: onWake)
      timer.resume()
      source = timer
      return
    }
    let reader = DispatchSource.makeReadSource(fileDescriptor: watch.descriptor, queue: queue)
    reader.setEventHandler {
      let isOurs = watch.next().contains { $0.mask & UInt32(IN_Q_OVERFLOW) != 0 || names.contains($0.name) }
      if isOurs { onWake() }
    }
    // The descriptor must stay open until then.
    reader.setCancelHandler { withExtendedLifetime(watch) {} }
    reader.resume()
    source = reader
  }

  deinit { source.cancel() }
}

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
