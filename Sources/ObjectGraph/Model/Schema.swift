/// The checked and resolved content of a model. ``Entity``, ``EntityAttribute`` and ``Relationship`` are views into it, so
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
    var property: String?
    func check(_ isRight: Bool, _ reason: String) throws(ObjectGraphError) {
      if !isRight { throw .badModel(entity: entity.name, property: property, reason: reason) }
    }
    var names = Set<String>()
    func begin(_ name: String) throws(ObjectGraphError) {
      property = name
      try check(!name.isEmpty, "its name is empty")
      try check(names.insert(name).inserted, "two properties have this name")
    }
    try check(!entity.name.isEmpty, "its name is empty")
    try check(indexes[entity.name] == index, "two entities have this name")
    if let name = entity.parent {
      let parent = indexes[name].map { descriptions[$0] }
      try check(parent != nil, "there is no entity \(name), its parent")
      try check(parent?.parent == nil && name != entity.name, "its parent \(name) has a parent")
      names.formUnion((parent?.attributes.map(\.name) ?? []) + (parent?.relationships.map(\.name) ?? []))
    }
    for attribute in entity.attributes {
      try begin(attribute.name)
      let values = [
        ("default", attribute.defaultValue), ("minimum", attribute.minimum), ("maximum", attribute.maximum),
      ]
      for (name, value) in values {
        let fits = value.map { attribute.type.converted($0) != nil } ?? true
        try check(fits, "its \(name) is not of type \(attribute.type.rawValue)")
      }
    }
    for relationship in entity.relationships {
      try begin(relationship.name)
      let (destination, name) = (relationship.destination, relationship.inverse)
      let other = indexes[destination].map { descriptions[$0] }
      try check(other != nil, "there is no entity \(destination), its destination")
      let inverse = other?.relationships.first { $0.name == name }
      try check(inverse != nil, "\(destination) has no relationship \"\(name)\", its inverse")
      try check(
        inverse?.destination == entity.name && inverse?.inverse == relationship.name,
        "its inverse, \(name) of \(destination), has the destination \(inverse?.destination ?? "") and the inverse "
          + "\"\(inverse?.inverse ?? "")\", not \(entity.name) and \"\(relationship.name)\"")
    }
    guard let owner = entity.owner else { return }
    let line = [entity.parent.flatMap { indexes[$0] }, index].compactMap(\.self)
    let relationships = line.flatMap { descriptions[$0].relationships }
    property = owner
    try check(relationships.contains { $0.name == owner && !$0.isToMany }, "the owner must be a to-one")
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
