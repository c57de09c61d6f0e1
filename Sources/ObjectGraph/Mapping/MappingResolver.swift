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
