/// Reads objects with the values they have in a context.
struct ContextReader: GraphReader {
  private let context: ObjectContext

  init(_ context: ObjectContext) {
    self.context = context
  }

  func value(of attribute: Attribute, in object: ObjectID) throws -> Value {
    guard let object = try live(object) else { return .null }
    try context.readValue(of: attribute, in: object)
    return object.state.values[attribute.index]
  }

  func object(of relationship: Relationship, in object: ObjectID) throws -> ObjectID? {
    guard let other = try live(object)?.state.ones[relationship.index] else { return nil }
    return try live(other.objectID)?.objectID
  }

  func objects(of relationship: Relationship, in object: ObjectID) throws -> [ObjectID] {
    guard let owner = try live(object) else { return [] }
    try context.loadList(owner, relationship)
    return owner.state.lists[relationship.index].items.filter(\.state.isLive).map(\.objectID)
  }

  /// Returns only objects that the context holds, because rules never ask for all objects of an entity.
  func objects(of entities: [Entity]) throws -> [ObjectID] {
    context.registeredObjects.filter { $0.state.isLive && entities.contains($0.entity) }
      .sorted { ($0.objectID.number ?? .max, $0.insertionOrder) < ($1.objectID.number ?? .max, $1.insertionOrder) }
      .map(\.objectID)
  }

  private func live(_ id: ObjectID) throws -> ManagedObject? {
    guard let object = try context.registered(id) ?? context.object(id) else { return nil }
    try context.fire(object)
    return object.state.isLive ? object : nil
  }
}
