import GRDB

struct SQLiteWriter: StoreWriter {
  let db: Database
  let schema: SQLiteSchema
  var database: Database? { db }
  var reader: any StoreReader { SQLiteReader(db: db, schema: schema) }
  private var tables: StoreTables { schema.tables }

  init(db: Database, schema: SQLiteSchema) {
    self.db = db
    self.schema = schema
  }

  /// Reserving writes nothing: the library's tables use AUTOINCREMENT, so inserting a number advances the sequence.
  /// Mapped tables may lack it, so their largest number counts too.
  func reserve(_ count: Int, of root: Entity) throws -> Int64 {
    let table = tables.table(root)
    var last: Int64?
    if try !tables.isMapped || db.tableExists("sqlite_sequence") {
      last = try Int64.fetchOne(
        db, sql: "SELECT seq FROM sqlite_sequence WHERE name = ? COLLATE NOCASE", arguments: [table.name])
    }
    if tables.isMapped {
      let maximumID = try Int64.fetchOne(
        db, sql: "SELECT max(\(table.id.sqlIdentifier)) FROM \(table.name.sqlIdentifier)")
      last = max(last ?? 0, maximumID ?? 0)
    }
    return (last ?? 0) + 1
  }

  func apply(_ changes: StoreChanges) throws {
    for (sql, arguments) in LinkReleases(changes, tables).statements() { try execute(sql, arguments) }
    for (sql, arguments) in try RowDeletions(changes, tables).statements() { try execute(sql, arguments) }
    let rows = RowStatements(db, tables)
    for insertion in changes.insertions { try rows.insert(insertion) }
    for update in changes.updates { try rows.update(update) }
    for pairing in changes.pairings { try pair(pairing) }
    for ordering in changes.orderings { try order(ordering) }
  }

  // MARK: - Lists

  private func pair(_ pairing: StoreChanges.Pairing) throws {
    let relationship = pairing.relationship
    guard case .join(let join) = tables.storage(relationship) else { return }
    let table = join.table.sqlIdentifier
    let (own, other) = (join.ownColumn.sqlIdentifier, join.otherColumn.sqlIdentifier)
    // A relationship that is its own inverse has a row for each direction; each end removes only its own row.
    for member in pairing.removed {
      try execute(
        "DELETE FROM \(table) WHERE \(own) = ? AND \(other) = ?", [pairing.owner.databaseValue, member.databaseValue])
    }
    let insert = "INSERT OR IGNORE INTO \(table) (\(own), \(other)) VALUES (?, ?)"
    for member in pairing.added {
      try execute(insert, [pairing.owner.databaseValue, member.databaseValue])
      guard relationship.isOwnInverse else { continue }
      try execute(insert, [member.databaseValue, pairing.owner.databaseValue])
    }
  }

  private func order(_ ordering: StoreChanges.Ordering) throws {
    let table: String
    let position: String
    let member: String
    let owner: String
    let destination = tables.table(ordering.relationship.destination)
    switch tables.storage(ordering.relationship) {
    case .inverseColumn(let column, let name?):
      table = destination.name.sqlIdentifier
      position = name.sqlIdentifier
      member = destination.id.sqlIdentifier
      owner = column.sqlIdentifier
    case .join(let join):
      guard let name = join.position else { return }
      table = join.table.sqlIdentifier
      position = name.sqlIdentifier
      member = join.otherColumn.sqlIdentifier
      owner = join.ownColumn.sqlIdentifier
    default: return
    }
    var first: Int64 = 0
    if ordering.unchanged > 0 {
      // The first members keep their positions, which may have gaps; the others get positions after them.
      let known = ordering.members.prefix(ordering.unchanged)
      first =
        try Int64.fetchOne(
          db,
          sql: """
            SELECT coalesce(max(\(position)), -1) + 1 FROM \(table) \
            WHERE \(owner) = ? AND \(member) \(SQLiteReader.inArgument)
            """, arguments: [ordering.owner, SQLiteReader.list(Array(known))]) ?? 0
    }
    let sql = """
      UPDATE \(table) SET \(position) = ? WHERE \(member) = ? AND \(owner) = ? AND \(position) IS NOT ?
      """
    for (offset, number) in ordering.members.dropFirst(ordering.unchanged).enumerated() {
      let value = (first + Int64(offset)).databaseValue
      try execute(sql, [value, number.databaseValue, ordering.owner.databaseValue, value])
    }
  }

  private func execute(_ sql: String, _ values: [DatabaseValue]) throws {
    try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
  }
}
