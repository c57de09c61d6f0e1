/// The checked and resolved content of a model. ``Entity``, ``Attribute`` and ``Relationship`` are views into it, so
/// they need no references to one another.
package final class Schema: Sendable {
  let entities: [EntityRecord]
  let indexes: [String: Int]
  let toOnes: [[ToOneRecord]]
  let classes: [ManagedObject.Type]
  /// The index of each entity's root.
  let roots: [Int]
  /// For each entity the index of its to-one to the object that its objects are parts of; nil if they are not parts.
  let owners: [Int?]
  /// For each entity the indexes of the to-manys whose changes count as changes to the object: those with
  /// `raisesVersion`, and those of ordered parts.
  let versionedLists: [[Int]]

  init(entities: [EntityRecord]) {
    self.entities = entities
    toOnes = entities.map { entity in
      entity.relationships.enumerated().compactMap { index, relationship in
        guard !relationship.description.isToMany else { return nil }
        let inverse = entities[relationship.destination].relationships[relationship.inverse]
        return ToOneRecord(
          index: index, inverse: relationship.inverse, isInverseToMany: inverse.description.isToMany,
          isInverseOrdered: inverse.description.isToMany && inverse.description.isOrdered)
      }
    }
    classes = entities.map(\.description.objectClass)
    roots = entities.enumerated().map { index, entity in entity.parent ?? index }
    let owners = entities.map { entity in
      (entity.description.owner ?? entity.parent.flatMap { entities[$0].description.owner }).flatMap { name in
        entity.relationships.firstIndex { $0.description.name == name }
      }
    }
    self.owners = owners
    versionedLists = entities.map { entity in
      entity.relationships.indices.filter { index in
        let (relationship, description) = (entity.relationships[index], entity.relationships[index].description)
        let isOfParts = owners[relationship.destination] == relationship.inverse
        return description.isToMany && (description.raisesVersion || description.isOrdered && isOfParts)
      }
    }
    indexes = Dictionary(
      entities.enumerated().map { ($1.description.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// A class, like the records of properties, so that it is not copied with every access.
final class EntityRecord: Sendable {
  let description: EntityDescription
  let parent: Int?
  /// The entity itself first.
  let family: [Int]
  /// The parent's come first, so an index means the same for the parent and its children.
  let attributes: [AttributeRecord]
  let relationships: [RelationshipRecord]
  let rules: [ValidationRule]
  let properties: [String: PropertyIndex]
  let table: String

  init(
    description: EntityDescription, parent: Int?, family: [Int], attributes: [AttributeRecord],
    relationships: [RelationshipRecord], rules: [ValidationRule], properties: [String: PropertyIndex], table: String
  ) {
    (self.description, self.parent, self.family, self.table) = (description, parent, family, table)
    (self.attributes, self.relationships) = (attributes, relationships)
    (self.rules, self.properties) = (rules, properties)
  }
}

/// The data of a to-one that decoding a row needs.
struct ToOneRecord: Sendable {
  var index: Int
  /// Index of the inverse among the relationships of the destination.
  var inverse: Int
  var isInverseToMany: Bool
  var isInverseOrdered: Bool
}

enum PropertyIndex: Sendable {
  case attribute(Int)
  case relationship(Int)
}

final class AttributeRecord: Sendable {
  let description: AttributeDescription
  let column: String

  init(description: AttributeDescription, column: String) {
    (self.description, self.column) = (description, column)
  }
}

final class RelationshipRecord: Sendable {
  let description: RelationshipDescription
  /// The entity that declares it, which may be the parent.
  let owner: Int
  let destination: Int
  /// Index of the inverse among the relationships of the destination.
  let inverse: Int
  let storage: RelationshipStorage

  init(
    description: RelationshipDescription, owner: Int, destination: Int, inverse: Int, storage: RelationshipStorage
  ) {
    (self.description, self.storage) = (description, storage)
    (self.owner, self.destination, self.inverse) = (owner, destination, inverse)
  }
}

/// Checks the descriptions of a model in their order and resolves the names in them.
struct SchemaBuilder {
  private let descriptions: [EntityDescription]
  private let indexes: [String: Int]

  init(_ descriptions: [EntityDescription]) {
    self.descriptions = descriptions
    indexes = Dictionary(descriptions.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func build() throws(ObjectGraphError) -> Schema {
    for index in descriptions.indices { try check(index) }
    let mapping = TableNames(descriptions)
    let families = descriptions.indices.map { index in
      [index] + descriptions.indices.filter { descriptions[$0].parent == descriptions[index].name }
    }
    return Schema(
      entities: descriptions.indices.map { record($0, family: families[$0], mapping) })
  }

  // MARK: - Checks

  private func check(_ index: Int) throws(ObjectGraphError) {
    let entity = descriptions[index]
    func fail(_ property: String? = nil) -> ObjectGraphError { .badModel(entity: entity.name, property: property) }
    guard !entity.name.isEmpty, indexes[entity.name] == index else { throw fail() }
    var names = Set<String>()
    if let name = entity.parent {
      guard let parent = indexes[name], descriptions[parent].parent == nil, parent != index else { throw fail() }
      names.formUnion(descriptions[parent].attributes.map(\.name) + descriptions[parent].relationships.map(\.name))
    }
    for attribute in entity.attributes {
      let values = [attribute.defaultValue, attribute.minimum, attribute.maximum].compactMap(\.self)
      guard !attribute.name.isEmpty, names.insert(attribute.name).inserted,
        values.allSatisfy({ attribute.type.converted($0) != nil })
      else { throw fail(attribute.name) }
    }
    for relationship in entity.relationships {
      guard !relationship.name.isEmpty, names.insert(relationship.name).inserted,
        let destination = indexes[relationship.destination],
        let inverse = descriptions[destination].relationships.first(where: { $0.name == relationship.inverse }),
        inverse.inverse == relationship.name, inverse.destination == entity.name
      else { throw fail(relationship.name) }
    }
    guard let owner = entity.owner else { return }
    let line = [entity.parent.flatMap { indexes[$0] }, index].compactMap(\.self)
    let relationships = line.flatMap { descriptions[$0].relationships }
    guard relationships.contains(where: { $0.name == owner && !$0.isToMany }) else { throw fail(owner) }
  }

  // MARK: - Resolving

  private func record(_ index: Int, family: [Int], _ mapping: TableNames) -> EntityRecord {
    let entity = descriptions[index]
    let parent = entity.parent.flatMap { indexes[$0] }
    let line = [parent, index].compactMap(\.self)
    let attributes = line.flatMap { owner in
      descriptions[owner].attributes.map { description in
        var description = description
        description.defaultValue = description.type.converted(description.defaultValue) ?? .null
        description.minimum = description.minimum.flatMap(description.type.converted)
        description.maximum = description.maximum.flatMap(description.type.converted)
        return AttributeRecord(description: description, column: mapping.column(owner, description.name))
      }
    }
    let relationships = line.flatMap { owner in
      descriptions[owner].relationships.map { relationshipRecord($0, owner: owner, mapping) }
    }
    var properties: [String: PropertyIndex] = [:]
    for (index, attribute) in attributes.enumerated() { properties[attribute.description.name] = .attribute(index) }
    for (index, relationship) in relationships.enumerated() {
      properties[relationship.description.name] = .relationship(index)
    }
    return EntityRecord(
      description: entity, parent: parent, family: family, attributes: attributes, relationships: relationships,
      rules: line.flatMap { descriptions[$0].rules }, properties: properties, table: mapping.table(index))
  }

  private func relationshipRecord(
    _ description: RelationshipDescription, owner: Int, _ mapping: TableNames
  ) -> RelationshipRecord {
    let destination = indexes[description.destination] ?? owner
    let inherited = descriptions[destination].parent.flatMap { indexes[$0] }.map {
      descriptions[$0].relationships.count
    }
    let own = descriptions[destination].relationships.firstIndex { $0.name == description.inverse } ?? 0
    return RelationshipRecord(
      description: description, owner: owner, destination: destination, inverse: (inherited ?? 0) + own,
      storage: mapping.storage(owner: owner, description, destination: destination))
  }
}
