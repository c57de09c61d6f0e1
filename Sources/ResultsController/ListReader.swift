import GRDB

/// What the engine knows of the list in the database.
struct KnownList {
  var request: ResultsRequest
  /// What the triggers keep, once the log is read: perhaps more than was asked for.
  var tracking: ChangeTracking
  /// Nil before the first fetch.
  var plan: FetchPlan?
  /// The list without the request's ids; nil until it is read.
  var base: OrderedIndex?
  /// A fingerprint of each row's content, in short lists.
  var fingerprints: [Int64: UInt64]?
  /// The last line of the log that the list contains; nil when there was no log.
  var cursor: Int64?
  var schemaVersion: Int32?
  /// The list must be read as a whole: the log does not lead from it to now.
  var mustRefetch = false
}

/// Reads a list, or what became of it since, inside the caller's transaction.
struct ListReader: Sendable {
  /// Lists of at most this many rows keep a fingerprint of each row's content, so that even after a lost log only rows that
  /// changed are updates. In longer lists, the rows that the consumer holds count as updates then.
  static let fingerprintLimit = 4096

  /// What a reading found.
  enum Reading {
    case nothing
    /// The triggers are missing: they can be installed, and the list read after that.
    case untracked
    /// Some rows were written since.
    case written(WrittenRows, cursor: Int64)
    /// The list as a whole, and what is known of rows that were written since the last one.
    case whole(FetchPlan, OrderedIndex, cursor: Int64?, WrittenRows, fingerprints: [Int64: UInt64]?)
  }

  /// What is asked for.
  let tracking: ChangeTracking
  let heldIDs: @Sendable () -> [Int64]
  private let spelling = SectionSpelling()

  init(tracking: ChangeTracking, heldIDs: @escaping @Sendable () -> [Int64]) {
    self.tracking = tracking
    self.heldIDs = heldIDs
  }

  /// A request resolved against the schema.
  func plan(_ request: ResultsRequest, _ db: Database) throws -> FetchPlan {
    try FetchPlan(request, db, spelling: spelling)
  }

  /// What became of a list, or the list of another request. Updates what is known of the schema.
  func read(
    _ newRequest: ResultsRequest, _ known: inout KnownList, _ db: Database, _ cancellation: Cancellation,
    mayInstall: Bool
  ) throws -> Reading {
    let version = try SQLite.schemaVersion(db)
    var isLogged = known.cursor != nil
    if version != known.schemaVersion || known.mustRefetch {
      db.clearSchemaCache()
      let installed = try tracking.installed(in: db)
      isLogged = installed != nil
      if !isLogged { known.mustRefetch = true }
      _ = try plan(newRequest, db)
      if !isLogged, mayInstall { return .untracked }
      known.schemaVersion = version
      if let installed, installed != known.tracking {
        // Fingerprints of other columns are of no use.
        known.tracking = installed
        known.fingerprints = nil
      }
    }

    let log = ChangeLog(tracking: known.tracking)
    let entries = isLogged ? try log.read(db, after: known.cursor ?? -1) : .lost(last: 0)
    if let plan = known.plan, let base = known.base, !known.mustRefetch, newRequest.hasSameBase(as: known.request) {
      switch entries {
      case .nothing:
        if known.fingerprints == nil {
          known.fingerprints = try fingerprints(plan, known.tracking, db, count: base.count)
        }
        return newRequest == known.request ? .nothing : .written(WrittenRows(), cursor: known.cursor ?? 0)
      case .written(let contents, let last):
        return .written(try written(contents, plan, known, db), cursor: last)
      case .lost: break
      }
    }
    let plan = try plan(newRequest, db)
    // Chunks that were cut up are made anew.
    let sharable = newRequest.hasSameBase(as: known.request) && known.base?.isFragmented == false
    let index = try IndexQuery.run(plan, db, cancellation, sharing: sharable ? known.base : nil)
    let fingerprints = try fingerprints(plan, known.tracking, db, count: index.count)
    let rows: WrittenRows
    switch entries {
    case .nothing where !known.mustRefetch: rows = WrittenRows()
    case .written(let contents, _) where !known.mustRefetch: rows = try written(contents, plan, known, db)
    default: rows = unlogged(known.fingerprints, fingerprints)
    }
    return .whole(plan, index, cursor: isLogged ? try log.last(db) : nil, rows, fingerprints: fingerprints)
  }

  /// The section counts and the first ids.
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
    let sql = plan.pageSQL(limit: plan.request.pageSize, offset: 0)
    let ids = try Int64.fetchAll(db, sql: sql, arguments: plan.filterArguments)
    return ResultsSnapshot(generation: generation, plan: plan, sections: sections, firstIDs: ids)
  }

  /// The fingerprints of a short list; nil for a long one.
  func fingerprints(
    _ plan: FetchPlan, _ tracking: ChangeTracking, _ db: Database, count: Int
  ) throws -> [Int64: UInt64]? {
    guard count <= Self.fingerprintLimit else { return nil }
    var result: [Int64: UInt64] = [:]
    let sql = plan.contentSQL(content: try tracking.contentSQL(db))
    try SQLite.forEachRow(db, sql: sql, arguments: plan.filterArguments) { row in
      result[row.integer(0)] = row.digest(1)
    }
    return result
  }

  private func written(
    _ contents: FirstContents, _ plan: FetchPlan, _ known: KnownList, _ db: Database
  ) throws -> WrittenRows {
    let content = try known.tracking.contentSQL(db)
    let query = plan.written(log: known.tracking.quotedLog, cursor: known.cursor ?? 0, content: content)
    let encoder = SortKeyEncoder(plan)
    let contentColumn = plan.firstKeyColumn + Int32(plan.keyParts.count)
    var rows = WrittenRows()
    try SQLite.forEachRow(db, sql: query.sql, arguments: query.arguments, isRepeated: query.isRepeated) { row in
      encoder.encode(row)
      let id = row.integer(0)
      rows.found[id] = FoundRow(
        id: id, section: plan.sectionColumn.map { plan.section(row, $0) } ?? .null, key: Array(encoder.bytes),
        digest: row.digest(contentColumn))
    }
    for (id, first) in contents {
      let latest = rows.found[id]?.digest
      let base: UInt64? =
        switch first {
        case .absent: nil
        case .known(let digest): digest
        // Without a fingerprint it counts as changed.
        case .unknown: known.fingerprints?[id] ?? ~(latest ?? 0)
        }
      rows.touched[id] = Touch(base: base, latest: latest)
    }
    return rows
  }

  /// After a lost log: which rows changed by their fingerprints, or in a long list, the rows that the consumer holds.
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

/// The rows that were written since a reading: how their content changed, and those that are in the list now.
struct WrittenRows {
  var touched: [Int64: Touch] = [:]
  var found: [Int64: FoundRow] = [:]
  /// True when the log did not tell what was written, so that `touched` is a guess.
  var isUnlogged = false

  /// What these rows change in an index that contains the list before. `ids` limits the rows that may come.
  func applied(to index: OrderedIndex, limitedTo ids: Set<Int64>? = nil) throws -> OrderedIndex {
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
