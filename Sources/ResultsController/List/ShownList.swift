import ChangeLog
import GRDB
import Synchronization

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
