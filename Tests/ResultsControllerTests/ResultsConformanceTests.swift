import Foundation
import SharedMaterial
import Testing

@testable import ResultsController

/// Runs every step of the case file in the repository, and of the file that RESULTS_CASES names.
@Suite(.serialized)
struct ResultsConformance {
  @Test func everyCaseOfTheRepository() throws { try check(CaseFile.fixture) }

  @Test(.enabled(if: SharedMaterial.resultsCases.isNamed, "RESULTS_CASES is not set"))
  func everyCaseNamedInTheEnvironment() throws { try check(SharedMaterial.resultsCases.path) }

  private func check(_ path: String) throws {
    let file = try CaseFile(path: path)
    var failed = 0
    for item in file.cases {
      let name = item["name"].text ?? "?"
      do {
        if item["steps"].has {
          var run = try CaseRun(item, schema: file.header["schema"].text ?? TestBook.itemSchema)
          try run.run()
        } else if let rule = ContractRules.rules[name] {
          try rule(item)
        } else {
          throw Inconsistency("the case has neither steps nor a rule here")
        }
      } catch {
        failed += 1
        print("FAILED \(name): \(error)")
        Issue.record("\(name): \(error)")
      }
    }
    #expect(!file.cases.isEmpty)
    print("\(path): \(file.cases.count) cases, \(failed) failed")
  }
}

/// One case with steps.
struct CaseRun {
  private let item: JSONValue
  private let book: TestBook
  private var view: ListState?

  init(_ item: JSONValue, schema: String) throws {
    self.item = item
    book = try TestBook(schema: schema)
    let columns = ["id", "sec", "key", "body", "tag", "grp", "uq"]
    var statements: [String] = []
    for row in item["rows"].array {
      let values = row.array.map { value in
        if case .text(let text) = value { return "'" + text.replacingOccurrences(of: "'", with: "''") + "'" }
        return value.has ? "\(value)" : "NULL"
      }
      statements.append(
        "INSERT INTO item(\(columns.prefix(values.count).joined(separator: ","))) VALUES(\(values.joined(separator: ",")))"
      )
    }
    try book.write(statements, writer: "self", commits: true)
    if item["view"].has {
      let view = item["view"]
      self.view = ListState(
        top: view["top"].int, height: view["height"].int, selection: Set(view["selection"].array.map(\.int64)),
        focus: view["focus"].optionalInt64)
    }
  }

  mutating func run() throws {
    var fields = item["request"]
    try book.open(Self.request(fields))
    try checkInverse()
    for (number, step) in item["steps"].array.enumerated() {
      do {
        try run(step, &fields)
      } catch {
        throw Inconsistency("step \(number): \(error)")
      }
    }
  }

  private static func request(_ fields: JSONValue) -> ResultsRequest {
    let isSectioned = fields["sectioned"].bool ?? true
    let key = RowSortKey("key", ascending: fields["keys"].text != "desc")
    return ResultsRequest(
      table: "item", filter: fields["where"].text.map { .sql($0) } ?? .all,
      sectionKey: isSectioned ? .column("sec") : nil,
      sortKeys: isSectioned ? [RowSortKey("sec", ascending: fields["sections"].text != "desc"), key] : [key])
  }

  private mutating func run(_ step: JSONValue, _ fields: inout JSONValue) throws {
    let before = PlainList(book.controller.snapshot)
    let parts = step["parts"].has ? step["parts"].array : [step]
    let emptiesLog = (item["note"].text ?? "").contains("empties the change log")
    let gate = DispatchSemaphore(value: 0)
    if emptiesLog { book.controller.engine.queue.async { gate.wait() } }
    var isExternal = false
    for part in parts {
      if part["request"].has {
        guard case .object(var members) = fields, case .object(let new) = part["request"] else { continue }
        members.merge(new) { $1 }
        fields = .object(members)
        try book.controller.setRequest(Self.request(fields))
      }
      if part["sql"].has {
        let writer = part["writer"].text ?? "self"
        if writer != "self" { isExternal = true }
        try book.write(part["sql"].array.compactMap(\.text), writer: writer, commits: part["commit"].bool ?? true)
      }
    }
    if emptiesLog {
      try book.write(["DELETE FROM results_log_item"], writer: "other-process", commits: true)
      gate.signal()
    }
    if isExternal, try !book.waitForLog() { throw Inconsistency("another writer's commit was not seen") }
    book.waitForUpdates()
    try check(step["expect"], before, book.updates())
  }

  private mutating func check(_ expect: JSONValue, _ before: PlainList, _ updates: [ResultsUpdate]) throws {
    func titled(_ list: JSONValue) -> [String] {
      list.array.map { "\($0[0].text ?? "")\($0[1].array.map(\.int64))" }
    }
    func titled(_ list: PlainList) -> [String] { list.sections.map { "\(TestBook.title($0.value))\($0.ids)" } }
    func equal<T: Equatable>(_ name: String, _ actual: T, _ expected: T) throws {
      if actual != expected { throw Inconsistency("\(name) is \(actual), expected \(expected)") }
    }

    let after = PlainList(book.controller.snapshot)
    if expect["before"].has { try equal("before", titled(before), titled(expect["before"])) }
    if expect["after"].has { try equal("after", titled(after), titled(expect["after"])) }
    if expect["indexTitles"].has {
      try equal("index titles", book.controller.sectionIndexTitles, expect["indexTitles"].array.compactMap(\.text))
    }
    try equal("errors", book.errors(), [])
    try checkInverse()
    if expect["notified"].bool == false {
      try equal("updates", updates.count, 0)
      return
    }
    try equal("updates", updates.count, 1)
    let update = updates[0]
    let changes = update.changes
    try equal("update.before", PlainList(update.before), before)
    try equal("update.after", PlainList(update.after), after)
    try equal("applied change set", try StrictTableView.apply(changes, to: before), after)
    try StrictTableView.apply(changes.batch(), to: before, source: after)
    try checkPaths(changes, before, after)

    let counts = expect["counts"]
    try equal("deleted sections", changes.deletedSections.count, counts["deletedSections"].int)
    try equal("inserted sections", changes.insertedSections.count, counts["insertedSections"].int)
    try equal("deletes", changes.deletes.count, counts["deletes"].int)
    try equal("inserts", changes.inserts.count, counts["inserts"].int)
    guard (expect["fewestMoves"].int...counts["moves"].int).contains(changes.moves.count) else {
      throw Inconsistency("\(changes.moves.count) moves, expected \(expect["fewestMoves"])…\(counts["moves"])")
    }
    let isUnique = expect["unique"].bool ?? true
    if isUnique { try equal("updates", changes.updates.count, counts["updates"].int) }
    if expect["changes"].has {
      let wanted = expect["changes"]
      func rows(_ rows: [ChangeSet.Row]) -> Set<String> { Set(rows.map { "[\($0.id), \($0.path)]" }) }
      func set(_ list: JSONValue) -> Set<String> { Set(list.array.map(\.description)) }
      try equal(
        "deleted sections", changes.deletedSections.map(\.ordinal), wanted["deletedSections"].array.map(\.int).sorted())
      try equal(
        "inserted sections", changes.insertedSections.map(\.ordinal),
        wanted["insertedSections"].array.map(\.int).sorted())
      try equal("deletes", rows(changes.deletes), set(wanted["deletes"]))
      try equal("inserts", rows(changes.inserts), set(wanted["inserts"]))
      let moves = Set(changes.moves.map { "[\($0.id), \($0.from), \($0.to), \($0.contentChanged)]" })
      if isUnique { try equal("moves", moves, set(wanted["moves"])) }
      if isUnique || moves == set(wanted["moves"]) {
        try equal("updates", Set(changes.updates.map { "[\($0.id), \($0.from), \($0.to)]" }), set(wanted["updates"]))
        try checkBatch(changes.batch(), expect["batch"])
      }
      // Whichever rows move, each row with changed content is either an update or a move that says so.
      let changed = Set(
        wanted["updates"].array.map { $0[0].int64 }
          + wanted["moves"].array.filter { $0[3].bool == true }.map { $0[0].int64 })
      let told = Set(changes.updates.map(\.id) + changes.moves.filter(\.contentChanged).map(\.id))
      try equal("changed rows", told, changed)
    }
    if expect["view"].has, var state = view {
      let anchor = state.apply(update)
      try equal("top", state.top, expect["view"]["top"].int)
      try equal("anchor", anchor, expect["view"]["anchor"].optionalInt64)
      try equal("selection", state.selection, Set(expect["view"]["selection"].array.map(\.int64)))
      try equal("focus", state.focus, expect["view"]["focus"].optionalInt64)
      view = state
    }
  }

  private func checkBatch(_ batch: ChangeBatch, _ wanted: JSONValue) throws {
    guard wanted.has else { return }
    func set(_ list: JSONValue) -> Set<String> { Set(list.array.map(\.description)) }
    func equal(_ name: String, _ actual: some Sequence<some CustomStringConvertible>, _ key: String) throws {
      let actual = Set(actual.map(\.description))
      if actual != set(wanted[key]) { throw Inconsistency("batch \(name) is \(actual), expected \(wanted[key])") }
    }
    try equal("delete sections", batch.deleteSections, "deleteSections")
    try equal("insert sections", batch.insertSections, "insertSections")
    try equal("delete rows", batch.deleteRows, "deleteRows")
    try equal("insert rows", batch.insertRows, "insertRows")
    try equal("move rows", batch.moveRows.map { "[\($0.from), \($0.to)]" }, "moveRows")
    try equal("reconfigure", batch.reconfigureAfter, "reconfigureAfter")
  }

  private func checkPaths(_ changes: ChangeSet, _ before: PlainList, _ after: PlainList) throws {
    try ChangeSetChecks.paths(changes, before, after)
  }

  /// Checks that the object at each path is found at that path.
  private func checkInverse() throws {
    let snapshot = book.controller.snapshot
    for section in snapshot.sections.indices {
      for row in 0..<snapshot.sections[section].count {
        let path = RowPath(section: section, row: row)
        let id = try book.controller.object(at: path).id
        if book.controller.indexPath(forID: id) != path { throw Inconsistency("row \(id) is not found at \(path)") }
      }
    }
  }
}
