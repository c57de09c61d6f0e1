import ChangeLog
import GRDB
import IDSets

/// What the engine knows about the list in the database.
struct KnownList {
  var request: ResultsRequest
  /// The logs, once they are found. They may record more than was asked for.
  var logs: TrackedLogs?
  /// Nil before the first fetch.
  var plan: FetchPlan?
  /// The list, ignoring the request's `ids`; nil until it is read.
  var base: OrderedIndex?
  /// A fingerprint of each row's content, in short lists.
  var fingerprints: [Int64: UInt64]?
  /// The log position that the list reflects; nil if there was no log.
  var position: LogPosition?
  var schemaVersion: Int32?
  /// Whether the whole list must be reread, whatever the log says.
  var mustRefetch = false
}

/// Reads a list, or its changes, inside the caller's transaction.
struct ListReader: Sendable {
  /// Lists of at most this many rows keep a fingerprint of each row's content, until they are twice as long, so that
  /// even after a lost log only rows that changed are updates. In longer lists, the rows that the consumer has loaded
  /// then count as updates.
  static let fingerprintLimit = 4096

  /// The result of reading.
  enum Reading {
    case nothing
    /// Triggers are missing or record too little. They can be installed, and the list read again.
    case untracked
    /// The rows written since the last reading; there may be none.
    case written(WrittenRows, LogPosition?)
    /// The whole list, and the rows that count as written since the last reading.
    case whole(FetchPlan, OrderedIndex, LogPosition?, WrittenRows, fingerprints: [Int64: UInt64]?)
  }

  /// The tracking that was requested.
  let tracking: ChangeTracking
  let heldIDs: @Sendable () -> [Int64]
  let identities = RowIdentities()
  private let spelling = SectionSpelling()

  init(tracking: ChangeTracking, heldIDs: @escaping @Sendable () -> [Int64]) {
    self.tracking = tracking
    self.heldIDs = heldIDs
  }

  /// A request resolved against the schema.
  func plan(_ request: ResultsRequest, _ db: Database) throws -> FetchPlan {
    try FetchPlan(request, db, spelling: spelling, identities: identities)
  }

  /// Reads the changes to a list, or the whole list if it has another base or the log does not tell the changes.
  /// Updates what is known of the schema and the logs.
  func read(
    _ newRequest: ResultsRequest, _ known: inout KnownList, _ db: Database, _ cancellation: Cancellation,
    mayInstall: Bool
  ) throws -> Reading {
    let version = try SQLite.schemaVersion(db)
    let hasSameTables = newRequest.source?.related == known.request.source?.related
    if version != known.schemaVersion || known.mustRefetch || !hasSameTables || known.logs == nil {
      db.clearSchemaCache()
      let logs = try TrackedLogs(tracking, newRequest, db)
      if logs == nil { known.mustRefetch = true }
      let plan = try plan(newRequest, db)
      if logs == nil, mayInstall { return .untracked }
      // A VACUUM, which also changes the schema version, may have renumbered all rows.
      if version != known.schemaVersion, plan.key.isHidden || plan.key != known.plan?.key { known.mustRefetch = true }
      known.schemaVersion = version
      // Fingerprints of other columns are useless.
      if let logs, logs.rows.tracking.content != keeping(known).content { known.fingerprints = nil }
      known.logs = logs
      if !hasSameTables { known.position?.related = [] }
    }

    let entries = try known.logs.map { try LogEntries($0, since: known.position, known.plan, db) }
    if let plan = known.plan, let base = known.base, let entries, !entries.isLost, !entries.concernsAnyRow,
      !known.mustRefetch, newRequest.hasSameBase(as: known.request)
    {
      if !entries.isEmpty { return .written(try written(entries, plan, known, db), entries.position) }
      if known.fingerprints == nil { known.fingerprints = try fingerprints(plan, known, db, count: base.count) }
      // Log lines of another table may affect no row, but the position must still move past them.
      if newRequest == known.request, entries.position == known.position { return .nothing }
      return .written(WrittenRows(), entries.position)
    }
    let plan = try plan(newRequest, db)
    // A fragmented list is rebuilt.
    let sharable = newRequest.hasSameBase(as: known.request) && known.base?.isFragmented == false
    let index = try IndexQuery.run(plan, db, cancellation, sharing: sharable ? known.base : nil)
    let fingerprints = try fingerprints(plan, known, db, count: index.count)
    let rows: WrittenRows
    if let entries, !entries.isLost, !known.mustRefetch {
      rows = entries.contents.isEmpty ? WrittenRows() : try written(entries, plan, known, db)
    } else {
      rows = unlogged(known.fingerprints, fingerprints)
    }
    return .whole(plan, index, entries?.position, rows, fingerprints: fingerprints)
  }

  /// The section counts and the ids of the first page.
  func firstPage(
    _ plan: FetchPlan, _ db: Database, generation: Int, titles: (SectionValue) -> String
  ) throws -> ResultsSnapshot {
    var sections: [SectionInfo] = []
    let counts = plan.request.sectionCounts
    try SQLite.forEachRow(
      db, sql: counts?.sql ?? plan.countsSQL, arguments: counts?.arguments ?? plan.filterArguments
    ) { row in
      let value = plan.sectionColumn == nil ? .null : plan.section(row, 0)
      let count = Int(row.integer(1))
      if count > 0 || plan.sectionColumn == nil {
        sections.append(SectionInfo(title: titles(value), value: value, count: count))
      }
    }
    let ids = try plan.ids(db, limit: plan.request.pageSize, offset: 0)
    return ResultsSnapshot(generation: generation, plan: plan, sections: sections, firstIDs: ids)
  }

  /// The fingerprints of a short list; nil for a long one.
  func fingerprints(
    _ plan: FetchPlan, _ known: KnownList, _ db: Database, count: Int
  ) throws -> [Int64: UInt64]? {
    guard count <= Self.fingerprintLimit else { return nil }
    var result: [Int64: UInt64] = [:]
    let sql = plan.contentSQL(content: try content(plan, known, db))
    let column = Int32(plan.key.columns.count)
    try SQLite.forEachRow(db, sql: sql, arguments: plan.filterArguments) { row in
      result[try plan.id(row)] = row.digest(column)
    }
    return result
  }

  private func content(_ plan: FetchPlan, _ known: KnownList, _ db: Database) throws -> String {
    try keeping(known).contentSQL(db, row: plan.prefix)
  }

  /// The tracking that defines what fingerprints are made from: the requested one until there is a log.
  private func keeping(_ known: KnownList) -> ChangeTracking { known.logs?.rows.tracking ?? tracking }

  private func written(
    _ entries: LogEntries, _ plan: FetchPlan, _ known: KnownList, _ db: Database
  ) throws -> WrittenRows {
    var rows = WrittenRows()
    guard let logs = known.logs, let position = known.position else { return rows }
    let query = plan.written(logs, since: position, content: try content(plan, known, db))
    let encoder = SortKeyEncoder(plan)
    let contentColumn = plan.firstKeyColumn + Int32(plan.keyParts.count)
    try SQLite.forEachRow(db, sql: query.sql, arguments: query.arguments, isRepeated: query.isRepeated) { row in
      encoder.encode(row)
      let id = try plan.id(row)
      rows.found[id] = FoundRow(
        id: id, section: plan.sectionColumn.map { plan.section(row, $0) } ?? .null, key: Array(encoder.bytes),
        digest: row.digest(contentColumn))
    }
    for (id, first) in entries.contents {
      let latest = rows.found[id]?.digest
      let base: UInt64? =
        switch first {
        case .absent: nil
        case .content(let digest): digest
        // Without a fingerprint, the row counts as changed.
        case .unknown: known.fingerprints?[id] ?? ~(latest ?? 0)
        }
      rows.touched[id] = Touch(base: base, latest: latest)
    }
    // A row that this row refers to was written. This row's own content is unchanged, but its position may differ.
    for id in entries.referrers where rows.touched[id] == nil {
      let latest = rows.found[id]?.digest
      rows.touched[id] = Touch(base: latest ?? 0, latest: latest)
    }
    return rows
  }

  /// The rows that count as written after a lost log: the rows whose fingerprint changed, or, in a long list, the rows
  /// that the consumer has loaded.
  private func unlogged(_ old: [Int64: UInt64]?, _ new: [Int64: UInt64]?) -> WrittenRows {
    var rows = WrittenRows(isUnlogged: true)
    if let old, let new {
      for (id, digest) in old where new[id] != digest { rows.touched[id] = Touch(base: digest, latest: new[id]) }
    } else {
      for id in heldIDs() { rows.touched[id] = Touch(base: 0, latest: 1) }
    }
    return rows
  }
}

/// The rows written since the last reading: how their content changed, and which are in the list now.
struct WrittenRows {
  var touched: [Int64: Touch] = [:]
  var found: [Int64: FoundRow] = [:]
  /// True if the log does not list the rows that were written, so that `touched` comes from fingerprints or is a guess.
  var isUnlogged = false

  /// Applies the rows to an index that contains the previous list. `ids` limits the rows that may be inserted.
  func applied(to index: OrderedIndex, limitedTo ids: IDSet? = nil) throws -> OrderedIndex {
    guard !touched.isEmpty else { return index }
    var removed: [Int64] = []
    var inserted: [FoundRow] = []
    for id in touched.keys {
      if let row = found[id] {
        if index.holds(row) { continue }
        if ids?.contains(id) ?? true { inserted.append(row) }
      }
      removed.append(id)
    }
    return try index.applying(removed: removed, inserted: inserted)
  }
}
