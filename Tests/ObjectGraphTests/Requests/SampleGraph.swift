import Foundation
import GRDB

@testable import ObjectGraph

/// A graph of plain dictionaries, to read in memory and to write to SQLite.
struct SampleGraph: GraphReader {
  struct Object {
    var values: [String: Value] = [:]
    var references: [String: ObjectID] = [:]
    var members: [String: [ObjectID]] = [:]
  }

  let model: ObjectModel
  static let store = UUID()
  private(set) var objects: [ObjectID: Object] = [:]
  /// The ids in the order in which the objects were inserted.
  private(set) var order: [ObjectID] = []
  private var numbers: [String: Int64] = [:]

  init(_ model: ObjectModel) {
    self.model = model
  }

  mutating func insert(_ entity: String, _ values: [String: Value] = [:], isTemporary: Bool = false) throws -> ObjectID
  {
    let root = try model.entity(entity).root.name
    var key = ObjectID.Key.temporary(UUID())
    if !isTemporary {
      numbers[root, default: 0] += 1
      key = .permanent(numbers[root, default: 0])
    }
    let id = ObjectID(store: Self.store, entity: entity, key: key)
    objects[id] = Object(values: values)
    order.append(id)
    return id
  }

  mutating func set(_ key: String, of id: ObjectID, to value: Value) throws {
    guard let attribute = try model.entity(id.entity).attribute(named: key), let value = attribute.type.converted(value)
    else { throw ObjectGraphError.typeMismatch(entity: id.entity, property: key) }
    objects[id]?.values[key] = value
  }

  /// Relates two objects at both ends, and removes the relationships that this replaces.
  mutating func relate(_ id: ObjectID, _ key: String, _ other: ObjectID) throws {
    guard let relationship = try model.entity(id.entity).relationship(named: key) else { return }
    let inverse = relationship.inverse
    if relationship.isToMany, objects[id]?.members[key, default: []].contains(other) == true { return }
    if !relationship.isToMany, let old = objects[id]?.references[key] { remove(old, inverse, id) }
    if !inverse.isToMany, let old = objects[other]?.references[inverse.name] { remove(old, relationship, other) }
    add(id, relationship, other)
    add(other, inverse, id)
  }

  /// Deletes an object. References to it are cleared if `nullifying` is true, and dangle otherwise.
  mutating func delete(_ id: ObjectID, nullifying: Bool = true) throws {
    if nullifying {
      for relationship in try model.entity(id.entity).relationships {
        let others =
          objects[id]?.references[relationship.name].map { [$0] } ?? objects[id]?.members[relationship.name] ?? []
        for other in others { remove(other, relationship.inverse, id) }
      }
    }
    objects[id] = nil
    order.removeAll { $0 == id }
  }

  private mutating func add(_ id: ObjectID, _ relationship: Relationship, _ other: ObjectID) {
    if relationship.isToMany {
      if objects[id]?.members[relationship.name, default: []].contains(other) == false {
        objects[id]?.members[relationship.name, default: []].append(other)
      }
    } else {
      objects[id]?.references[relationship.name] = other
    }
  }

  private mutating func remove(_ id: ObjectID, _ relationship: Relationship, _ other: ObjectID) {
    if relationship.isToMany {
      objects[id]?.members[relationship.name, default: []].removeAll { $0 == other }
    } else if objects[id]?.references[relationship.name] == other {
      objects[id]?.references[relationship.name] = nil
    }
  }

  // MARK: Reading

  func value(of attribute: EntityAttribute, in object: ObjectID) -> Value {
    objects[object]?.values[attribute.name] ?? .null
  }

  func object(of relationship: Relationship, in object: ObjectID) -> ObjectID? {
    objects[object]?.references[relationship.name].flatMap { objects[$0] == nil ? nil : $0 }
  }

  func objects(of relationship: Relationship, in object: ObjectID) -> [ObjectID] {
    (objects[object]?.members[relationship.name] ?? []).filter { objects[$0] != nil }
  }

  func objects(of entities: [Entity]) -> [ObjectID] {
    let wanted = order.filter { id in entities.contains { $0.name == id.entity } }
    return wanted.filter { !$0.isTemporary } + wanted.filter(\.isTemporary)
  }

  // MARK: SQLite

  /// Makes a database with the saved objects.
  func database() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { PredicateFunctions.register(in: $0) }
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.write { database in
      for root in model.entities where root.parent == nil { try create(root, database) }
      for id in order { try write(id, database) }
    }
    return queue
  }

  private func create(_ root: Entity, _ database: Database) throws {
    var columns = ["\(Entity.idColumn) INTEGER PRIMARY KEY", "\(Entity.typeColumn) TEXT NOT NULL"]
    var joins: Set<JoinTable> = []
    for member in root.family {
      for attribute in member.attributes where member == root || root.attribute(named: attribute.name) == nil {
        columns.append("\(attribute.column.sqlIdentifier) \(attribute.type.sqlType)")
      }
      for relationship in member.relationships
      where member == root || root.relationship(named: relationship.name) == nil {
        switch relationship.storage {
        case .column(let column): columns.append("\(column.sqlIdentifier) INTEGER")
        case .join(let join): joins.insert(join)
        case .inverseColumn: break
        }
      }
    }
    try database.execute(sql: "CREATE TABLE \(root.sqlTable) (\(columns.joined(separator: ", "))) STRICT")
    for join in joins {
      try database.execute(
        sql: "CREATE TABLE IF NOT EXISTS \(join.table.sqlIdentifier) (source INTEGER, target INTEGER) STRICT"
      )
    }
  }

  private func write(_ id: ObjectID, _ database: Database) throws {
    guard let object = objects[id], let number = id.number else { return }
    let entity = try model.entity(id.entity)
    var columns = [Entity.idColumn, Entity.typeColumn]
    var values: [DatabaseValue] = [number.databaseValue, id.entity.databaseValue]
    for attribute in entity.attributes {
      columns.append(attribute.column.sqlIdentifier)
      values.append((object.values[attribute.name] ?? .null).databaseValue)
    }
    for relationship in entity.relationships {
      switch relationship.storage {
      case .column(let column):
        columns.append(column.sqlIdentifier)
        values.append(object.references[relationship.name]?.number?.databaseValue ?? .null)
      case .join(let join):
        // A relationship that is its own inverse has a row for each direction.
        guard join.ownColumn == "source" || relationship.inverse == relationship else { continue }
        for other in object.members[relationship.name] ?? [] {
          try database.execute(
            sql:
              "INSERT INTO \(join.table.sqlIdentifier) (\(join.ownColumn), \(join.otherColumn)) VALUES (?, ?)",
            arguments: [number, other.number])
        }
      case .inverseColumn: break
      }
    }
    let questionMarks = databaseQuestionMarks(count: values.count)
    try database.execute(
      sql: "INSERT INTO \(entity.sqlTable) (\(columns.joined(separator: ", "))) VALUES (\(questionMarks))",
      arguments: StatementArguments(values))
  }
}
