@testable import ResultsController

/// Rules for every change set between two lists.
enum ChangeSetChecks {
  /// Checks that old and new paths lead to each other, for every row of both lists.
  static func paths(_ changes: ChangeSet, _ before: PlainList, _ after: PlainList) throws {
    func locations(_ list: PlainList) -> [Int64: RowPath] {
      var result: [Int64: RowPath] = [:]
      for (section, rows) in list.sections.enumerated() {
        for (row, id) in rows.ids.enumerated() { result[id] = RowPath(section: section, row: row) }
      }
      return result
    }
    let old = locations(before)
    let new = locations(after)
    for (id, path) in old where changes.newPath(ofOld: path) != new[id] {
      throw Inconsistency(
        "new path of \(path) is \(changes.newPath(ofOld: path), default: "nil"), expected \(new[id], default: "nil")")
    }
    for (id, path) in new where changes.oldPath(ofNew: path) != old[id] {
      throw Inconsistency(
        "old path of \(path) is \(changes.oldPath(ofNew: path), default: "nil"), expected \(old[id], default: "nil")")
    }
  }

  /// Checks all rules that do not depend on what was written.
  static func all(_ changes: ChangeSet, _ before: PlainList, _ after: PlainList) throws {
    let applied = try StrictTableView.apply(changes, to: before)
    if applied != after { throw Inconsistency("applied: \(applied), expected \(after)") }
    try StrictTableView.apply(changes.batch(), to: before, source: after)
    try paths(changes, before, after)
  }
}
