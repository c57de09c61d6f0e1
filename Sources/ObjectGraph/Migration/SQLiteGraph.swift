import GRDB

/// Reads the whole content of a SQLite store into a memory graph, and writes it back.
enum SQLiteGraph {
  static func read(_ db: Database, _ model: ObjectModel) throws -> MemoryGraph {
    var graph = MemoryGraph()
    for root in model.entities where root.parent == nil {
      let layout = RowLayout(root)
      var table = MemoryGraph.Table()
      try db.makeStatement(sql: "SELECT \(layout.columns) FROM \(root.sqlTable) t").forEachRow { row in
        let stored = try layout.decode(row)
        table.rows[stored.number] = MemoryGraph.Row(
          entity: stored.entity.name, version: stored.version, values: stored.values,
          references: stored.references.map { $0?.number })
      }
      table.sequence =
        try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [root.table]) ?? 0
      graph.tables[root.name] = table
    }
    for relationship in ownToManys(model.entities) {
      graph.lists[MemoryGraph.ListName(relationship)] = try members(db, relationship)
    }
    return graph
  }

  static func write(_ graph: MemoryGraph, _ db: Database, _ model: ObjectModel, _ entities: [Entity]) throws {
    let writer = SQLiteWriter(db: db, schema: SQLiteSchema(model: model, entities: entities))
    var changes = StoreChanges()
    for root in entities where root.parent == nil {
      let table = graph.tables[root.name] ?? MemoryGraph.Table()
      for (number, row) in table.rows.sorted(by: { $0.key < $1.key }) {
        guard let entity = root.family.first(where: { $0.name == row.entity }) else { continue }
        changes.insertions.append(
          StoreChanges.Insertion(
            entity: entity, number: number, version: row.version, values: row.values, references: row.references))
      }
    }
    for relationship in ownToManys(entities) {
      for (owner, members) in graph.lists[MemoryGraph.ListName(relationship)] ?? [:] {
        if relationship.isManyToMany {
          changes.pairings.append(
            StoreChanges.Pairing(relationship: relationship, owner: owner, added: members, removed: []))
        }
        if relationship.isOrdered {
          changes.orderings.append(
            StoreChanges.Ordering(relationship: relationship, owner: owner, members: members, unchanged: 0))
        }
      }
    }
    try writer.apply(changes)
    for root in entities where root.parent == nil {
      try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [root.table])
      try db.execute(
        sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
        arguments: [root.table, graph.tables[root.name]?.sequence ?? 0])
    }
  }

  /// Returns the to-manys of each entity, without its parent's.
  private static func ownToManys(_ entities: [Entity]) -> [Relationship] {
    entities.flatMap { $0.relationships.dropFirst($0.parent?.relationships.count ?? 0) }.filter(\.isToMany)
  }

  private static func members(_ db: Database, _ relationship: Relationship) throws -> [Int64: [Int64]] {
    let sql: String
    switch relationship.storage {
    case .column: return [:]
    case .inverseColumn(let column, let position):
      let owner = column.sqlIdentifier
      let order = position.map { "\($0.sqlIdentifier), " } ?? ""
      sql = """
        SELECT \(owner), \(Entity.idColumn) FROM \(relationship.destination.sqlTable) \
        WHERE \(owner) IS NOT NULL ORDER BY \(order)\(Entity.idColumn)
        """
    case .join(let join):
      let order = join.position.map { "\($0.sqlIdentifier), " } ?? ""
      sql = """
        SELECT \(join.ownColumn), \(join.otherColumn) FROM \(join.table.sqlIdentifier) \
        ORDER BY \(order)\(join.otherColumn)
        """
    }
    var members: [Int64: [Int64]] = [:]
    let rows = try Row.fetchCursor(db, sql: sql)
    while let row = try rows.next() { members[row[0], default: []].append(row[1]) }
    return members
  }
}
