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
  /// True when both ends are to-many.
  public var isManyToMany: Bool { isToMany && inverse.isToMany }
}
