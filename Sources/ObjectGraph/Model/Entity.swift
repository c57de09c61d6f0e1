/// An entity of a model, with everything that it inherits from its parent.
public struct Entity: Sendable {
  let schema: Schema
  let index: Int

  var record: EntityRecord { schema.entities[index] }

  /// The description that the entity was made from.
  public var description: EntityDescription { record.description }
  /// The name of the entity.
  public var name: String { record.description.name }
  /// Whether it has no objects of its own.
  public var isAbstract: Bool { record.description.isAbstract }
  var toOnes: [ToOneRecord] { schema.toOnes[index] }
  /// The entity whose properties this one inherits.
  public var parent: Entity? { record.parent.map { Entity(schema: schema, index: $0) } }
  /// The parent, or the entity itself if it has none. A root and its children share a table and a sequence of numbers.
  public var root: Entity { parent ?? self }
  /// The entity itself, followed by its children.
  public var family: [Entity] { record.family.map { Entity(schema: schema, index: $0) } }
  /// All attributes, the parent's first.
  public var attributes: [EntityAttribute] {
    record.attributes.indices.map { EntityAttribute(entity: self, index: $0) }
  }
  /// All relationships, the parent's first.
  public var relationships: [Relationship] {
    record.relationships.indices.map { Relationship(entity: self, index: $0) }
  }
  /// The to-one to the object that the entity's objects are parts of; nil if they are not parts.
  public var owner: Relationship? { schema.owners[index].map { Relationship(entity: self, index: $0) } }
  /// The to-manys whose objects are parts of the entity's objects.
  var partLists: [Relationship] { relationships.filter(\.isPartList) }
  var versionedLists: [Relationship] { schema.versionedLists[index].map { Relationship(entity: self, index: $0) } }
  /// All rules, the parent's first.
  public var rules: [ValidationRule] { record.rules }

  /// Returns the attribute or relationship with this name; nil when there is none.
  public func property(named name: String) -> Property? {
    switch record.properties[name] {
    case .attribute(let index): .attribute(EntityAttribute(entity: self, index: index))
    case .relationship(let index): .relationship(Relationship(entity: self, index: index))
    case nil: nil
    }
  }

  /// Returns the attribute with this name; nil when there is none.
  public func attribute(named name: String) -> EntityAttribute? {
    if case .attribute(let attribute) = property(named: name) { attribute } else { nil }
  }

  /// Returns the relationship with this name; nil when there is none.
  public func relationship(named name: String) -> Relationship? {
    if case .relationship(let relationship) = property(named: name) { relationship } else { nil }
  }

  /// Returns whether the other is this entity or its parent: objects of this entity can then be used where the other's
  /// are expected.
  public func isKind(of other: Entity) -> Bool {
    self == other || record.parent == other.index
  }
}

extension Entity: Hashable {
  /// Returns whether they are the same entity of the same model.
  public static func == (left: Entity, right: Entity) -> Bool {
    left.index == right.index && left.schema === right.schema
  }

  /// Hashes the index of the entity.
  public func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

/// An attribute or a relationship.
public enum Property: Hashable, Sendable {
  /// An attribute.
  case attribute(EntityAttribute)
  /// A relationship.
  case relationship(Relationship)
}

/// An attribute of an entity of a model.
public struct EntityAttribute: Hashable, Sendable {
  /// The entity that has the attribute, as its own or from its parent.
  public let entity: Entity
  /// Its index in ``Entity/attributes``.
  public let index: Int

  var record: AttributeRecord { entity.record.attributes[index] }

  /// The description that the attribute was made from.
  public var description: AttributeDescription { record.description }
  /// The name of the attribute, its key.
  public var name: String { description.name }
  /// The type of its values.
  public var type: AttributeType { description.type }
}

/// A relationship of an entity of a model.
public struct Relationship: Hashable, Sendable {
  /// The entity that has the relationship, as its own or from its parent.
  public let entity: Entity
  /// Its index in ``Entity/relationships``.
  public let index: Int

  var record: RelationshipRecord { entity.record.relationships[index] }

  /// The description that the relationship was made from.
  public var description: RelationshipDescription { record.description }
  /// The name of the relationship, its key.
  public var name: String { record.description.name }
  /// Whether there may be more than one object at the other end.
  public var isToMany: Bool { record.description.isToMany }
  /// Whether the objects of a to-many have an order.
  public var isOrdered: Bool { record.description.isToMany && record.description.isOrdered }
  /// What happens to the other end when an object is deleted.
  public var deleteRule: DeleteRule { record.description.deleteRule }
  /// The entity at the other end.
  public var destination: Entity { Entity(schema: entity.schema, index: record.destination) }
  /// The relationship in the other direction. It may be this one.
  public var inverse: Relationship { Relationship(entity: destination, index: record.inverse) }
  /// True when it is its own inverse, such as `spouse` or `friends`. ``inverse`` may then belong to the parent entity,
  /// and not equal this one.
  public var isOwnInverse: Bool {
    record.owner == record.destination && record.description.inverse == record.description.name
  }
  /// True for a to-many whose objects are parts.
  var isPartList: Bool { isToMany && entity.schema.owners[record.destination] == record.inverse }
  /// True when both ends are to-many.
  public var isManyToMany: Bool { isToMany && inverse.isToMany }
}
