import GRDB

struct SQLiteReader: StoreReader {
  let db: Database
  let schema: SQLiteSchema

  /// The numbers are passed as one argument, so one compiled statement serves any count.
  static let inArgument = "IN (SELECT value FROM json_each(?))"

  var tables: StoreTables { schema.tables }

  /// Returns a condition that also requires the row `t` to belong to an existing object.
  /// - Parameter relationship: the to-many through which the row was reached, if any; its owner may be deleted.
  private func existing(_ condition: String, of entity: Entity, by relationship: Relationship? = nil) -> String {
    ([condition] + [tables.existence(entity, of: "t", by: relationship)].compactMap(\.self)).and
  }

  func rows(_ numbers: [Int64], of root: Entity) throws -> [StoredRow] {
    let layout = try schema.layout(root)
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(layout.columns) FROM \(tables.source(root, as: "t")) \
        WHERE \(existing("\(tables.id(root, of: "t")) \(Self.inArgument)", of: root))
        """)
    return try decode(statement, numbers, layout)
  }

  func markedRows(_ numbers: [Int64], of root: Entity) throws -> [StoredRow] {
    guard tables.mark(of: root) != nil || tables.ownerRelationship(of: root) != nil else { return [] }
    let isMarked = tables.mark(of: root).map { " AND t.\($0.sqlIdentifier) IS NOT NULL" } ?? ""
    let layout = try schema.layout(root)
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(layout.columns) FROM \(tables.source(root, as: "t")) \
        WHERE \(tables.id(root, of: "t")) \(Self.inArgument)\(isMarked)
        """)
    return try decode(statement, numbers, layout)
  }

  func versions(_ numbers: [Int64], of root: Entity) throws -> [Int64: Int64] {
    try versions(numbers, of: root, where: existing("\(tables.id(root, of: "t")) \(Self.inArgument)", of: root))
  }

  func rowVersions(_ numbers: [Int64], of root: Entity) throws -> [Int64: Int64] {
    try versions(numbers, of: root, where: "\(tables.id(root, of: "t")) \(Self.inArgument)")
  }

  func value(of attribute: EntityAttribute, in number: Int64) throws -> Value {
    let root = attribute.entity.root
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(tables.value(attribute, of: "t")) FROM \(tables.source(root, as: "t")) \
        WHERE \(tables.id(root, of: "t")) = ?
        """)
    return try attribute.type.decode(try DatabaseValue.fetchOne(statement, arguments: [number]) ?? .null)
  }

  private func versions(
    _ numbers: [Int64], of root: Entity, where condition: String
  ) throws -> [Int64: Int64] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(tables.id(root, of: "t")), \(tables.version(root, of: "t")) FROM \(tables.source(root, as: "t")) \
        WHERE \(condition)
        """)
    var versions: [Int64: Int64] = [:]
    versions.reserveCapacity(numbers.count)
    try statement.forEachRow([numbers.jsonArray.databaseValue]) { row in
      if let number = row.integer(0) { versions[number] = row.integer(1) ?? 0 }
    }
    return versions
  }

  func members(_ relationship: Relationship, of owners: [Int64]) throws -> [Int64: [StoredRow]] {
    let destination = relationship.destination.root
    let layout = try schema.layout(destination)
    let id = tables.id(destination, of: "t")
    let sql: String
    switch tables.storage(relationship) {
    case .column: return [:]
    case .inverseColumn(let column, let position):
      let column = "t.\(column.sqlIdentifier)"
      let order = position.map { "t.\($0.sqlIdentifier), " } ?? ""
      sql = """
        SELECT \(column), \(layout.columns) FROM \(tables.source(destination, as: "t")) \
        WHERE \(existing("\(column) \(Self.inArgument)", of: destination, by: relationship)) ORDER BY \(order)\(id)
        """
    case .join(let join):
      let own = "j.\(join.ownColumn.sqlIdentifier)"
      let order = join.position.map { "j.\($0.sqlIdentifier), " } ?? ""
      sql = """
        SELECT \(own), \(layout.columns) FROM \(join.table.sqlIdentifier) j \
        JOIN \(tables.source(destination, as: "t")) ON \(id) = j.\(join.otherColumn.sqlIdentifier) \
        WHERE \(existing("\(own) \(Self.inArgument)", of: destination)) ORDER BY \(order)\(id)
        """
    }
    var members: [Int64: [StoredRow]] = [:]
    try db.cachedStatement(sql: sql).forEachRow([owners.jsonArray.databaseValue]) { row in
      guard let owner = row.integer(0) else { return }
      members[owner, default: []].append(try layout.decode(row, at: 1))
    }
    return members
  }

  func numbers(of entities: [Entity]) throws -> [(number: Int64, entity: Entity)] {
    guard let root = entities.first?.root else { return [] }
    let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let id = tables.id(root, of: "t")
    let filter = tables.existence(root, of: "t").map { "WHERE \($0) " } ?? ""
    let rows = try Row.fetchCursor(
      try db.cachedStatement(
        sql: """
          SELECT \(id), \(tables.type(root, of: "t")) FROM \(tables.source(root, as: "t")) \(filter)ORDER BY \(id)
          """))
    var numbers: [(number: Int64, entity: Entity)] = []
    while let row = try rows.next() {
      if let entity = byName[row[1]] { numbers.append((row[0], entity)) }
    }
    return numbers
  }

  func result(_ run: RequestRun, onRow: ((ObjectRow) -> Void)?) throws -> FetchResult {
    guard let onRow else { return try run.result(db, tables) }
    let layout = try schema.layout(run.request.entity.root)
    return try run.result(
      db, tables,
      reading: ObjectColumns(sql: layout.columns) { cells in
        let row = ObjectRow(try layout.row(cells), store: run.store)
        onRow(row)
        return row.id
      })
  }

  private func decode(_ statement: Statement, _ numbers: [Int64], _ layout: RowLayout) throws -> [StoredRow] {
    var decoded: [StoredRow] = []
    try statement.forEachRow([numbers.jsonArray.databaseValue]) { decoded.append(try layout.decode($0)) }
    return decoded
  }
}

extension [Int64] {
  /// The numbers as one argument for `json_each`.
  var jsonArray: String { "[\(map(String.init).joined(separator: ","))]" }
}
