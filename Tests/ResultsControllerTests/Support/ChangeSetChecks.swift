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

  /// Checks that arrays of a program's own become the new list, and that elements are only made for rows that were
  /// inserted or whose content changed.
  static func arrays(_ changes: ChangeSet, _ before: PlainList, _ after: PlainList) throws {
    struct Refused: Error {}
    var rows = before.sections.map { section in section.ids.map { (id: $0, isNew: false) } }
    let untouched = rows
    let needed = Set(
      changes.inserts.map(\.id) + changes.updates.map(\.id) + changes.moves.filter(\.contentChanged).map(\.id))
    do throws(Refused) {
      try changes.apply(to: &rows) { (_: RowPath) throws(Refused) in throw Refused() }
      if !needed.isEmpty { throw Refused() }
    } catch {
      if needed.isEmpty { throw Inconsistency("an element was made without need") }
      if rows.map({ $0.map(\.id) }) != untouched.map({ $0.map(\.id) }) { throw Inconsistency("arrays changed halfway") }
    }
    rows = untouched
    changes.apply(to: &rows) { path in (id: after.sections[path.section].ids[path.row], isNew: true) }
    if rows.map({ $0.map(\.id) }) != after.sections.map(\.ids) { throw Inconsistency("arrays are \(rows)") }
    let made = Set(rows.flatMap { $0 }.filter(\.isNew).map(\.id))
    if made != needed { throw Inconsistency("elements were made of \(made), expected \(needed)") }
  }

  /// Checks all rules that do not depend on what was written.
  static func all(_ changes: ChangeSet, _ before: PlainList, _ after: PlainList) throws {
    let applied = try StrictTableView.apply(changes, to: before)
    if applied != after { throw Inconsistency("applied: \(applied), expected \(after)") }
    try StrictTableView.apply(changes.batch(), to: before, source: after)
    try paths(changes, before, after)
    try arrays(changes, before, after)
  }
}
