/// An attribute of an entity of a model.
public struct Attribute: Hashable, Sendable {
  /// The entity that has the attribute, as its own or from its parent.
  public let entity: Entity
  /// Its index in ``Entity/attributes``.
  public let index: Int

  /// The description that the attribute was made from.
  public var description: AttributeDescription { entity.record.attributes[index].description }
  /// The name of the attribute, its key.
  public var name: String { description.name }
  /// The type of its values.
  public var type: AttributeType { description.type }
}
