import ChangeLog
import GRDB
import Synchronization

/// A cache of rows by id. Rows are read a page at a time, and dropped when they are written or when newer pages
/// need the room.
final class RowCache<Record: FetchableRecord & Sendable>: Sendable {
  private struct State {
    var rows: [Int64: Record] = [:]
    var order: [Int64] = []
    /// Increases when rows may be outdated, so that the result of an older read is not kept.
    var epoch = 0
  }

  private let state = Mutex(State())
  private let database: any DatabaseReader

  init(_ database: any DatabaseReader) { self.database = database }

  var ids: [Int64] { state.withLock { Array($0.rows.keys) } }

  func remove(_ ids: some Sequence<Int64>) {
    state.withLock { state in
      state.epoch += 1
      for id in ids { state.rows[id] = nil }
    }
  }

  func removeAll() {
    state.withLock { state in
      state.epoch += 1
      state.rows = [:]
      state.order = []
    }
  }

  func row(_ id: Int64) -> Record? { state.withLock { $0.rows[id] } }

  /// The existing rows with these ids, from memory or the database.
  func rows(_ ids: [Int64], _ plan: FetchPlan) throws -> [Int64: Record] {
    var result: [Int64: Record] = [:]
    let epoch = state.withLock { state in
      for id in ids { result[id] = state.rows[id] }
      return state.epoch
    }
    let missing = ids.filter { result[$0] == nil }
    guard !missing.isEmpty else { return result }
    let read = try database.read { db in try fetch(missing, plan, db) }
    for (id, record) in read { result[id] = record }
    let limit = max(512, plan.request.pageSize * 8)
    state.withLock { state in
      guard state.epoch == epoch else { return }
      for (id, record) in read where state.rows.updateValue(record, forKey: id) == nil { state.order.append(id) }
      if state.order.count > 2 * limit {
        for id in state.order.prefix(state.order.count - limit) { state.rows[id] = nil }
        state.order.removeFirst(state.order.count - limit)
      }
    }
    return result
  }

  private func fetch(_ ids: [Int64], _ plan: FetchPlan, _ db: Database) throws -> [(Int64, Record)] {
    let keys = plan.key.columns.map { "\(plan.table).\($0.sql)" }
    let columns = plan.request.columns?.map { "\(plan.table).\($0.quotedDatabaseIdentifier)" } ?? ["\(plan.table).*"]
    let select = "SELECT \((keys + columns).joined(separator: ", ")) FROM \(plan.table) WHERE "
    // The record gets only the request's columns, or those of the table, in their order.
    let adapter = SuffixRowAdapter(fromIndex: keys.count)
    var read: [(Int64, Record)] = []
    guard let identities = plan.identities else {
      let statement = try db.makeStatement(
        sql: "\(select)\(keys[0]) IN (\(ids.map(String.init).joined(separator: ", ")))")
      let rows = try Row.fetchCursor(statement, adapter: adapter)
      while let row = try rows.next() { read.append((row.unadapted[0], try Record(row: row))) }
      return read
    }
    // One argument for each column of each key.
    let rowKeys = ids.compactMap(identities.key(of:))
    let batch = max(1, Self.argumentLimit / keys.count)
    let values = "(\(keys.map { _ in "?" }.joined(separator: ", ")))"
    for start in stride(from: 0, to: rowKeys.count, by: batch) {
      let some = rowKeys[start..<min(start + batch, rowKeys.count)]
      let rows = try Row.fetchCursor(
        db,
        sql:
          "\(select)(\(keys.joined(separator: ", "))) IN (VALUES \(some.map { _ in values }.joined(separator: ", ")))",
        arguments: StatementArguments(some.flatMap(\.values)), adapter: adapter)
      while let row = try rows.next() {
        let values = row.unadapted.databaseValues.prefix(keys.count)
        let key = RowKey(Array(values))
        read.append((identities.number(of: key), try Record(row: row)))
      }
    }
    return read
  }

  private static var argumentLimit: Int { 500 }

  /// The ids of the rows at these flat indexes, which a staged opening has not read yet.
  func ids(inFlatRows rows: Range<Int>, _ plan: FetchPlan) throws -> [Int64] {
    try database.read { db in try plan.ids(db, limit: rows.count, offset: rows.lowerBound) }
  }
}

/// The list that a consumer sees, as last fetched or delivered, and a cache of recently read rows.
final class ShownList<Record: FetchableRecord & Sendable>: Sendable {
  private let current = Mutex(ResultsSnapshot.unfetched)
  private let cache: RowCache<Record>

  init(_ database: any DatabaseReader) { cache = RowCache(database) }

  var snapshot: ResultsSnapshot { current.withLock { $0 } }

  /// The ids of the rows in memory.
  var heldIDs: [Int64] { cache.ids }

  /// Shows a list that was fetched, unless a newer one was delivered meanwhile.
  func show(fetched snapshot: ResultsSnapshot) {
    cache.removeAll()
    current.withLock { if snapshot.generation >= $0.generation { $0 = snapshot } }
  }

  func show(firstRows snapshot: ResultsSnapshot) {
    cache.removeAll()
    current.withLock { $0 = snapshot }
  }

  /// Shows the list after an update, unless the shown list is newer.
  func show(_ update: ResultsUpdate) {
    removeCachedRows(update)
    current.withLock { if update.after.generation > $0.generation { $0 = update.after } }
  }

  /// Drops the cached rows that an update may have changed.
  func removeCachedRows(_ update: ResultsUpdate) {
    if update.completesOpening || update.isReordered {
      cache.removeAll()
    } else if !update.keepsRows {
      let changes = update.changes
      cache.remove(
        changes.updates.lazy.map(\.id) + Array(changes.moves.lazy.map(\.id)) + Array(changes.deletes.lazy.map(\.id)))
    }
  }

  /// The row at a flat index of a list. Reads a page around it unless it is in memory.
  func object(atFlatRow row: Int, _ snapshot: ResultsSnapshot) throws(ResultsError) -> Record {
    guard let plan = snapshot.plan else { throw .notFetched }
    guard row >= 0, row < snapshot.count else { throw .outOfRange }
    let size = plan.request.pageSize
    let page = (row / size * size)..<min(row / size * size + size, snapshot.count)
    do {
      if let id = snapshot.id(atFlatRow: row) {
        if let record = cache.row(id) { return record }
        guard let record = try cache.rows(snapshot.ids(inFlatRows: page), plan)[id] else {
          throw ResultsError.rowGone(id: id)
        }
        return record
      }
      let ids = try cache.ids(inFlatRows: page, plan)
      guard ids.indices.contains(row - page.lowerBound) else { throw ResultsError.outOfRange }
      let id = ids[row - page.lowerBound]
      guard let record = try cache.rows(ids, plan)[id] else { throw ResultsError.rowGone(id: id) }
      return record
    } catch {
      throw ResultsError(error)
    }
  }
}
