import Contacts
import GRDB

/// Finds damaged steps of the history, which cannot be undone.
enum HistoryCheck {
  /// - Throws: `CancellationError`, or the database's error.
  static func damagedSteps(_ db: Database, _ progress: DoctorProgress) throws -> [Int64] {
    var steps: Set<Int64> = []
    let rows = try Row.fetchCursor(db, sql: "SELECT \(EditEntry.summaryColumns), step_id FROM edit_entry")
    var count = 0
    while let row = try rows.next() {
      count += 1
      if count.isMultiple(of: 4096) {
        try progress.check()
        progress.onProgress(.history, nil)
      }
      let step = row.integer(8)
      if !steps.contains(step), !isReadable(row) { steps.insert(step) }
    }
    return steps.union(try stepsWithTooManyContacts(db)).union(try RangeCheck(db).differences.map(\.step)).sorted()
  }

  private static func isReadable(_ row: Row) -> Bool {
    do {
      guard let delta = try EditEntry(row).changes else { return true }
      _ = try delta.before(in: Contact())
      _ = try delta.after(in: Contact())
      return true
    } catch {
      return false
    }
  }

  /// Returns steps whose ranges have more contacts than the step wrote: undoing such a step would delete contacts that
  /// others added.
  /// - Parameter step: only this one; nil for all.
  static func stepsWithTooManyContacts(_ db: Database, step: Int64? = nil) throws -> [Int64] {
    try Int64.fetchAll(
      db,
      sql: """
        SELECT step_id FROM edit_entry JOIN edit_step s ON s.id = step_id
        WHERE last_id IS NOT NULL AND (?1 IS NULL OR step_id = ?1)
        GROUP BY step_id HAVING total(last_id - contact_id + 1) > s.count
        """, arguments: [step])
  }

  /// Returns true if undoing a step could change more than the step did, or less.
  static func hasDamagedRanges(_ db: Database, step: Int64) throws -> Bool {
    try !stepsWithTooManyContacts(db, step: step).isEmpty || !RangeCheck(db, step: step).differences.isEmpty
  }

  static func findings(_ db: Database, _ progress: DoctorProgress) throws -> [Finding] {
    let steps = try damagedSteps(db, progress)
    return steps.isEmpty ? [] : [Finding(.history, .damage, count: steps.count, isRepairable: true)]
  }
}
