import GRDB

/// Resolves the table and column of everything in a model, using a mapping.
struct MappingResolver {
  private let mapping: StoreMapping

  /// Returns the tables of these entities.
  /// - Throws: `InvalidMapping`.
  static func tables(_ mapping: StoreMapping, entities: [Entity]) throws(InvalidMapping) -> StoreTables {
    let resolver = MappingResolver(mapping: mapping)
    var mapped: [Int: StoreTables.MappedEntity] = [:]
    for entity in entities { mapped[entity.index] = try resolver.mapped(entity) }
    let tables = StoreTables(mapped: mapped)
    for entity in entities { try check(entity, tables) }
    return tables
  }

  private func mapped(_ entity: Entity) throws(InvalidMapping) -> StoreTables.MappedEntity {
    let root = entity.root
    guard let family = mapping.entities[root.name] else { throw .unmappedEntity(root.name) }
    let concrete = root.concreteFamily(includingChildren: true)
    if family.type == nil, concrete.count > 1 { throw .missingType(entity: root.name) }
    let table = StoreTables.Table(
      name: family.table, id: family.id, type: family.type, entity: (concrete.first ?? root).name,
      version: family.version, deletion: family.deletion)
    let own = entity.parent == nil ? nil : family.children[entity.name]
    let inherited = (entity.parent?.attributes.count ?? 0, entity.parent?.relationships.count ?? 0)
    let attributes = entity.attributes.map { attribute in
      let properties = attribute.index < inherited.0 || own == nil ? family.properties : own
      return properties?.attributes[attribute.name] ?? MappedColumn(attribute.name)
    }
    let relationships = entity.relationships.map { relationship in
      let properties = relationship.index < inherited.1 || own == nil ? family.properties : own
      return properties?.relationships[relationship.name] ?? Self.defaultStorage(relationship)
    }
    return StoreTables.MappedEntity(table: table, attributes: attributes, relationships: relationships)
  }

  /// Returns the storage of a relationship that is not mapped: a column named after its to-one end. A many-to-many and
  /// an ordered to-many have no default, and ``fits(_:_:)`` refuses them.
  private static func defaultStorage(_ relationship: Relationship) -> RelationshipStorage {
    relationship.isToMany
      ? .inverseColumn(relationship.inverse.name, position: nil) : .column(relationship.name)
  }

  // MARK: - Checks

  private static func check(_ entity: Entity, _ tables: StoreTables) throws(InvalidMapping) {
    for attribute in entity.attributes where !tables.column(attribute).form.fits(attribute.type) {
      throw .badProperty(attribute.name, entity: entity.name)
    }
    for relationship in entity.relationships where !fits(relationship, tables) {
      throw .badProperty(relationship.name, entity: entity.name)
    }
    guard case .withOwner(let name) = tables.table(entity).deletion else { return }
    let owner = entity.root.relationship(named: name)
    guard let owner, !owner.isToMany, owner.destination.root != entity.root else {
      throw .badProperty(name, entity: entity.name)
    }
  }

  /// Returns whether the storage of a relationship is possible and agrees with that of its inverse.
  private static func fits(_ relationship: Relationship, _ tables: StoreTables) -> Bool {
    let inverse = tables.storage(relationship.inverse)
    switch tables.storage(relationship) {
    case .column: return !relationship.isToMany
    case .inverseColumn(let column, let position):
      return relationship.isToMany && inverse == .column(column) && (position != nil) == relationship.isOrdered
    case .join(let join):
      guard relationship.isManyToMany, case .join(let other) = inverse, join.table == other.table,
        (join.position != nil) == relationship.isOrdered, join.ownColumn != join.otherColumn
      else { return false }
      return relationship.isOwnInverse
        || (join.ownColumn == other.otherColumn && join.otherColumn == other.ownColumn)
    }
  }
}

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
