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
    var values: [(attribute: EntityAttribute, value: Value)] = []
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

/// Collects the unsaved changes to the objects of one store.
struct ChangeCollector {
  /// The numbers assigned to temporary ids.
  private(set) var numbers: [ObjectID: Int64]
  private let objects: [ManagedObject]

  /// - Parameter objects: the changed objects in their order.
  init(_ objects: [ManagedObject], numbers: [ObjectID: Int64] = [:]) {
    self.numbers = numbers
    self.objects = objects
  }

  /// Numbers the inserted objects that have temporary ids: with the owner's number if they share it, otherwise with
  /// reserved numbers in the order of insertion.
  mutating func reserveNumbers(_ writer: any StoreWriter, _ store: any ObjectStore) throws {
    let all = objects.filter { $0.isInserted && $0.objectID.isTemporary }
    guard !all.isEmpty else { return }
    numbers.reserveCapacity(all.count)
    let new = all.filter { store.sharedKey(of: $0.entity) == nil }
    for (root, group) in Dictionary(grouping: new, by: \.entity.root) {
      let first = try writer.reserve(group.count, of: root)
      number(group, from: first)
    }
    for object in all {
      guard let owner = store.sharedKey(of: object.entity) else { continue }
      guard let number = object.state.ones[owner.index].flatMap(number) else {
        throw StoreFailure(reason: .other, description: "an object that shares its owner's number has no owner")
      }
      numbers[object.objectID] = number
    }
  }

  /// Assigns consecutive numbers. A save reserves them; a fetch that sees unsaved objects takes numbers that no store
  /// assigns.
  mutating func number(_ objects: [ManagedObject], from first: Int64) {
    for (offset, object) in objects.enumerated() { numbers[object.objectID] = first + Int64(offset) }
  }

  func changes() -> StoreChanges {
    var changes = StoreChanges()
    for object in objects {
      switch (object.state.existence, object.state.isLive) {
      case (.absent, true): insert(object, &changes)
      case (.exists, true): update(object, &changes)
      case (.exists, false):
        if let number = number(object) {
          changes.deletions.append(StoreChanges.Deletion(entity: object.entity, number: number))
        }
      default: break
      }
      let relationships = object.entity.record.relationships
      for index in relationships.indices where relationships[index].description.isToMany {
        change(object, Relationship(entity: object.entity, index: index), &changes)
      }
    }
    return changes
  }

  private func number(_ object: ManagedObject) -> Int64? {
    object.objectID.number ?? numbers[object.objectID]
  }

  private func insert(_ object: ManagedObject, _ changes: inout StoreChanges) {
    guard let number = number(object) else { return }
    var values = object.state.values
    for (index, attribute) in object.entity.record.attributes.enumerated() where attribute.description.isTransient {
      values[index] = attribute.description.defaultValue
    }
    changes.insertions.append(
      StoreChanges.Insertion(
        entity: object.entity, number: number, version: object.state.version + 1, values: values,
        unread: object.state.unread, references: object.state.ones.map { $0.flatMap(self.number) }))
  }

  private func update(_ object: ManagedObject, _ changes: inout StoreChanges) {
    guard object.isRowChanged, let number = number(object) else { return }
    var update = StoreChanges.Update(entity: object.entity, number: number, version: object.state.version + 1)
    for (index, value) in object.state.values.enumerated() where value != object.state.committedValues[index] {
      let attribute = EntityAttribute(entity: object.entity, index: index)
      if !attribute.record.description.isTransient { update.values.append((attribute, value)) }
    }
    for toOne in object.entity.toOnes {
      let other = object.state.ones[toOne.index]?.storable
      guard other !== object.state.committedOnes[toOne.index] else { continue }
      update.references.append((Relationship(entity: object.entity, index: toOne.index), other.flatMap(self.number)))
    }
    changes.updates.append(update)
  }

  private func change(_ object: ManagedObject, _ relationship: Relationship, _ changes: inout StoreChanges) {
    let list = object.state.lists[relationship.index]
    // An object restored by an undo writes all its pairs, because some of them may never have been written.
    let isInserted = object.isInserted
    guard let owner = number(object), list.hasDelta || relationship.isOrdered || isInserted else { return }
    if relationship.inverse.isToMany {
      // A deleted object has removals too: when both ends of a pair are deleted, each records the removal of the other.
      let added =
        object.state.isLive
        ? (isInserted ? list.items : Array(list.added.values)).filter(\.state.isLive).compactMap(number) : []
      let removed = list.removed.values.compactMap(number)
      if !added.isEmpty || !removed.isEmpty {
        changes.pairings.append(
          StoreChanges.Pairing(
            relationship: relationship, owner: owner, added: added.sorted(), removed: removed.sorted()))
      }
    }
    guard relationship.isOrdered, object.state.isLive,
      list.hasDelta || list.isReordered || (isInserted && list.isLoaded)
    else { return }
    let members = list.items.filter(\.state.isLive)
    let unchanged = zip(members, list.committed).prefix { $0 === $1 }.count
    // Keep the saved positions only if members were just appended; otherwise an old member could sort after a new one.
    let keepsBeginning = unchanged == list.committed.count
    changes.orderings.append(
      StoreChanges.Ordering(
        relationship: relationship, owner: owner, members: members.compactMap(number),
        unchanged: keepsBeginning && !isInserted ? unchanged : 0))
  }
}
