@testable import ObjectGraph

/// The graph as dictionaries, with which the library must agree. For undo and rollback, `RandomPlayer` keeps earlier
/// copies.
struct DictionaryWorld: Equatable {
  struct Item: Equatable {
    var entity: Entity
    var values: [String: Value]
    /// By relationship, in order; unordered ones are sorted when worlds are compared.
    var references: [String: [Int]]
  }

  var items: [Int: Item] = [:]

  mutating func insert(_ label: Int, _ entity: Entity) {
    let values = Dictionary(uniqueKeysWithValues: entity.attributes.map { ($0.name, Value.null) })
    let references = Dictionary(uniqueKeysWithValues: entity.relationships.map { ($0.name, [Int]()) })
    items[label] = Item(entity: entity, values: values, references: references)
  }

  func members(_ label: Int, _ relationship: Relationship) -> [Int] {
    items[label]?.references[relationship.name] ?? []
  }

  /// Removes a pair from both ends.
  mutating func unlink(_ label: Int, _ relationship: Relationship, _ other: Int) {
    items[label]?.references[relationship.name]?.removeAll { $0 == other }
    items[other]?.references[relationship.inverse.name]?.removeAll { $0 == label }
  }

  /// Adds a pair to both ends; a to-one loses its previous object.
  mutating func link(_ label: Int, _ relationship: Relationship, _ other: Int, at index: Int? = nil) {
    guard !members(label, relationship).contains(other) else { return }
    if !relationship.isToMany { for old in members(label, relationship) { unlink(label, relationship, old) } }
    let inverse = relationship.inverse
    if !inverse.isToMany { for old in members(other, inverse) { unlink(other, inverse, old) } }
    let count = members(label, relationship).count
    items[label]?.references[relationship.name]?.insert(other, at: min(index ?? count, count))
    if relationship.isOwnInverse, label == other { return }
    items[other]?.references[inverse.name]?.append(label)
  }

  mutating func move(_ label: Int, _ relationship: Relationship, _ other: Int, to index: Int) {
    items[label]?.references[relationship.name]?.removeAll { $0 == other }
    let count = members(label, relationship).count
    items[label]?.references[relationship.name]?.insert(other, at: min(index, count))
  }

  mutating func replace(_ label: Int, _ relationship: Relationship, with others: [Int]) {
    for old in members(label, relationship) where !others.contains(old) { unlink(label, relationship, old) }
    for other in others { link(label, relationship, other) }
    if relationship.isOrdered { items[label]?.references[relationship.name] = others }
  }

  mutating func delete(_ label: Int) {
    var doomed = [label]
    var reached: Set<Int> = [label]
    while let next = doomed.popLast() {
      guard let item = items[next] else { continue }
      for relationship in item.entity.relationships where relationship.deleteRule == .cascade {
        for other in members(next, relationship) where reached.insert(other).inserted { doomed.append(other) }
      }
    }
    for label in reached {
      items[label] = nil
      for other in items.keys {
        for name in items[other]?.references.keys.map({ $0 }) ?? [] {
          items[other]?.references[name]?.removeAll { $0 == label }
        }
      }
    }
  }

  /// A form that is the same for worlds that differ only in the order of unordered lists.
  var normalized: DictionaryWorld {
    var world = self
    for (label, item) in items {
      for relationship in item.entity.relationships where !relationship.isOrdered {
        world.items[label]?.references[relationship.name]?.sort()
      }
    }
    return world
  }
}

extension DictionaryWorld: CustomStringConvertible {
  var description: String {
    items.sorted { $0.key < $1.key }.map { label, item in
      let references = item.references.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
      return
        "\(item.entity.name).\(label) \(item.values["text"] == .null ? "" : "text ")\(references.joined(separator: " "))"
    }.joined(separator: "; ")
  }
}

extension ObjectContext {
  /// Returns the state of some objects in the context.
  func world(_ labels: [Int: ObjectID]) throws -> DictionaryWorld {
    var world = DictionaryWorld()
    var names: [ObjectID: Int] = [:]
    var objects: [Int: ManagedObject] = [:]
    for (label, id) in labels {
      guard let object = try object(id) else { continue }
      objects[label] = object
      names[object.objectID] = label
    }
    for (label, object) in objects {
      var values: [String: Value] = [:]
      for attribute in object.entity.attributes { values[attribute.name] = try object.value(attribute.name) }
      var references: [String: [Int]] = [:]
      for relationship in object.entity.relationships {
        let others =
          relationship.isToMany
          ? try object.objects(relationship.name) : try object.object(relationship.name).map { [$0] } ?? []
        references[relationship.name] = others.map { names[$0.objectID] ?? -1 }
      }
      world.items[label] = DictionaryWorld.Item(entity: object.entity, values: values, references: references)
    }
    return world.normalized
  }
}
