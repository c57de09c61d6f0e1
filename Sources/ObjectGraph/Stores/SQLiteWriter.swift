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
    for (sql, arguments) in LinkReleases(changes, tables).statements() {
      try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
    }
    let rows = RowStatements(db, tables)
    for deletion in changes.deletions { try rows.delete(deletion.entity, [deletion.number]) }
    for update in changes.updates { try rows.update(update) }
    var positions: [RowID: [Int: Int64]] = [:]
    try place(changes, &positions)
    for row in changes.insertions {
      let placed = positions.isEmpty ? [:] : positions[RowID(row.entity, row.number)] ?? [:]
      try rows.insert(
        rows.insertion(of: row.entity, positions: placed.isEmpty ? [] : placed.keys.sorted()), row.number,
        version: row.version, row.values, reference: { row.references[$0] }, position: { placed[$0] })
    }
    for pairing in changes.pairings {
      try rows.remove(pairing.removed, from: pairing.relationship, of: pairing.owner)
      try rows.add(pairing.added, to: pairing.relationship, of: pairing.owner)
    }
    for ordering in changes.orderings {
      guard case .join(let join) = tables.storage(ordering.relationship), let position = join.position else { continue }
      try order(ordering, in: join.table, position, of: join.otherColumn, by: join.ownColumn) { _, _ in false }
    }
  }

  // MARK: - Lists

  private struct RowID: Hashable {
    let family: Int
    let number: Int64

    init(_ entity: Entity, _ number: Int64) { (family, self.number) = (entity.root.index, number) }
  }

  /// Orders the members of one-to-manys: gives those that are there their positions, and returns those of new ones, which
  /// are inserted with them, by the index of the to-one.
  private func place(_ changes: StoreChanges, _ positions: inout [RowID: [Int: Int64]]) throws {
    guard !changes.orderings.isEmpty else { return }
    let new = Dictionary(changes.insertions.map { (RowID($0.entity, $0.number), $0) }, uniquingKeysWith: { $1 })
    for ordering in changes.orderings {
      guard case .inverseColumn(let column, let position?) = tables.storage(ordering.relationship) else { continue }
      let (toOne, table) = (ordering.relationship.inverse, tables.table(ordering.relationship.destination))
      try order(ordering, in: table.name, position, of: table.id, by: column) { member, position in
        let id = RowID(toOne.entity, member)
        guard new[id]?.references[toOne.index] == ordering.owner else { return false }
        positions[id, default: [:]][toOne.index] = position
        return true
      }
    }
  }

  /// - Parameter place: takes the position of a member that is not in the table yet; returns false for other members.
  private func order(
    _ ordering: StoreChanges.Ordering, in table: String, _ position: String, of member: String, by owner: String,
    place: (Int64, Int64) -> Bool
  ) throws {
    let (table, position) = (table.sqlIdentifier, position.sqlIdentifier)
    let (member, owner) = (member.sqlIdentifier, owner.sqlIdentifier)
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
            """, arguments: [ordering.owner, Array(known).jsonArray]) ?? 0
    }
    let statement = try RowStatement(
      db, "UPDATE \(table) SET \(position) = ?1 WHERE \(member) = ?2 AND \(owner) = ?3 AND \(position) IS NOT ?1")
    for (offset, number) in ordering.members.dropFirst(ordering.unchanged).enumerated() {
      let value = first + Int64(offset)
      if !place(number, value) { try statement.execute(value, number, ordering.owner) }
    }
  }
}

/// Updates that run before the rest of a save into mapped tables. With each statement, SQLite checks UNIQUE and follows
/// ON DELETE CASCADE, so links that would briefly violate UNIQUE, or that may point to rows that the save deletes, are
/// changed first.
struct LinkReleases {
  private let changes: StoreChanges
  private let tables: StoreTables

  init(_ changes: StoreChanges, _ tables: StoreTables) {
    self.changes = changes
    self.tables = tables
  }

  /// Returns the updates; none for the library's own tables, which have no such constraints.
  func statements() -> [(sql: String, arguments: [DatabaseValue])] {
    guard tables.isMapped else { return [] }
    let removed = Set(changes.deletions.filter { tables.mark(of: $0.entity) == nil }.map(\.entity.root.index))
    let writers = writers()
    return changes.updates.flatMap { update in
      update.references.compactMap { relationship, number -> (sql: String, arguments: [DatabaseValue])? in
        guard let column = tables.writtenColumn(relationship) else { return nil }
        let isContested = !relationship.inverse.isToMany && writers[Column(relationship, column), default: 0] > 1
        guard isContested || removed.contains(relationship.destination.root.index) else { return nil }
        let table = tables.table(update.entity)
        return (
          """
          UPDATE \(table.name.sqlIdentifier) SET \(column.sqlIdentifier) = ? WHERE \(table.id.sqlIdentifier) = ?
          """, [release(update, relationship, number).databaseValue, update.number.databaseValue]
        )
      }
    }
  }

  /// Returns the value of the column until the final one is written: the final value itself if it is NULL or the
  /// inverse is to-many, otherwise NULL, or a negative number that no object has if the link is required.
  private func release(_ update: StoreChanges.Update, _ relationship: Relationship, _ number: Int64?) -> Int64? {
    if relationship.inverse.isToMany || number == nil { return number }
    return relationship.description.isOptional ? nil : -update.number
  }

  /// Returns, for each column, how many rows of the save set or clear a link in it.
  private func writers() -> [Column: Int] {
    var writers: [Column: Int] = [:]
    func note(_ relationship: Relationship) {
      if let column = tables.writtenColumn(relationship) { writers[Column(relationship, column), default: 0] += 1 }
    }
    for update in changes.updates { for (relationship, _) in update.references { note(relationship) } }
    for insertion in changes.insertions {
      for relationship in insertion.entity.relationships where insertion.references[relationship.index] != nil {
        note(relationship)
      }
    }
    return writers
  }

  private struct Column: Hashable {
    let family: Int
    let name: String

    init(_ relationship: Relationship, _ name: String) {
      family = relationship.entity.root.index
      self.name = name
    }
  }
}
