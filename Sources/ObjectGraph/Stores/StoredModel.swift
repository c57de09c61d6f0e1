/// The part of a model that decides how objects are stored. Models with an equal `StoredModel` can open the same store:
/// the order of the descriptions makes no difference, nor does anything else in them, such as defaults, bounds and
/// validation rules.
struct StoredModel: Equatable {
  private struct StoredEntity: Equatable {
    var parent: String?
    var isAbstract: Bool
    var attributes: [String: StoredAttribute]
    var relationships: [String: StoredRelationship]
  }

  private struct StoredAttribute: Equatable {
    var type: AttributeType
    var isOptional: Bool
  }

  private struct StoredRelationship: Equatable {
    var destination: String
    var inverse: String
    var isToMany: Bool
    var isOrdered: Bool
    var deleteRule: DeleteRule
    var isOptional: Bool
  }

  private let entities: [String: StoredEntity]

  init(_ descriptions: [EntityDescription]) {
    entities = Dictionary(
      descriptions.map { entity in
        let attributes = entity.attributes.filter { !$0.isTransient }
          .map { ($0.name, StoredAttribute(type: $0.type, isOptional: $0.isOptional)) }
        let relationships = entity.relationships.map {
          (
            $0.name,
            StoredRelationship(
              destination: $0.destination, inverse: $0.inverse, isToMany: $0.isToMany,
              isOrdered: $0.isToMany && $0.isOrdered,
              deleteRule: $0.deleteRule, isOptional: $0.isOptional)
          )
        }
        return (
          entity.name,
          StoredEntity(
            parent: entity.parent, isAbstract: entity.isAbstract,
            attributes: Dictionary(attributes, uniquingKeysWith: { first, _ in first }),
            relationships: Dictionary(relationships, uniquingKeysWith: { first, _ in first }))
        )
      }, uniquingKeysWith: { first, _ in first })
  }
}
