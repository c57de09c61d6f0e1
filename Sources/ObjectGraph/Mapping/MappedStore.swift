import Foundation
import GRDB

/// A store in existing tables of a database that the host opened.
final class MappedStore: ObjectStore {
  let identifier: UUID
  let schema: SQLiteSchema
  private let host: any SQLiteHost
  /// By the index of the entity.
  private let ownerRelationships: [Int: Relationship]

  /// - Throws: `InvalidMapping` when the mapping does not fit the model or, if that is checked, the database.
  init(
    _ host: any SQLiteHost, identifier: UUID, mapping: StoreMapping, isChecked: Bool, model: ObjectModel,
    entities: [Entity]
  ) throws {
    self.host = host
    self.identifier = identifier
    let tables = try MappingResolver.tables(mapping, entities: entities)
    schema = SQLiteSchema(model: model, entities: entities, tables: tables)
    ownerRelationships = Dictionary(
      entities.compactMap { entity in tables.ownerRelationship(of: entity).map { (entity.index, $0) } },
      uniquingKeysWith: { first, _ in first })
    guard isChecked else { return }
    let failure = BodyError()
    do {
      try host.read { db in try failure.recordingError { try MappingCheck.run(tables, entities: entities, db) } }
    } catch {
      throw failure.translated(error)
    }
  }

  func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
    let failure = BodyError()
    do {
      return try host.read { db in
        try failure.recordingError {
          PredicateFunctions.registerOnce(in: db)
          return try body(SQLiteReader(db: db, schema: schema))
        }
      }
    } catch {
      throw failure.translated(error)
    }
  }

  func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
    let failure = BodyError()
    do {
      return try host.write { db in
        try failure.recordingError {
          PredicateFunctions.registerOnce(in: db)
          // Rows of one save may refer to one another in any order.
          try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
          return try body(SQLiteWriter(db: db, schema: schema))
        }
      }
    } catch {
      throw failure.translated(error)
    }
  }

  /// The host closes its database itself.
  func close() throws {}

  func keepsVersions(of entity: Entity) -> Bool { schema.tables.table(entity).version != nil }

  func marksDeletions(of entity: Entity) -> Bool { schema.tables.mark(of: entity) != nil }

  func ownerRelationship(of entity: Entity) -> Relationship? { ownerRelationships[entity.index] }

  func sharedKey(of entity: Entity) -> Relationship? { schema.tables.sharedKey(of: entity) }

  var hasTriggers: Bool { true }
}

/// Keeps the error of a body that a host runs, because the host may wrap it. The body's own error is thrown unchanged,
/// except SQLite errors, which the host describes better.
private final class BodyError {
  private var error: (any Error)?

  func recordingError<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      self.error = error
      throw error
    }
  }

  /// Returns the error to throw in place of the host's error.
  func translated(_ hostError: any Error) -> any Error {
    if let error, !(error is DatabaseError) { return error }
    let isKnown = hostError is DatabaseError || hostError is ObjectGraphError || hostError is StoreFailure
    return isKnown ? hostError : HostError(error: hostError)
  }
}

/// A database that the program opened and that a mapped store reads and writes, with the program's own checks, timeouts
/// and connections.
///
/// A `DatabaseError` that these methods throw becomes `ObjectGraphError.store`, and an error of the program's own
/// becomes `ObjectGraphError.host`.
public protocol SQLiteHost: AnyObject, Sendable {
  /// Calls the body with a connection that sees one snapshot of the database while the body runs.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result
  /// Calls the body in a write transaction that takes the lock when it begins. If the body throws, nothing is written.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result
}
