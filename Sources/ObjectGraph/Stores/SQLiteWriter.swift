import GRDB

/// A write transaction of a SQLite store.
struct SQLiteWriter: StoreWriter {
  let db: Database
  let schema: SQLiteSchema
  private var reader: SQLiteReader { SQLiteReader(db: db, schema: schema) }

  init(db: Database, schema: SQLiteSchema) {
    self.db = db
    self.schema = schema
  }

  func rows(_ numbers: [Int64], of root: Entity) throws -> [StoredRow] { try reader.rows(numbers, of: root) }

  func versions(_ numbers: [Int64], of root: Entity) throws -> [Int64: Int64] {
    try reader.versions(numbers, of: root)
  }

  func members(_ relationship: Relationship, of owners: [Int64]) throws -> [Int64: [StoredRow]] {
    try reader.members(relationship, of: owners)
  }

  func numbers(of entities: [Entity]) throws -> [(number: Int64, entity: Entity)] {
    try reader.numbers(of: entities)
  }

  /// The tables are AUTOINCREMENT: rows with the reserved numbers move the sequence on.
  func reserve(_ count: Int, of root: Entity) throws -> Int64 {
    let last = try Int64.fetchOne(
      db, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [root.table])
    return (last ?? 0) + 1
  }

  func apply(_ changes: StoreChanges) throws {
    for deletion in changes.deletions {
      try execute(
        "DELETE FROM \(deletion.entity.sqlTable) WHERE \(Entity.idColumn) = ?", [deletion.number.databaseValue])
    }
    for insertion in changes.insertions { try insert(insertion) }
    for update in changes.updates { try self.update(update) }
    for pairing in changes.pairings { try pair(pairing) }
    for ordering in changes.orderings { try order(ordering) }
  }

  // MARK: - Rows

  private func insert(_ insertion: StoreChanges.Insertion) throws {
    var columns = [Entity.idColumn, Entity.typeColumn, Entity.versionColumn]
    var values = [
      insertion.number.databaseValue, insertion.entity.name.databaseValue, insertion.version.databaseValue,
    ]
    for attribute in insertion.entity.attributes where !attribute.description.isTransient {
      columns.append(attribute.column)
      values.append(insertion.values[attribute.index].databaseValue)
    }
    for relationship in insertion.entity.relationships {
      guard case .column(let column) = relationship.storage else { continue }
      columns.append(column)
      values.append(insertion.references[relationship.index].databaseValue)
    }
    try execute(
      """
      INSERT INTO \(insertion.entity.sqlTable) (\(columns.map(\.sqlIdentifier).joined(separator: ", "))) \
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      """, values)
  }

  private func update(_ update: StoreChanges.Update) throws {
    var columns = [Entity.versionColumn]
    var values = [update.version.databaseValue]
    for (attribute, value) in update.values {
      columns.append(attribute.column)
      values.append(value.databaseValue)
    }
    for (relationship, number) in update.references {
      guard case .column(let column) = relationship.storage else { continue }
      columns.append(column)
      values.append(number.databaseValue)
    }
    try execute(
      """
      UPDATE \(update.entity.sqlTable) SET \(columns.map { "\($0.sqlIdentifier) = ?" }.joined(separator: ", ")) \
      WHERE \(Entity.idColumn) = ?
      """, values + [update.number.databaseValue])
  }

  // MARK: - Lists

  private func pair(_ pairing: StoreChanges.Pairing) throws {
    guard case .join(let join) = pairing.relationship.storage else { return }
    let table = join.table.sqlIdentifier
    // A relationship that is its own inverse has a row for each direction, and each end names its own.
    for other in pairing.removed {
      try execute(
        "DELETE FROM \(table) WHERE \(join.ownColumn) = ? AND \(join.otherColumn) = ?",
        [pairing.owner.databaseValue, other.databaseValue])
    }
    for other in pairing.added {
      try execute(
        "INSERT OR IGNORE INTO \(table) (\(join.ownColumn), \(join.otherColumn)) VALUES (?, ?)",
        [pairing.owner.databaseValue, other.databaseValue])
      guard pairing.relationship.isOwnInverse else { continue }
      try execute(
        "INSERT OR IGNORE INTO \(table) (\(join.ownColumn), \(join.otherColumn)) VALUES (?, ?)",
        [other.databaseValue, pairing.owner.databaseValue])
    }
  }

  private func order(_ ordering: StoreChanges.Ordering) throws {
    let table: String
    let position: String
    let member: String
    let owner: String
    switch ordering.relationship.storage {
    case .inverseColumn(let column, let name?):
      table = ordering.relationship.destination.sqlTable
      position = name.sqlIdentifier
      member = Entity.idColumn
      owner = column.sqlIdentifier
    case .join(let join):
      guard let name = join.position else { return }
      table = join.table.sqlIdentifier
      position = name.sqlIdentifier
      member = join.otherColumn
      owner = join.ownColumn
    default: return
    }
    var first: Int64 = 0
    if ordering.unchanged > 0 {
      // The beginning is as it was, with gaps perhaps: the rest comes behind whatever is there.
      let known = ordering.members.prefix(ordering.unchanged)
      first =
        try Int64.fetchOne(
          db,
          sql: """
            SELECT coalesce(max(\(position)), -1) + 1 FROM \(table) \
            WHERE \(owner) = ? AND \(member) \(SQLiteReader.wanted)
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
