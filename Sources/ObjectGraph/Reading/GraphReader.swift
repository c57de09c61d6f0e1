import Foundation

/// One state of the graph, for evaluating predicates and requests.
///
/// A context reads its own objects this way for validation; a fetch reads the store with the context's unsaved changes
/// on top. Dangling references are nil and missing members are left out, so evaluation needs no checks of its own. The
/// attribute or relationship belongs to the object's entity or to its parent.
public protocol GraphReader {
  /// Returns the value of an attribute; `.null` if it has none.
  func value(of attribute: EntityAttribute, in object: ObjectID) throws -> Value
  /// Returns the object of a to-one relationship; nil when there is none.
  func object(of relationship: Relationship, in object: ObjectID) throws -> ObjectID?
  /// Returns the objects of a to-many relationship, in order if the relationship is ordered.
  func objects(of relationship: Relationship, in object: ObjectID) throws -> [ObjectID]
  /// Returns all objects of these entities, which belong to one family and are not abstract, in the order of their
  /// numbers; objects without a number come last, in the order of their insertion.
  func objects(of entities: [Entity]) throws -> [ObjectID]
}

/// Reads objects with the values they have in a context.
struct ContextReader: GraphReader {
  private let context: ObjectContext

  init(_ context: ObjectContext) {
    self.context = context
  }

  func value(of attribute: EntityAttribute, in object: ObjectID) throws -> Value {
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

/// A store with unsaved changes on top, for a fetch in a context that has changes.
///
/// The changes are those that a save would make, by number; objects without a number get one for the fetch.
final class OverlayReader: GraphReader {
  private let base: any StoreReader
  private let store: UUID
  private let numbers: [ObjectID: Int64]
  private let ids: [Int64: ObjectID]
  private var rows: [RowName: OverlayRow?] = [:]
  private var deleted: Set<RowName> = []
  /// The objects that a new or changed to-one adds to a list, by list.
  private var arrivals: [ListName: [Int64]] = [:]
  private var added: [ListName: [Int64]] = [:]
  private var removed: [ListName: Set<Int64>] = [:]
  private var orders: [ListName: [Int64]] = [:]
  private var inserted: [(number: Int64, entity: Entity)] = []

  /// - Parameter numbers: the numbers that the changes use for temporary ids.
  init(_ base: any StoreReader, store: UUID, changes: [StoreChanges], numbers: [ObjectID: Int64]) throws {
    self.base = base
    self.store = store
    self.numbers = numbers
    ids = Dictionary(numbers.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    for change in changes { try apply(change) }
  }

  func value(of attribute: EntityAttribute, in object: ObjectID) throws -> Value {
    guard let number = number(object), let row = try row(RowName(attribute.entity, number)) else { return .null }
    if row.unread.contains(attribute.index) { return try base.value(of: attribute, in: number) }
    return row.values.indices.contains(attribute.index) ? row.values[attribute.index] : .null
  }

  func object(of relationship: Relationship, in object: ObjectID) throws -> ObjectID? {
    guard let number = number(object), let row = try row(RowName(relationship.entity, number)),
      row.references.indices.contains(relationship.index), let target = row.references[relationship.index],
      let other = try self.row(RowName(relationship.destination, target))
    else { return nil }
    return id(target, other.entity)
  }

  func objects(of relationship: Relationship, in object: ObjectID) throws -> [ObjectID] {
    guard let owner = number(object), try row(RowName(relationship.entity, owner)) != nil else { return [] }
    return try members(relationship, owner).compactMap { number in
      try row(RowName(relationship.destination, number)).map { id(number, $0.entity) }
    }
  }

  func objects(of entities: [Entity]) throws -> [ObjectID] {
    guard let root = entities.first?.root else { return [] }
    let new = inserted.filter { entities.contains($0.entity) }
    let saved = try base.numbers(of: entities)
    try load(saved.map(\.number), root)
    // Objects that an undo restores keep their old numbers.
    let returned = new.filter { ids[$0.number] == nil }
    let permanent = (saved + returned).sorted { $0.number < $1.number }
    return (permanent + new.filter { ids[$0.number] != nil })
      .filter { !deleted.contains(RowName(root, $0.number)) }
      .map { id($0.number, $0.entity) }
  }

  // MARK: - Rows

  private func number(_ object: ObjectID) -> Int64? { object.number ?? numbers[object] }

  private func id(_ number: Int64, _ entity: Entity) -> ObjectID {
    ids[number] ?? ObjectID(store: store, entity: entity.name, key: .permanent(number))
  }

  /// Returns a row as it would be after the save; nil if there is none.
  private func row(_ name: RowName) throws -> OverlayRow? {
    if deleted.contains(name) { return nil }
    if let row = rows[name] { return row }
    try load([name.number], name.root)
    return rows[name] ?? nil
  }

  private func load(_ numbers: [Int64], _ root: Entity) throws {
    let missing = numbers.filter { rows[RowName(root, $0)] == nil }
    guard !missing.isEmpty else { return }
    for number in missing { rows[RowName(root, number)] = .some(nil) }
    for row in try base.rows(missing, of: root) { rows[RowName(root, row.number)] = OverlayRow(row) }
  }

  // MARK: - Lists

  private func members(_ relationship: Relationship, _ owner: Int64) throws -> [Int64] {
    let name = ListName(relationship, owner)
    let inverse = relationship.inverse
    var members: [Int64] = []
    for row in try base.members(relationship, of: [owner])[owner] ?? [] {
      let rowName = RowName(relationship.destination, row.number)
      if rows[rowName] == nil { rows[rowName] = OverlayRow(row) }
      members.append(row.number)
    }
    members += (inverse.isToMany ? added : arrivals)[name] ?? []
    var seen: Set<Int64> = []
    members = try members.filter { number in
      guard seen.insert(number).inserted, removed[name]?.contains(number) != true else { return false }
      if inverse.isToMany { return true }
      return try row(RowName(relationship.destination, number))?.references[inverse.index] == owner
    }
    guard let order = orders[name] else { return members }
    let present = Set(members)
    let ordered = order.filter(present.contains)
    let known = Set(ordered)
    return ordered + members.filter { !known.contains($0) }
  }

  // MARK: - Changes

  private func apply(_ changes: StoreChanges) throws {
    for deletion in changes.deletions {
      deleted.insert(RowName(deletion.entity, deletion.number))
      inserted.removeAll { $0.number == deletion.number && $0.entity.root == deletion.entity.root }
    }
    for insertion in changes.insertions {
      let name = RowName(insertion.entity, insertion.number)
      deleted.remove(name)
      rows[name] = OverlayRow(
        entity: insertion.entity, values: insertion.values, unread: insertion.unread, references: insertion.references)
      inserted.append((insertion.number, insertion.entity))
      for relationship in insertion.entity.relationships {
        recordArrival(insertion.number, relationship, insertion.references[relationship.index])
      }
    }
    for (root, updates) in Dictionary(grouping: changes.updates, by: \.entity.root) {
      try load(updates.map(\.number), root)
      for update in updates {
        let name = RowName(root, update.number)
        guard var row = rows[name] ?? nil else { continue }
        for (attribute, value) in update.values {
          row.values[attribute.index] = value
          row.unread.remove(attribute.index)
        }
        for (relationship, number) in update.references {
          row.references[relationship.index] = number
          recordArrival(update.number, relationship, number)
        }
        rows[name] = row
      }
    }
    for pairing in changes.pairings {
      for other in pairing.added { pair(pairing.relationship, pairing.owner, other) }
      for other in pairing.removed { unpair(pairing.relationship, pairing.owner, other) }
    }
    for ordering in changes.orderings { orders[ListName(ordering.relationship, ordering.owner)] = ordering.members }
  }

  private func recordArrival(_ number: Int64, _ relationship: Relationship, _ target: Int64?) {
    guard let target, relationship.inverse.isToMany, !relationship.isToMany else { return }
    arrivals[ListName(relationship.inverse, target), default: []].append(number)
  }

  private func pair(_ relationship: Relationship, _ owner: Int64, _ other: Int64) {
    for (name, member) in ends(relationship, owner, other) {
      removed[name]?.remove(member)
      added[name, default: []].append(member)
    }
  }

  private func unpair(_ relationship: Relationship, _ owner: Int64, _ other: Int64) {
    for (name, member) in ends(relationship, owner, other) {
      added[name]?.removeAll { $0 == member }
      removed[name, default: []].insert(member)
    }
  }

  private func ends(_ relationship: Relationship, _ owner: Int64, _ other: Int64) -> [(ListName, Int64)] {
    [(ListName(relationship, owner), other), (ListName(relationship.inverse, other), owner)]
  }
}

private struct OverlayRow {
  var entity: Entity
  var values: [Value]
  /// Indexes of attributes that are read from the store on demand.
  var unread: Set<Int>
  var references: [Int64?]

  init(entity: Entity, values: [Value], unread: Set<Int>, references: [Int64?]) {
    self.entity = entity
    self.values = values
    self.unread = unread
    self.references = references
  }

  init(_ row: StoredRow) {
    self.init(
      entity: row.entity, values: row.values, unread: row.unread, references: row.references.map { $0?.number })
  }
}

private struct RowName: Hashable {
  let root: Entity
  let number: Int64

  init(_ entity: Entity, _ number: Int64) {
    root = entity.root
    self.number = number
  }
}

private struct ListName: Hashable {
  let relationship: MemoryGraph.ListName
  let owner: Int64

  init(_ relationship: Relationship, _ owner: Int64) {
    self.relationship = MemoryGraph.ListName(relationship)
    self.owner = owner
  }
}
