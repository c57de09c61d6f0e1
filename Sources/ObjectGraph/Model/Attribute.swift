/// An attribute of an entity of a model.
public struct Attribute: Hashable, Sendable {
  /// The entity whose attribute it is, perhaps from its parent.
  public let entity: Entity
  /// Its index among ``Entity/attributes``.
  public let index: Int

  /// As it was described.
  public var description: AttributeDescription { entity.record.attributes[index].description }
  /// The key.
  public var name: String { description.name }
  /// What it holds.
  public var type: AttributeType { description.type }
}
