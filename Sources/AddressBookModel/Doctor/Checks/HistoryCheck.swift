import Contacts
import GRDB

/// Finds steps of the history that cannot be read, and so cannot be undone.
enum HistoryCheck {
  /// - Throws: `CancellationError`, or the database's error.
  static func damagedSteps(_ db: Database, _ progress: DoctorProgress) throws -> [Int64] {
    var steps: [Int64] = []
    let rows = try Row.fetchCursor(
      db, sql: "SELECT step_id, changes FROM edit_entry WHERE changes IS NOT NULL ORDER BY step_id")
    var count = 0
    while let row = try rows.next() {
      count += 1
      if count.isMultiple(of: 4096) {
        try progress.check()
        progress.onProgress(.history, nil)
      }
      if steps.last != row.integer(0), !isReadable(row) { steps.append(row.integer(0)) }
    }
    return steps
  }

  private static func isReadable(_ row: Row) -> Bool {
    do {
      let delta = try ContactDelta(row.data(1))
      _ = try delta.before(in: Contact())
      _ = try delta.after(in: Contact())
      return true
    } catch {
      return false
    }
  }

  static func findings(_ db: Database, _ progress: DoctorProgress) throws -> [Finding] {
    let steps = try damagedSteps(db, progress)
    return steps.isEmpty ? [] : [Finding(.history, .damage, count: steps.count, isRepairable: true)]
  }
}
