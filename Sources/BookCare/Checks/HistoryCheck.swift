import AddressBookModel
import Contacts
import GRDB

/// Finds damaged steps of the history, which cannot be undone.
enum HistoryCheck {
  /// - Throws: `CancellationError`, or the database's error.
  static func damagedSteps(_ db: Database, _ progress: DoctorProgress) throws -> [Int64] {
    var steps: Set<Int64> = []
    let rows = try StatementRows(
      db, db.makeStatement(sql: "SELECT \(EditEntry.summaryColumns), step_id FROM edit_entry"))
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
    steps.formUnion(try RangeCheck.stepsWithTooManyContacts(db))
    return steps.union(try RangeCheck(db).differences.map(\.step)).sorted()
  }

  private static func isReadable(_ row: StatementRow) -> Bool {
    var known: EditEntry.LastChanges?
    do {
      guard let delta = try EditEntry(row, &known).changes else { return true }
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
