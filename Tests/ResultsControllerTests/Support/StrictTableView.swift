@testable import ResultsController

/// A list as the tests see it: the sections' values and the ids of their rows.
struct PlainList: Equatable, CustomStringConvertible {
  var sections: [(value: SectionValue, ids: [Int64])] = []

  init() {}

  init(_ snapshot: ResultsSnapshot) {
    sections = snapshot.sections.indices.map { ordinal in
      (
        snapshot.sections[ordinal].value,
        (0..<snapshot.sections[ordinal].count).map { snapshot.id(at: RowPath(section: ordinal, row: $0)) ?? -1 }
      )
    }
  }

  static func == (left: PlainList, right: PlainList) -> Bool {
    left.sections.map(\.value) == right.sections.map(\.value) && left.sections.map(\.ids) == right.sections.map(\.ids)
  }

  var description: String { sections.map { "\($0.value.plainTitle)\($0.ids)" }.joined(separator: " ") }

  func id(at path: RowPath) -> Int64? {
    guard sections.indices.contains(path.section), sections[path.section].ids.indices.contains(path.row) else {
      return nil
    }
    return sections[path.section].ids[path.row]
  }
}

/// A check that failed.
struct Inconsistency: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A table view that checks what it applies: each path at most once, only paths that exist, and the rows' positions.
enum StrictTableView {
  /// Applies a change set to a list. Inserted rows and sections bring their own ids and values.
  static func apply(_ changes: ChangeSet, to before: PlainList) throws -> PlainList {
    var kept: [[Int64?]] = before.sections.map { $0.ids }
    func vacate(_ path: RowPath, _ id: Int64) throws {
      guard before.id(at: path) == id else { throw Inconsistency("row \(id) is not at \(path) of the old list") }
      guard kept[path.section][path.row] != nil else { throw Inconsistency("\(path) is left twice") }
      kept[path.section][path.row] = nil
    }
    for row in changes.deletes { try vacate(row.path, row.id) }
    for move in changes.moves { try vacate(move.from, move.id) }
    for section in changes.deletedSections {
      guard kept.indices.contains(section.ordinal), kept[section.ordinal].allSatisfy({ $0 == nil }) else {
        throw Inconsistency("section \(section.ordinal) is deleted with rows in it")
      }
    }
    let gone = Set(changes.deletedSections.map(\.ordinal))
    var result = PlainList()
    for (ordinal, section) in before.sections.enumerated() where !gone.contains(ordinal) {
      result.sections.append((section.value, kept[ordinal].compactMap { $0 }))
    }
    for section in changes.insertedSections {
      guard section.ordinal <= result.sections.count else {
        throw Inconsistency("section \(section.ordinal) leaves a hole")
      }
      result.sections.insert((section.info.value, []), at: section.ordinal)
    }
    let arrivals =
      (changes.inserts.map { ($0.path, $0.id) } + changes.moves.map { ($0.to, $0.id) }).sorted { $0.0 < $1.0 }
    for (path, id) in arrivals {
      guard result.sections.indices.contains(path.section), path.row <= result.sections[path.section].ids.count else {
        throw Inconsistency("\(path) leaves a hole")
      }
      result.sections[path.section].ids.insert(id, at: path.row)
    }
    let moved = Set(changes.moves.map(\.id))
    for update in changes.updates {
      guard !moved.contains(update.id) else { throw Inconsistency("row \(update.id) is moved and updated") }
      guard before.id(at: update.from) == update.id, result.id(at: update.to) == update.id else {
        throw Inconsistency("update of \(update.id) has a wrong path")
      }
    }
    return result
  }

  /// Applies a batch as a table view does, which asks its data source for inserted rows and sections.
  static func apply(_ batch: ChangeBatch, to before: PlainList, source after: PlainList) throws {
    let gone = Set(batch.deleteSections)
    let come = Set(batch.insertSections)
    guard gone.count == batch.deleteSections.count, come.count == batch.insertSections.count else {
      throw Inconsistency("a section is named twice")
    }
    let left = batch.deleteRows + batch.moveRows.map(\.from)
    let entered = batch.insertRows + batch.moveRows.map(\.to)
    guard Set(left).count == left.count, Set(entered).count == entered.count else {
      throw Inconsistency("a path is named twice")
    }
    for path in left where before.id(at: path) == nil || gone.contains(path.section) {
      throw Inconsistency("\(path) of the old list cannot be left")
    }
    for path in entered where after.id(at: path) == nil || come.contains(path.section) {
      throw Inconsistency("\(path) of the new list cannot be entered")
    }
    var rows: [[Int64]] = []
    let leftSet = Set(left)
    for (ordinal, section) in before.sections.enumerated() where !gone.contains(ordinal) {
      rows.append(
        section.ids.enumerated().filter { !leftSet.contains(RowPath(section: ordinal, row: $0.offset)) }.map(\.element))
    }
    for ordinal in batch.insertSections.sorted() {
      guard ordinal <= rows.count, after.sections.indices.contains(ordinal) else { throw Inconsistency("section hole") }
      rows.insert(after.sections[ordinal].ids, at: ordinal)
    }
    let source = Dictionary(uniqueKeysWithValues: batch.moveRows.map { ($0.to, $0.from) })
    for path in entered.sorted() {
      guard path.row <= rows[path.section].count else { throw Inconsistency("\(path) leaves a hole") }
      let id = source[path].flatMap { before.id(at: $0) } ?? after.id(at: path) ?? -1
      rows[path.section].insert(id, at: path.row)
    }
    guard rows == after.sections.map(\.ids) else { throw Inconsistency("the batch gives \(rows)") }
    for path in batch.reconfigureAfter where after.id(at: path) == nil || come.contains(path.section) {
      throw Inconsistency("\(path) cannot be reconfigured")
    }
  }
}
