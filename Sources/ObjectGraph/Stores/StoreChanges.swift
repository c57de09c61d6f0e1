/// The effect of one save on one store, in terms of numbers and values. Fetches use it too, to put unsaved changes on
/// top of the saved state.
struct StoreChanges {
  struct Insertion {
    var entity: Entity
    var number: Int64
    var version: Int64
    var values: [Value]
    /// Indexes of attributes that were not read; empty in a save.
    var unread: Set<Int> = []
    /// By the index of the relationship.
    var references: [Int64?]
  }

  struct Update {
    var entity: Entity
    var number: Int64
    var version: Int64
    var values: [(attribute: Attribute, value: Value)] = []
    var references: [(relationship: Relationship, number: Int64?)] = []
  }

  struct Deletion {
    var entity: Entity
    var number: Int64
  }

  /// Pairs of a many-to-many. A pair may be listed at both ends.
  struct Pairing {
    var relationship: Relationship
    var owner: Int64
    var added: [Int64]
    var removed: [Int64]
  }

  /// The members of an ordered to-many in their order.
  struct Ordering {
    var relationship: Relationship
    var owner: Int64
    var members: [Int64]
    /// How many members at the beginning keep their positions.
    var unchanged: Int
  }

  var insertions: [Insertion] = []
  var updates: [Update] = []
  var deletions: [Deletion] = []
  var pairings: [Pairing] = []
  var orderings: [Ordering] = []

  var isEmpty: Bool {
    insertions.isEmpty && updates.isEmpty && deletions.isEmpty && pairings.isEmpty && orderings.isEmpty
  }
}

/// One object as a store has it.
struct StoredRow {
  var number: Int64
  var entity: Entity
  var version: Int64
  /// By the index of the attribute.
  var values: [Value]
  /// Indexes of attributes that are read on demand.
  var unread: Set<Int> = []
  /// By the index of the relationship; nil for to-manys and for an empty to-one.
  var references: [StoredReference?]
}

/// The target of a to-one.
struct StoredReference: Hashable {
  var number: Int64
  /// The entity of the object; nil when it is gone.
  var entity: Entity?
}

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
