import Foundation
import GRDB

/// The metadata of a SQLite store: its id and the model that it was made with.
enum SQLiteMetadata {
  /// `OGRF` marks files of this library.
  static let applicationID = 0x4F47_5246
  /// Has one row: the id of the store and the model that it was made with.
  static let table = "_object_graph"

  /// Creates the tables in an empty file, or checks that the store in it fits the model.
  /// - Returns: the id of the store.
  static func prepare(_ pool: DatabasePool, entities: [Entity]) throws -> UUID {
    let descriptions = entities.map(\.description)
    if let (identifier, stored) = try pool.read(load) {
      guard StoredModel(stored) == StoredModel(descriptions) else { throw ObjectGraphError.modelMismatch }
      return identifier
    }
    return try pool.writeWithoutTransaction { db in
      var result: UUID?
      try db.inTransaction(.immediate) {
        // Another process may have created the tables in the meantime.
        if let (identifier, stored) = try load(db) {
          guard StoredModel(stored) == StoredModel(descriptions) else { throw ObjectGraphError.modelMismatch }
          result = identifier
        } else {
          result = try create(db, entities: entities, identifier: UUID())
        }
        return .commit
      }
      return result ?? UUID()
    }
  }

  /// Refuses a database of another program, without writing to it. A file that SQLite cannot read without writing, for
  /// example to recover it, is not refused here.
  static func refuseForeignDatabase(at path: String, timeout: TimeInterval) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(timeout)
    let isForeign: Bool
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      isForeign = try queue.read { db in try !db.tableExists(table) && hasTables(db) }
      try queue.close()
    } catch is DatabaseError {
      return
    }
    if isForeign { throw foreign }
  }

  private static let foreign = StoreFailure(
    reason: .unreadable, description: "the file is a database of another program")

  private static func hasTables(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\')") ?? false
  }

  /// Creates the tables in an empty file.
  @discardableResult
  static func create(_ db: Database, entities: [Entity], identifier: UUID) throws -> UUID {
    if try hasTables(db) { throw foreign }
    try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    try db.execute(sql: "CREATE TABLE \(table) (id INTEGER PRIMARY KEY CHECK (id = 1), store TEXT, model TEXT) STRICT")
    for statement in SQLiteTables.statements(for: entities) { try db.execute(sql: statement) }
    let model = String(decoding: try JSONEncoder().encode(entities.map(\.description)), as: UTF8.self)
    try db.execute(
      sql: "INSERT INTO \(table) (id, store, model) VALUES (1, ?, ?)", arguments: [identifier.uuidString, model])
    return identifier
  }

  /// Reads the id and the model; nil if the file has no tables of this library.
  static func load(_ db: Database) throws -> (UUID, [EntityDescription])? {
    guard try db.tableExists(table), let row = try Row.fetchOne(db, sql: "SELECT store, model FROM \(table)") else {
      return nil
    }
    guard let identifier = UUID(uuidString: row[0]) else {
      throw StoreFailure(reason: .unreadable, description: "the id of the store is not valid")
    }
    let model: String = row[1]
    return (identifier, try JSONDecoder().decode([EntityDescription].self, from: Data(model.utf8)))
  }
}
