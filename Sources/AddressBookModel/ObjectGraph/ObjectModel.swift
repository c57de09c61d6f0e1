/// The entities of a store and how they refer to each other. The counterpart of Core Data's `NSManagedObjectModel`.
public final class ObjectModel: Sendable {
  /// All entities; an entity that others refer to by a column comes before them.
  public let entities: [EntityDescription]
  private let byName: [String: EntityDescription]
  private let orderPlaces: [String: Set<Int>]
  /// Entities in the order in which rows are inserted; rows are removed in the opposite one.
  let insertionOrder: [EntityDescription]

  /// A model of these entities. A relationship that leads nowhere, or an inverse that does not lead back, is an error
  /// of the program and ends it.
  public init(_ entities: [EntityDescription]) {
    self.entities = entities
    let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.byName = byName
    precondition(byName.count == entities.count, "two entities have one name")
    for entity in entities {
      for relationship in entity.relationships {
        guard let destination = byName[relationship.destination] else {
          preconditionFailure("\(entity.name).\(relationship.name) leads to no entity")
        }
        guard let name = relationship.inverse else { continue }
        let inverse = destination.relationships.first { $0.name == name }
        precondition(
          inverse?.destination == entity.name && inverse?.inverse == relationship.name,
          "\(entity.name).\(relationship.name) and \(relationship.destination).\(name) are not each other's inverse")
      }
    }
    insertionOrder = Self.sorted(entities, byName)
    var orderPlaces: [String: Set<Int>] = [:]
    for relationship in entities.flatMap(\.relationships) {
      guard case .children(_, let order?) = relationship.storage else { continue }
      let place = byName[relationship.destination]?.place(ofAttribute: order)
      orderPlaces[relationship.destination, default: []].formUnion([place].compactMap { $0 })
    }
    self.orderPlaces = orderPlaces
  }

  /// The entity of a name. Asking for one that does not exist is an error of the program.
  public func entity(_ name: String) -> EntityDescription {
    guard let entity = byName[name] else { preconditionFailure("no entity \(name)") }
    return entity
  }

  /// Attributes that keep the position of an object in a list: two people may move things without harm.
  func orderPlaces(of entity: EntityDescription) -> Set<Int> { orderPlaces[entity.name] ?? [] }

  /// The other end of a relationship, with its place among the relationships there.
  func inverse(of relationship: RelationshipDescription) -> (RelationshipDescription, Int)? {
    guard let name = relationship.inverse else { return nil }
    let destination = entity(relationship.destination)
    let place = destination.place(ofRelationship: name)
    return (destination.relationships[place], place)
  }

  private static func sorted(
    _ entities: [EntityDescription], _ byName: [String: EntityDescription]
  ) -> [EntityDescription] {
    var sorted: [EntityDescription] = []
    var seen: Set<String> = []
    func visit(_ entity: EntityDescription) {
      guard seen.insert(entity.name).inserted else { return }
      for relationship in entity.relationships where relationship.isToOne {
        if let destination = byName[relationship.destination] { visit(destination) }
      }
      sorted.append(entity)
    }
    entities.forEach(visit)
    return sorted
  }
}
