import Foundation
import Synchronization

/// The content of an in-memory store. Stacks that are opened on it one after the other see the same objects.
public final class MemoryStorage: Sendable {
  struct Content: Sendable {
    let identifier: UUID
    var descriptions: [EntityDescription]?
    /// How often the content was migrated.
    var migrations = 0
    var graph = MemoryGraph()
  }

  let content: Mutex<Content>

  /// Creates an empty storage.
  /// - Parameter identifier: the identifier of the store in ids and URIs. With the same identifier in every run of a
  ///   program, URIs of its objects can be kept, and are those of objects that are gone until they are inserted again.
  public init(identifier: UUID = UUID()) { content = Mutex(Content(identifier: identifier)) }
}

final class MemoryStore: ObjectStore {
  let identifier: UUID
  let model: ObjectModel
  private let migrations: Int
  private let storage: MemoryStorage
  /// Serializes the writers of this stack; readers do not wait for them.
  private let writing = NSLock()

  init(_ storage: MemoryStorage, model: ObjectModel, entities: [Entity]) throws {
    self.storage = storage
    self.model = model
    (identifier, migrations) = try storage.content.withLock { content in
      let descriptions = entities.map(\.description)
      if let stored = content.descriptions, StoredModel(stored) != StoredModel(descriptions) {
        throw ObjectGraphError.modelMismatch
      }
      content.descriptions = descriptions
      return (content.identifier, content.migrations)
    }
  }

  private func graph() throws -> MemoryGraph {
    try storage.content.withLock { content in
      guard content.migrations == migrations else { throw ObjectGraphError.modelMismatch }
      return content.graph
    }
  }

  func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
    try body(MemoryGraphReader(graph: graph(), model: model))
  }

  func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
    writing.lock()
    defer { writing.unlock() }
    let writer = MemoryGraphWriter(try graph(), model: model)
    let result = try body(writer)
    storage.content.withLock { $0.graph = writer.graph }
    return result
  }

  func close() throws {}
}

/// The content of a whole store as a value, for memory and property list stores and for migrations.
struct MemoryGraph {
  /// An object without its number.
  struct Row: Equatable {
    /// Name of the entity.
    var entity: String
    var version: Int64
    var values: [Value]
    var references: [Int64?]
  }

  /// The objects of a family of entities.
  struct Table {
    var rows: [Int64: Row] = [:]
    /// The largest number ever assigned.
    var sequence: Int64 = 0
  }

  /// By name of the root entity.
  var tables: [String: Table] = [:]
  /// The members of each owner in order, by to-many. Both ends of a many-to-many are here.
  var lists: [ListName: [Int64: [Int64]]] = [:]

  /// Identifies a to-many by the entity that declares it and its name.
  struct ListName: Hashable, Codable {
    var entity: String
    var relationship: String

    init(_ relationship: Relationship) {
      entity = relationship.inverse.destination.name
      self.relationship = relationship.name
    }
  }
}

extension MemoryGraph {
  /// Applies changes. References and pairs are not checked.
  mutating func apply(_ changes: StoreChanges) {
    for deletion in changes.deletions { delete(deletion.number, of: deletion.entity) }
    for insertion in changes.insertions {
      insert(
        Row(
          entity: insertion.entity.name, version: insertion.version, values: insertion.values,
          references: insertion.references),
        number: insertion.number, of: insertion.entity)
    }
    for update in changes.updates {
      let root = update.entity.root.name
      guard var row = tables[root]?.rows[update.number] else { continue }
      row.version = update.version
      for (attribute, value) in update.values { row.values[attribute.index] = value }
      for (relationship, number) in update.references {
        move(update.number, by: relationship, from: row.references[relationship.index], to: number)
        row.references[relationship.index] = number
      }
      tables[root]?.rows[update.number] = row
    }
    for pairing in changes.pairings {
      for other in pairing.removed { unpair(pairing.owner, pairing.relationship, other) }
      for other in pairing.added { pair(pairing.owner, pairing.relationship, other) }
    }
    for ordering in changes.orderings { order(ordering) }
  }

  private mutating func insert(_ row: Row, number: Int64, of entity: Entity) {
    let root = entity.root.name
    tables[root, default: Table()].rows[number] = row
    if tables[root, default: Table()].sequence < number { tables[root]?.sequence = number }
    for relationship in entity.relationships where !relationship.isToMany {
      move(number, by: relationship, from: nil, to: row.references[relationship.index])
    }
  }

  private mutating func delete(_ number: Int64, of entity: Entity) {
    guard let row = tables[entity.root.name]?.rows.removeValue(forKey: number) else { return }
    for relationship in entity.relationships where !relationship.isToMany {
      move(number, by: relationship, from: row.references[relationship.index], to: nil)
    }
  }

  /// Updates the list at the other end of a to-one.
  private mutating func move(_ number: Int64, by relationship: Relationship, from old: Int64?, to new: Int64?) {
    guard relationship.inverse.isToMany, old != new else { return }
    let name = ListName(relationship.inverse)
    if let old { lists[name]?[old]?.removeAll { $0 == number } }
    if let new { lists[name, default: [:]][new, default: []].append(number) }
  }

  private mutating func pair(_ owner: Int64, _ relationship: Relationship, _ other: Int64) {
    join(owner, relationship, other)
    join(other, relationship.inverse, owner)
  }

  private mutating func join(_ owner: Int64, _ relationship: Relationship, _ other: Int64) {
    let name = ListName(relationship)
    if lists[name]?[owner]?.contains(other) != true { lists[name, default: [:]][owner, default: []].append(other) }
  }

  private mutating func unpair(_ owner: Int64, _ relationship: Relationship, _ other: Int64) {
    lists[ListName(relationship)]?[owner]?.removeAll { $0 == other }
    lists[ListName(relationship.inverse)]?[other]?.removeAll { $0 == owner }
  }

  /// Reorders members. Members that were added elsewhere and are not in the new order go last.
  private mutating func order(_ ordering: StoreChanges.Ordering) {
    let name = ListName(ordering.relationship)
    guard let present = lists[name]?[ordering.owner] else { return }
    let members = Set(present)
    let known = Set(ordering.members)
    lists[name]?[ordering.owner] = ordering.members.filter(members.contains) + present.filter { !known.contains($0) }
  }
}

struct MemoryGraphReader: StoreReader {
  let graph: MemoryGraph
  let model: ObjectModel

  func rows(_ numbers: [Int64], of root: Entity) throws -> [StoredRow] {
    numbers.compactMap { row($0, of: root) }
  }

  func versions(_ numbers: [Int64], of root: Entity) throws -> [Int64: Int64] {
    guard let table = graph.tables[root.name] else { return [:] }
    return Dictionary(
      numbers.compactMap { number in table.rows[number].map { (number, $0.version) } },
      uniquingKeysWith: { first, _ in first })
  }

  func members(_ relationship: Relationship, of owners: [Int64]) throws -> [Int64: [StoredRow]] {
    let lists = graph.lists[MemoryGraph.ListName(relationship)] ?? [:]
    let root = relationship.destination.root
    return Dictionary(
      owners.map { owner in
        let members = (lists[owner] ?? [])
        return (owner, (relationship.isOrdered ? members : members.sorted()).compactMap { row($0, of: root) })
      }, uniquingKeysWith: { first, _ in first })
  }

  func numbers(of entities: [Entity]) throws -> [(number: Int64, entity: Entity)] {
    guard let table = entities.first.flatMap({ graph.tables[$0.root.name] }) else { return [] }
    let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return table.rows.compactMap { number, row in byName[row.entity].map { (number, $0) } }.sorted {
      $0.number < $1.number
    }
  }

  func row(_ number: Int64, of root: Entity) -> StoredRow? {
    guard let row = graph.tables[root.name]?.rows[number], let entity = model.entity(named: row.entity) else {
      return nil
    }
    let references = entity.relationships.map { relationship in
      row.references[relationship.index].map { reference(relationship, $0) }
    }
    return StoredRow(
      number: number, entity: entity, version: row.version, values: row.values, references: references)
  }

  private func reference(_ relationship: Relationship, _ number: Int64) -> StoredReference {
    let row = graph.tables[relationship.destination.root.name]?.rows[number]
    return StoredReference(number: number, entity: row.flatMap { model.entity(named: $0.entity) })
  }
}

/// Applies the changes of a write transaction to a memory graph.
final class MemoryGraphWriter: StoreWriter {
  private(set) var graph: MemoryGraph
  private let model: ObjectModel
  var reader: any StoreReader { MemoryGraphReader(graph: graph, model: model) }

  init(_ graph: MemoryGraph, model: ObjectModel) {
    self.graph = graph
    self.model = model
  }

  func reserve(_ count: Int, of root: Entity) throws -> Int64 {
    let first = (graph.tables[root.name]?.sequence ?? 0) + 1
    graph.tables[root.name, default: MemoryGraph.Table()].sequence += Int64(count)
    return first
  }

  func apply(_ changes: StoreChanges) throws { graph.apply(changes) }
}
