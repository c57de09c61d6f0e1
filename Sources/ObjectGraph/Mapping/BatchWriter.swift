import GRDB

/// The tables of a model in a database of the host.
public struct MappedTables: Sendable {
  fileprivate let model: ObjectModel
  fileprivate let tables: StoreTables

  /// Resolves the tables of all entities.
  /// - Throws: ``ObjectGraphError/mapping(_:)`` if the mapping does not fit the model.
  public init(_ model: ObjectModel, _ mapping: StoreMapping) throws(ObjectGraphError) {
    self.model = model
    do {
      tables = try MappingResolver.tables(mapping, entities: model.entities)
    } catch {
      throw .mapping(error)
    }
  }
}

/// A new object for a ``BatchWriter``, with its parts.
public struct BatchObject: Sendable {
  /// The name of its entity.
  public let entity: String
  /// The values of all attributes, in the order of their descriptions.
  public let values: [Value]
  /// Its parts: objects of entities whose owner it is. Those of one entity are together, in their order.
  public var parts: [BatchObject]

  /// A new object.
  public init(_ entity: String, _ values: [Value], parts: [BatchObject] = []) {
    (self.entity, self.values, self.parts) = (entity, values, parts)
  }
}

/// Writes many objects without a context, in a transaction of the host.
///
/// It writes what it is told: nothing is validated or merged, `willSave()` is not called, no delete rule is followed,
/// and undo does not know of it. Contexts see the result like a write of another process. The version of each updated
/// or deleted object is incremented, but not that of the owner of parts or of the objects at the ends of a pair.
///
/// All methods throw `DatabaseError`, ``ObjectGraphError/unknownEntity(_:)`` or
/// ``ObjectGraphError/unknownKey(_:entity:)``.
public final class BatchWriter {
  private let model: ObjectModel
  private let tables: StoreTables
  private let db: Database
  private let rows: RowStatements
  private var objects: [String: RowStatements.Insertion] = [:]
  private var parts: [String: Part] = [:]

  private struct Part {
    let entity: Entity
    let owner: Relationship
    /// Whether the parts have the numbers of their owners.
    let isShared: Bool
    let insertion: RowStatements.Insertion
  }

  /// Creates a writer for the current transaction.
  public init(_ db: Database, _ tables: MappedTables) {
    (self.db, self.model, self.tables) = (db, tables.model, tables.tables)
    rows = RowStatements(db, tables.tables)
  }

  /// Inserts an object with its parts.
  /// - Returns: its number.
  @discardableResult
  public func insert(_ object: BatchObject) throws -> Int64 {
    let insertion =
      try objects[object.entity] ?? rows.insertion(of: model.entity(object.entity), positions: [])
    objects[object.entity] = insertion
    try rows.insert(insertion, nil, version: 1, object.values, reference: { _ in nil }, position: { _ in nil })
    let number = db.lastInsertedRowID
    try insert(object.parts, of: number)
    return number
  }

  /// Inserts parts of an object that has none of their entities.
  public func insert(_ parts: [BatchObject], of number: Int64) throws {
    var position: Int64 = 0
    var last = ""
    for object in parts {
      position = object.entity == last ? position + 1 : 0
      last = object.entity
      let part = try part(object.entity)
      try rows.insert(
        part.insertion, part.isShared ? number : nil, version: 1, object.values,
        reference: { $0 == part.owner.index ? number : nil }, position: { _ in position })
    }
  }

  /// Removes all parts of an object that are of this entity.
  public func removeParts(_ entity: String, of number: Int64) throws {
    let part = try part(entity)
    guard case .column(let column) = tables.storage(part.owner) else { return }
    try rows.remove(part.entity, by: column, [number])
  }

  /// Sets attributes of objects to the same values; with none, only their versions are incremented.
  /// - Parameters:
  ///   - entity: the name of the entity.
  ///   - numbers: the objects.
  ///   - values: the attributes by name, with their values.
  ///   - restoring: true to restore objects whose rows are marked as deleted.
  public func update(
    _ entity: String, _ numbers: [Int64], _ values: [(attribute: String, value: Value)], restoring: Bool = false
  ) throws {
    let entity = try model.entity(entity)
    let values = try values.map { name, value in
      guard let attribute = entity.attribute(named: name) else {
        throw ObjectGraphError.unknownKey(name, entity: entity.name)
      }
      return (attribute, value)
    }
    guard let first = numbers.first else { return }
    let row = StoreChanges.Update(entity: entity, number: first, version: 0, values: values)
    try rows.update(row, of: numbers.count > 1 ? numbers : nil, restoring: restoring)
  }

  /// Marks the rows of objects as deleted, if the mapping says so; otherwise removes them.
  /// - Parameters:
  ///   - entity: the name of the entity.
  ///   - numbers: the objects.
  ///   - mark: what the rows are marked with; nil for the value of the mapping.
  public func delete(_ entity: String, _ numbers: [Int64], mark: Value? = nil) throws {
    try rows.delete(try model.entity(entity), numbers, mark: mark)
  }

  /// Removes the rows of objects, marked or not.
  public func remove(_ entity: String, _ numbers: [Int64]) throws {
    let entity = try model.entity(entity)
    try rows.remove(entity, by: tables.table(entity).id, numbers)
  }

  /// Adds members to a many-to-many of an object.
  /// - Returns: those that were no members before.
  @discardableResult
  public func add(_ members: [Int64], to relationship: String, of entity: String, _ number: Int64) throws -> [Int64] {
    try rows.add(members, to: try self.relationship(relationship, of: entity), of: number)
  }

  /// Removes members from a many-to-many of an object.
  public func remove(
    _ members: [Int64], from relationship: String, of entity: String, _ number: Int64
  ) throws {
    try rows.remove(members, from: try self.relationship(relationship, of: entity), of: number)
  }

  private func relationship(_ name: String, of entity: String) throws -> Relationship {
    guard let relationship = try model.entity(entity).relationship(named: name) else {
      throw ObjectGraphError.unknownKey(name, entity: entity)
    }
    return relationship
  }

  private func part(_ name: String) throws -> Part {
    if let known = parts[name] { return known }
    let entity = try model.entity(name)
    guard let owner = entity.owner else { throw ObjectGraphError.unknownKey("owner", entity: name) }
    let positions = tables.positionColumn(owner.inverse) == nil ? [] : [owner.index]
    let part = Part(
      entity: entity, owner: owner, isShared: tables.isShared(owner),
      insertion: try rows.insertion(of: entity, positions: positions))
    parts[name] = part
    return part
  }
}
