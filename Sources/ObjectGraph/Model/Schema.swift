/// The checked and resolved content of a model. ``Entity``, ``Attribute`` and ``Relationship`` are views into it, so
/// they need no references to one another.
final class Schema: Sendable {
  let entities: [EntityRecord]
  let indexes: [String: Int]
  let toOnes: [[ToOneRecord]]
  let classes: [ManagedObject.Type]
  /// The index of each entity's root.
  let roots: [Int]

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
    indexes = Dictionary(
      entities.enumerated().map { ($1.description.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

struct EntityRecord: Sendable {
  var description: EntityDescription
  var parent: Int?
  /// The entity itself first.
  var family: [Int]
  /// The parent's come first, so an index means the same for the parent and its children.
  var attributes: [AttributeRecord]
  var relationships: [RelationshipRecord]
  var rules: [ValidationRule]
  var properties: [String: PropertyIndex]
  var table: String
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

struct AttributeRecord: Sendable {
  var description: AttributeDescription
  var column: String
}

struct RelationshipRecord: Sendable {
  var description: RelationshipDescription
  /// The entity that declares it, which may be the parent.
  var owner: Int
  var destination: Int
  /// Index of the inverse among the relationships of the destination.
  var inverse: Int
  var storage: RelationshipStorage
}
