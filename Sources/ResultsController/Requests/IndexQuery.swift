import GRDB

/// Reads a whole list into an index.
enum IndexQuery {
  /// Reads the rows of a plan in order. Throws `sectionOrderDisagrees`, `nullInPrimaryKey`, `cancelled`, or SQLite's
  /// error.
  ///
  /// - Parameter earlier: a list that is probably similar; unchanged parts are shared with it.
  static func run(
    _ plan: FetchPlan, _ db: Database, _ cancellation: Cancellation, sharing earlier: OrderedIndex? = nil
  ) throws -> OrderedIndex {
    if try plan.sortsInSQLite(db), let index = try readOrdered(plan, db, cancellation, earlier) { return index }
    return try readAndSort(plan, db, cancellation)
  }

  /// Fills chunks as rows arrive, in one pass. Nil if SQLite's order differs from that of the encoded keys, as in a
  /// UTF-16 database.
  private static func readOrdered(
    _ plan: FetchPlan, _ db: Database, _ cancellation: Cancellation, _ earlier: OrderedIndex?
  ) throws -> OrderedIndex? {
    let encoder = SortKeyEncoder(plan)
    var builder = ChunkBuilder()
    var sharing = earlier.map { ChunkSharing($0) }
    var runs = SectionRuns(plan)
    let isOrdered = try SQLite.stepRows(
      db, sql: plan.indexSQL(ordered: true), arguments: plan.filterArguments, cancellation: cancellation
    ) { row in
      encoder.encode(row)
      let key = KeyView(encoder.bytes)
      let id = try plan.id(row)
      // Rows that match the earlier list are in order.
      if sharing?.reuse(id, key, &builder) != true {
        // A chunk must only contain rows in order.
        guard builder.canAppend(id, key) else { return false }
        if sharing?.begins(id, key, &builder) != true { builder.append(id, key) }
      }
      try runs.add(row)
      return true
    }
    guard isOrdered else { return nil }
    sharing?.finish(&builder)
    builder.flush()
    return OrderedIndex(chunks: builder.chunks, sections: runs.finished(), isSectioned: plan.sectionColumn != nil)
  }

  /// Reads rows in the table's own order and sorts them.
  private static func readAndSort(
    _ plan: FetchPlan, _ db: Database, _ cancellation: Cancellation
  ) throws -> OrderedIndex {
    let encoder = SortKeyEncoder(plan)
    var ids: [Int64] = []
    var ends: [Int] = [0]
    var keys: [UInt8] = []
    var sections = SectionNames(plan)
    try SQLite.forEachRow(
      db, sql: plan.indexSQL(ordered: false), arguments: plan.filterArguments, cancellation: cancellation
    ) { row in
      encoder.encode(row)
      ids.append(try plan.id(row))
      keys.append(contentsOf: encoder.bytes)
      ends.append(keys.count)
      sections.add(row)
    }
    var builder = ChunkBuilder()
    var runs = SectionRuns(plan)
    try keys.withUnsafeBufferPointer { keys in
      try ids.withUnsafeBufferPointer { ids in
        try ends.withUnsafeBufferPointer { ends in
          func key(_ index: Int) -> KeyView {
            KeyView(UnsafeBufferPointer(rebasing: keys[ends[index]..<ends[index + 1]]))
          }
          let order = (0..<ids.count).sorted { left, right in
            let order = KeyView.compare(key(left), key(right))
            return order != 0 ? order < 0 : ids[left] < ids[right]
          }
          if cancellation.isCancelled { throw ResultsError.cancelled }
          for index in order {
            builder.append(ids[index], key(index))
            try runs.add(sections.value(index))
          }
        }
      }
    }
    builder.flush()
    return OrderedIndex(chunks: builder.chunks, sections: runs.finished(), isSectioned: plan.sectionColumn != nil)
  }
}

/// Turns the section column of sorted rows into runs of equal sections, and refuses a section that occurs twice.
struct SectionRuns {
  private let plan: FetchPlan
  private let column: Int32?
  private var runs: [(value: SectionValue, count: Int)] = []
  private var seen: Set<SectionValue> = []
  private var currentInteger: Int64?
  private var current: SectionValue?
  private var currentCount = 0

  init(_ plan: FetchPlan) {
    self.plan = plan
    column = plan.sectionColumn
  }

  @inline(__always)
  mutating func add(_ row: RawRow) throws {
    guard let column else {
      currentCount += 1
      return
    }
    // Integers are the most common section keys; others are compared as values.
    if let currentInteger, row.kind(column) == .integer, row.integer(column) == currentInteger {
      currentCount += 1
      return
    }
    try add(plan.section(row, column))
  }

  mutating func add(_ value: SectionValue) throws {
    guard column != nil, value != current else {
      currentCount += 1
      return
    }
    close()
    guard seen.insert(value).inserted else { throw ResultsError.sectionOrderDisagrees(value) }
    current = value
    currentCount = 1
    if case .integer(let integer) = value { currentInteger = integer } else { currentInteger = nil }
  }

  mutating func finished() -> [(value: SectionValue, count: Int)] {
    close()
    return runs
  }

  private mutating func close() {
    if let current { runs.append((current, currentCount)) }
  }
}

/// The section of each unsorted row, with each value stored once.
private struct SectionNames {
  private let plan: FetchPlan
  private var values: [SectionValue] = []
  private var numbers: [SectionValue: Int32] = [:]
  private var rows: [Int32] = []

  init(_ plan: FetchPlan) { self.plan = plan }

  mutating func add(_ row: RawRow) {
    guard let column = plan.sectionColumn else { return }
    let value = plan.section(row, column)
    if let number = numbers[value] {
      rows.append(number)
    } else {
      numbers[value] = Int32(values.count)
      rows.append(Int32(values.count))
      values.append(value)
    }
  }

  func value(_ index: Int) -> SectionValue { plan.sectionColumn == nil ? .null : values[Int(rows[index])] }
}
