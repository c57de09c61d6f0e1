import GRDB

/// Converts the content of a store from one model to another.
struct GraphTransformation {
  /// Computes a value from the old values of an object, by name.
  typealias Conversion = ([String: Value]) throws -> Value

  /// The program's own conversions, by names of the new model.
  struct Closures {
    var conversions: [String: [String: Conversion]] = [:]
    var filters: [String: ([String: Value]) throws -> Bool] = [:]
    /// Names of the form `Entity.relationship`.
    var reductions: Set<String> = []
  }

  let old: ObjectModel
  let new: ObjectModel
  /// The entities of the new model that the store keeps.
  let entities: [Entity]
  let closures: Closures

  func transform(_ graph: MemoryGraph) throws -> MemoryGraph {
    var result = MemoryGraph()
    for entity in entities {
      try checkTypes(entity)
      try insertRows(of: entity, graph, &result)
    }
    for entity in entities {
      for relationship in entity.relationships.dropFirst(entity.parent?.relationships.count ?? 0) {
        try relate(relationship, graph, &result)
      }
    }
    return result
  }

  // MARK: - Matching

  private func counterpart(_ entity: Entity) -> Entity? {
    old.entity(named: entity.description.renamingID ?? entity.name)
  }

  private func counterpart(_ attribute: EntityAttribute) -> EntityAttribute? {
    counterpart(attribute.entity)?.attribute(named: attribute.description.renamingID ?? attribute.name)
  }

  /// Returns the old relationship. It is enough if one end has a counterpart.
  private func counterpart(_ relationship: Relationship) -> Relationship? {
    ownCounterpart(relationship) ?? ownCounterpart(relationship.inverse)?.inverse
  }

  private func ownCounterpart(_ relationship: Relationship) -> Relationship? {
    counterpart(relationship.entity)?.relationship(
      named: relationship.description.renamingID ?? relationship.name)
  }

  // MARK: - Closures

  private func conversion(_ attribute: EntityAttribute) -> Conversion? {
    names(attribute.entity, with: attribute.name).compactMap { closures.conversions[$0]?[attribute.name] }.first
  }

  private func isReduced(_ relationship: Relationship) -> Bool {
    names(relationship.entity, with: relationship.name).contains {
      closures.reductions.contains("\($0).\(relationship.name)")
    }
  }

  /// Returns the name of an entity and, if the property is inherited, that of its parent.
  private func names(_ entity: Entity, with property: String) -> [String] {
    [entity, entity.parent].compactMap(\.self).filter { $0.property(named: property) != nil }.map(\.name)
  }

  // MARK: - Rows

  private func checkTypes(_ entity: Entity) throws {
    // An abstract entity has no rows.
    if entity.isAbstract { return }
    for attribute in entity.attributes where conversion(attribute) == nil {
      if let before = counterpart(attribute), before.type != attribute.type {
        throw ObjectGraphError.migrationImpossible(entity: entity.name, property: attribute.name)
      }
    }
    for relationship in entity.relationships where !relationship.isToMany {
      if let before = counterpart(relationship), before.isToMany, !isReduced(relationship) {
        throw ObjectGraphError.migrationImpossible(entity: entity.name, property: relationship.name)
      }
    }
  }

  private func insertRows(of entity: Entity, _ graph: MemoryGraph, _ result: inout MemoryGraph) throws {
    let root = entity.root.name
    if result.tables[root] == nil { result.tables[root] = MemoryGraph.Table() }
    guard !entity.isAbstract, let before = counterpart(entity), let table = graph.tables[before.root.name] else {
      return
    }
    if result.tables[root, default: MemoryGraph.Table()].sequence < table.sequence {
      result.tables[root]?.sequence = table.sequence
    }
    let conversions = entity.attributes.map(conversion)
    // In order of number, so that a failing migration always throws the same error.
    for (number, row) in table.rows.sorted(by: { $0.key < $1.key }) where row.entity == before.name {
      let names = before.attributes.map { ($0.name, row.values[$0.index]) }
      let values = Dictionary(names, uniquingKeysWith: { first, _ in first })
      if let filter = closures.filters[entity.name], try !filter(values) { continue }
      // Two families that were merged may both have used this number.
      guard result.tables[root]?.rows[number] == nil else {
        throw ObjectGraphError.migrationImpossible(entity: entity.name, property: nil)
      }
      result.tables[root]?.rows[number] = MemoryGraph.Row(
        entity: entity.name, version: row.version,
        values: try entity.attributes.map { try value(of: $0, conversions[$0.index], row, values, entity) },
        references: entity.relationships.map { _ in nil })
    }
  }

  private func value(
    of attribute: EntityAttribute, _ conversion: Conversion?, _ row: MemoryGraph.Row, _ values: [String: Value],
    _ entity: Entity
  ) throws -> Value {
    var value = Value.null
    if let conversion {
      guard let converted = attribute.type.converted(try conversion(values)) else {
        throw ObjectGraphError.typeMismatch(entity: entity.name, property: attribute.name)
      }
      value = converted
    } else if let before = counterpart(attribute) {
      value = row.values[before.index]
      if value.isNull, !attribute.description.isOptional { value = attribute.description.defaultValue }
    } else {
      value = attribute.description.defaultValue
    }
    if value.isNull, !attribute.description.isOptional {
      throw ObjectGraphError.migrationImpossible(entity: entity.name, property: attribute.name)
    }
    return value
  }

  // MARK: - Relationships

  private func relate(_ relationship: Relationship, _ graph: MemoryGraph, _ result: inout MemoryGraph) throws {
    guard let before = counterpart(relationship) else { return }
    let owners = result.tables[relationship.entity.root.name]?.rows ?? [:]
    let targets = result.tables[relationship.destination.root.name]?.rows ?? [:]
    let kinds = Set(relationship.destination.family.map(\.name))
    let family = Set(relationship.entity.family.map(\.name))
    for (number, row) in owners where family.contains(row.entity) {
      let members = members(before, number, graph).filter { member in
        guard let target = targets[member], kinds.contains(target.entity) else { return false }
        // The old member must come from the same entity: another entity may have other objects with these numbers.
        let origin = graph.tables[before.destination.root.name]?.rows[member]?.entity
        return new.entity(named: target.entity).flatMap(counterpart)?.name == origin
      }
      guard !members.isEmpty else { continue }
      if relationship.isToMany {
        result.lists[MemoryGraph.ListName(relationship), default: [:]][number] = members
      } else {
        result.tables[relationship.entity.root.name]?.rows[number]?.references[relationship.index] = members[0]
      }
    }
  }

  /// Returns the numbers that a relationship pointed to in the old model, in its order if it was ordered, otherwise
  /// ascending.
  private func members(_ relationship: Relationship, _ number: Int64, _ graph: MemoryGraph) -> [Int64] {
    if relationship.isToMany {
      let members = graph.lists[MemoryGraph.ListName(relationship)]?[number] ?? []
      return relationship.isOrdered ? members : members.sorted()
    }
    guard let row = graph.tables[relationship.entity.root.name]?.rows[number],
      let entity = old.entity(named: row.entity), entity.isKind(of: relationship.entity)
    else { return [] }
    return row.references[relationship.index].map { [$0] } ?? []
  }
}

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
