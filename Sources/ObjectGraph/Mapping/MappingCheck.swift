import GRDB

/// Checks that a database has the tables and columns of a mapping.
struct MappingCheck {
  private let tables: StoreTables
  private var columns: [String: Set<String>] = [:]
  private let db: Database

  /// - Throws: `InvalidMapping` for the first table or column that is missing.
  static func run(_ tables: StoreTables, entities: [Entity], _ db: Database) throws {
    var check = MappingCheck(tables: tables, db: db)
    for entity in entities { try check.check(entity) }
  }

  private init(tables: StoreTables, db: Database) {
    self.tables = tables
    self.db = db
  }

  private mutating func check(_ entity: Entity) throws {
    let table = tables.table(entity)
    var required = [table.id, table.type, table.version].compactMap(\.self)
    if case .marked(let column, let also, isSparse: _, value: _) = table.deletion { required += [column] + also }
    for attribute in entity.attributes where !attribute.description.isTransient {
      required.append(tables.column(attribute).column)
    }
    for relationship in entity.relationships {
      switch tables.storage(relationship) {
      case .column(let column): required.append(column)
      case .inverseColumn(_, let position):
        if let position { try check([position], in: tables.table(relationship.destination).name) }
      case .join(let join):
        try check([join.ownColumn, join.otherColumn] + [join.position].compactMap(\.self), in: join.table)
      }
    }
    try check(required, in: table.name)
  }

  /// Ignores case, because SQLite does not distinguish `Name` from `name`.
  private mutating func check(_ required: [String], in table: String) throws {
    let present = try columns[table] ?? columns(of: table)
    columns[table] = present
    guard !present.isEmpty else { throw InvalidMapping.missingTable(table) }
    if let column = required.first(where: { !present.contains($0.lowercased()) }) {
      throw InvalidMapping.missingColumn(column, table: table)
    }
  }

  private func columns(of table: String) throws -> Set<String> {
    let names = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
    return Set(names.map { $0.lowercased() })
  }
}

/// Why a mapping does not fit its model or its database.
public enum InvalidMapping: Error, Hashable, Sendable {
  /// The family of this entity has no table.
  case unmappedEntity(String)
  /// The family has several entities and no column that tells them apart.
  case missingType(entity: String)
  /// This property cannot be mapped this way, or the mappings of the two ends of a relationship do not agree.
  case badProperty(String, entity: String)
  /// The database has no such table.
  case missingTable(String)
  /// The table has no such column.
  case missingColumn(String, table: String)
}
