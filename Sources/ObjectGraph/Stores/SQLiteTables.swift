import GRDB

enum SQLiteTables {
  /// Returns the statements that create the tables of these entities.
  static func statements(for entities: [Entity]) -> [String] {
    let roots = entities.filter { $0.parent == nil }
    return roots.flatMap(table) + joins(entities)
  }

  private static func table(_ root: Entity) -> [String] {
    var columns = [
      "\(Entity.idColumn) INTEGER PRIMARY KEY AUTOINCREMENT", "\(Entity.typeColumn) TEXT NOT NULL",
      "\(Entity.versionColumn) INTEGER NOT NULL",
    ]
    var indexes: [String] = []
    for entity in root.family {
      let inherited = entity.parent?.attributes.count ?? 0
      for attribute in entity.attributes.dropFirst(inherited) where !attribute.description.isTransient {
        columns.append("\(attribute.column.sqlIdentifier) \(attribute.type.sqlType)")
      }
      for relationship in entity.relationships.dropFirst(entity.parent?.relationships.count ?? 0) {
        guard case .column(let column) = relationship.storage else { continue }
        columns.append("\(column.sqlIdentifier) INTEGER")
        if case .inverseColumn(_, let position?) = relationship.inverse.storage {
          columns.append("\(position.sqlIdentifier) INTEGER")
        }
        indexes.append(
          """
          CREATE INDEX \("\(root.table).\(column).index".sqlIdentifier) \
          ON \(root.sqlTable) (\(column.sqlIdentifier))
          """)
      }
    }
    return ["CREATE TABLE \(root.sqlTable) (\(columns.joined(separator: ", "))) STRICT"] + indexes
  }

  private static func joins(_ entities: [Entity]) -> [String] {
    var tables: Set<String> = []
    return entities.flatMap(\.relationships).flatMap { relationship -> [String] in
      guard case .join(let join) = relationship.storage, tables.insert(join.table).inserted,
        case .join(let inverse) = relationship.inverse.storage
      else { return [] }
      var columns = ["source INTEGER NOT NULL", "target INTEGER NOT NULL"]
      let positions = [join.position, inverse.position].compactMap(\.self)
      for position in Set(positions).sorted() { columns.append("\(position) INTEGER") }
      columns.append("PRIMARY KEY (source, target)")
      let table = join.table.sqlIdentifier
      return [
        "CREATE TABLE \(table) (\(columns.joined(separator: ", "))) STRICT, WITHOUT ROWID",
        "CREATE INDEX \("\(join.table).index".sqlIdentifier) ON \(table) (target, source)",
      ]
    }
  }
}
