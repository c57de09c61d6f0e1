import Foundation
import GRDB
import IDSets
import SeededRandom
import Testing

@testable import ResultsController

/// Random transactions, compared with a plain model that sorts a dictionary. RESULTS_RANDOM_TRANSACTIONS sets the
/// number of rounds, each of up to three transactions; RESULTS_RANDOM_SEED sets the seed.
@Suite
struct RandomRun {
  struct ModelRow: Equatable {
    var section: Int64?
    var key: Int64
    var body: String
    var tag: String
    var unique: Int64?
  }

  static func order(_ left: (Int64, ModelRow), _ right: (Int64, ModelRow), _ request: ResultsRequest) -> Bool {
    func value(_ row: ModelRow, _ key: RowSortKey) -> Int64 { key.column == "sec" ? row.section ?? -1 : row.key }
    for key in request.sortKeys {
      let (a, b) = (value(left.1, key), value(right.1, key))
      if a != b { return key.ascending ? a < b : a > b }
    }
    return left.0 < right.0
  }

  static func list(_ model: [Int64: ModelRow], _ request: ResultsRequest, _ tag: String?) -> PlainList {
    var result = PlainList()
    if request.sectionKey == nil { result.sections = [(.null, [])] }
    let rows = model.filter { tag == nil || $0.value.tag == tag }
      .filter { request.ids?.contains($0.key) ?? true }
    for (id, row) in rows.sorted(by: { order(($0.key, $0.value), ($1.key, $1.value), request) }) {
      let value: SectionValue = request.sectionKey == nil ? .null : row.section.map { .integer($0) } ?? .null
      if result.sections.last?.value != value { result.sections.append((value, [])) }
      result.sections[result.sections.count - 1].ids.append(id)
    }
    return result
  }

  @Test func transactionsAgainstAModel() throws {
    let environment = ProcessInfo.processInfo.environment
    let transactions = environment["RESULTS_RANDOM_TRANSACTIONS"].flatMap { Int($0) } ?? 2_000
    let seed = environment["RESULTS_RANDOM_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...UInt64.max)
    print("random run: \(transactions) transactions, seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let book = try TestBook()
    try book.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    var model: [Int64: ModelRow] = [:]
    var request = ContractRules.items
    var tag: String?
    try book.open(request)
    var known = PlainList(book.controller.snapshot)
    var knownRows = model
    var filterings = 0

    for number in 0..<transactions {
      // Up to three transactions or changes of the request before one delivery, as for a slow consumer.
      var isRequestChange = false
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        if Int.random(in: 0..<20, using: &random) == 0 {
          isRequestChange = true
          Self.change(&request, &tag, &random)
          try book.controller.setRequest(request)
        } else {
          try book.pool.write { db in try Self.transaction(db, &model, &random) }
        }
      }
      book.waitForUpdates()
      let updates = book.updates()
      let wanted = Self.list(model, request, tag)
      do {
        let errors = book.errors()
        if !errors.isEmpty { throw Inconsistency("\(errors)") }
        let after = PlainList(book.controller.snapshot)
        if after != wanted { throw Inconsistency("list is \(after), expected \(wanted)") }
        if updates.count > 1 { throw Inconsistency("\(updates.count) updates at once") }
        let visible = Set(wanted.sections.flatMap(\.ids))
        let wasVisible = Set(known.sections.flatMap(\.ids))
        let changed = Set(visible.intersection(wasVisible).filter { model[$0] != knownRows[$0] })
        if let changes = updates.first?.changes {
          if PlainList(updates[0].before) != known { throw Inconsistency("before is not what was known") }
          try ChangeSetChecks.all(changes, known, wanted)
          let told = Set(changes.updates.map(\.id) + changes.moves.filter(\.contentChanged).map(\.id))
          if told != changed { throw Inconsistency("changed rows are \(told), expected \(changed)") }
          if !isRequestChange, let extra = changes.moves.first(where: { !changed.contains($0.id) }) {
            throw Inconsistency("row \(extra.id) moved and was not written")
          }
          // Another order of the same rows is reported even if they all keep their positions.
          if changes.isEmpty, !updates[0].isReordered { throw Inconsistency("an empty change set was delivered") }
          if updates[0].keepsRows {
            filterings += 1
            let isKept = changes.moves.isEmpty && changes.updates.isEmpty && changed.isEmpty
            if !isKept { throw Inconsistency("rows that were to be kept changed: \(changes)") }
          }
        } else if wanted != known || !changed.isEmpty {
          throw Inconsistency("nothing was delivered")
        }
        for id in changed.prefix(3) {
          guard let path = book.controller.indexPath(forID: id) else { continue }
          let body = String.fromDatabaseValue(try book.controller.object(at: path).values["body"] ?? .null)
          if body != model[id]?.body { throw Inconsistency("row \(id) is stale") }
        }
      } catch {
        Issue.record("seed \(seed), transaction \(number): \(error)")
        return
      }
      known = wanted
      knownRows = model
    }
    print("random run: \(filterings) updates kept all rows")
    if transactions >= 2_000 { #expect(filterings > 0) }
  }

  private static func change(_ request: inout ResultsRequest, _ tag: inout String?, _ random: inout SeededGenerator) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: request.sortKeys[request.sortKeys.count - 1].ascending.toggle()
    case 1: if request.sectionKey != nil { request.sortKeys[0].ascending.toggle() }
    case 2:
      if request.sectionKey == nil {
        request.sectionKey = .column("sec")
        request.sortKeys.insert(RowSortKey("sec"), at: 0)
      } else {
        request.sectionKey = nil
        request.sortKeys.removeFirst()
      }
    case 3: request.ids = nil
    case 4: request.ids = IDSet((0..<20).map { _ in Int64.random(in: 1...40, using: &random) })
    default: tag = ["x", "y", nil].randomElement(using: &random) ?? nil
    }
    request.filter = tag.map { .sql("tag = ?", [$0]) } ?? .all
  }

  private static func transaction(_ db: Database, _ model: inout [Int64: ModelRow], _ random: inout SeededGenerator)
    throws
  {
    if Int.random(in: 0..<200, using: &random) == 0 {
      try execute(db, "DELETE FROM item")
      model = [:]
      return
    }
    // Not every time: SQLite must compile all statements again afterwards.
    if Int.random(in: 0..<16, using: &random) == 0 {
      try execute(db, "PRAGMA recursive_triggers = \(Bool.random(using: &random) ? 1 : 0)")
    }
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let id = Int64.random(in: 1...40, using: &random)
      let section: Int64? = Int.random(in: 0..<8, using: &random) == 0 ? nil : Int64.random(in: 0..<6, using: &random)
      let key = Int64.random(in: 0..<12, using: &random)
      let text = "\(Int.random(in: 0..<4, using: &random))"
      let tag = Bool.random(using: &random) ? "x" : "y"
      let unique: Int64? = Int.random(in: 0..<3, using: &random) == 0 ? Int64.random(in: 0..<10, using: &random) : nil
      switch Int.random(in: 0..<7, using: &random) {
      case 0:
        try execute(db, "DELETE FROM item WHERE id = ?", [id])
        model[id] = nil
      case 1:
        try execute(db, "UPDATE item SET body = ? WHERE id = ?", [text, id])
        model[id]?.body = text
      case 2:
        try execute(db, "UPDATE item SET key = ? WHERE id = ?", [key, id])
        model[id]?.key = key
      case 3:
        try execute(db, "UPDATE item SET sec = ?, tag = ? WHERE id = ?", [section, tag, id])
        model[id]?.section = section
        model[id]?.tag = tag
      case 4:
        // The row takes another id, and replaces the row that had it.
        let new = Int64.random(in: 1...40, using: &random)
        try execute(db, "UPDATE OR REPLACE item SET id = ? WHERE id = ?", [new, id])
        if let row = model[id], new != id {
          model[id] = nil
          model[new] = row
        }
      case 5:
        try execute(db, "UPDATE OR REPLACE item SET uq = ? WHERE id = ?", [unique, id])
        if model[id] != nil {
          if let unique { model = model.filter { $0.key == id || $0.value.unique != unique } }
          model[id]?.unique = unique
        }
      default:
        try execute(
          db, "INSERT OR REPLACE INTO item(id, sec, key, body, tag, uq) VALUES (?, ?, ?, ?, ?, ?)",
          [id, section, key, text, tag, unique])
        if let unique { model = model.filter { $0.value.unique != unique } }
        model[id] = ModelRow(section: section, key: key, body: text, tag: tag, unique: unique)
      }
    }
  }

  /// Runs a cached statement, because compiling is most of what a small statement costs.
  private static func execute(_ db: Database, _ sql: String, _ arguments: StatementArguments = []) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
