import Foundation
import GRDB

enum SQLiteTables {
  /// Returns the statements that create the tables of these entities.
  static func statements(for entities: [Entity], _ db: Database) throws -> [String] {
    let roots = entities.filter { $0.parent == nil }
    return try roots.flatMap { try table($0, db) } + joins(entities)
  }

  private static func table(_ root: Entity, _ db: Database) throws -> [String] {
    var columns = [
      "\(Entity.idColumn) INTEGER PRIMARY KEY AUTOINCREMENT", "\(Entity.typeColumn) TEXT NOT NULL",
      "\(Entity.versionColumn) INTEGER NOT NULL",
    ]
    var indexes: [String] = []
    for entity in root.family {
      let inherited = entity.parent?.attributes.count ?? 0
      for attribute in entity.attributes.dropFirst(inherited) where !attribute.description.isTransient {
        columns.append("\(attribute.column.sqlIdentifier) \(attribute.type.sqlType)")
        // The rows of other children have no value.
        if entity == root, !attribute.description.isOptional {
          columns[columns.count - 1] += try constraint(attribute, db)
        }
      }
      for relationship in entity.relationships.dropFirst(entity.parent?.relationships.count ?? 0) {
        guard case .column(let column) = relationship.storage else { continue }
        columns.append("\(column.sqlIdentifier) INTEGER")
        if case .inverseColumn(_, let position?) = relationship.inverse.storage {
          columns.append("\(position.sqlIdentifier) INTEGER")
        }
        indexes.append(
          """
          CREATE INDEX \("\(root.table).\(column).index".sqlIdentifier) \
          ON \(root.sqlTable) (\(column.sqlIdentifier))
          """)
      }
    }
    return ["CREATE TABLE \(root.sqlTable) (\(columns.joined(separator: ", "))) STRICT"] + indexes
  }

  /// A program with an older model that inserts a row writes the default, or nothing.
  private static func constraint(_ attribute: EntityAttribute, _ db: Database) throws -> String {
    let value = attribute.description.defaultValue.databaseValue
    if value.isNull { return " NOT NULL" }
    return " NOT NULL DEFAULT \(try String.fetchOne(db, sql: "SELECT quote(?)", arguments: [value]) ?? "NULL")"
  }

  private static func joins(_ entities: [Entity]) -> [String] {
    var tables: Set<String> = []
    return entities.flatMap(\.relationships).flatMap { relationship -> [String] in
      guard case .join(let join) = relationship.storage, tables.insert(join.table).inserted,
        case .join(let inverse) = relationship.inverse.storage
      else { return [] }
      var columns = ["source INTEGER NOT NULL", "target INTEGER NOT NULL"]
      let positions = [join.position, inverse.position].compactMap(\.self)
      for position in Set(positions).sorted() { columns.append("\(position) INTEGER") }
      columns.append("PRIMARY KEY (source, target)")
      let table = join.table.sqlIdentifier
      return [
        "CREATE TABLE \(table) (\(columns.joined(separator: ", "))) STRICT, WITHOUT ROWID",
        "CREATE INDEX \("\(join.table).index".sqlIdentifier) ON \(table) (target, source)",
      ]
    }
  }
}

/// The metadata of a SQLite store: its id and the model that it was made with.
struct SQLiteMetadata: Sendable {
  let identifier: UUID
  /// The encoded descriptions of the model.
  let model: String

  /// `OGRF` marks files of this library.
  static let applicationID = 0x4F47_5246
  /// Has one row: the id of the store and the model that it was made with.
  static let table = "_object_graph"

  /// Creates the tables in an empty file, or checks that the store in it fits the model.
  static func prepare(_ pool: DatabasePool, entities: [Entity]) throws -> SQLiteMetadata {
    var found = try pool.read(load)
    if found == nil {
      try pool.writeWithoutTransaction { db in
        try db.inTransaction(.immediate) {
          // Another process may have created the tables in the meantime.
          found = try load(db) ?? create(db, entities: entities, identifier: UUID())
          return .commit
        }
      }
    }
    guard let found, try found.fits(entities) else { throw ObjectGraphError.modelMismatch }
    return found
  }

  func descriptions() throws -> [EntityDescription] {
    try JSONDecoder().decode([EntityDescription].self, from: Data(model.utf8))
  }

  private func fits(_ entities: [Entity]) throws -> Bool {
    try StoredModel(descriptions()) == StoredModel(entities.map(\.description))
  }

  /// Checks in a transaction that nobody has migrated the store to another model since it was opened.
  func checkModel(_ db: Database, _ entities: [Entity]) throws {
    let model = try String.fetchOne(db.cachedStatement(sql: "SELECT model FROM \(Self.table)"))
    if model == self.model { return }
    guard let model, try SQLiteMetadata(identifier: identifier, model: model).fits(entities) else {
      throw ObjectGraphError.modelMismatch
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
  static func create(_ db: Database, entities: [Entity], identifier: UUID) throws -> SQLiteMetadata {
    if try hasTables(db) { throw foreign }
    try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    try db.execute(sql: "CREATE TABLE \(table) (id INTEGER PRIMARY KEY CHECK (id = 1), store TEXT, model TEXT) STRICT")
    for statement in try SQLiteTables.statements(for: entities, db) { try db.execute(sql: statement) }
    let model = String(decoding: try JSONEncoder().encode(entities.map(\.description)), as: UTF8.self)
    try db.execute(
      sql: "INSERT INTO \(table) (id, store, model) VALUES (1, ?, ?)", arguments: [identifier.uuidString, model])
    return SQLiteMetadata(identifier: identifier, model: model)
  }

  /// Reads the metadata; nil if the file has no tables of this library.
  static func load(_ db: Database) throws -> SQLiteMetadata? {
    guard try db.tableExists(table), let row = try Row.fetchOne(db, sql: "SELECT store, model FROM \(table)") else {
      return nil
    }
    guard let identifier = UUID(uuidString: row[0]) else {
      throw StoreFailure(reason: .unreadable, description: "the id of the store is not valid")
    }
    return SQLiteMetadata(identifier: identifier, model: row[1])
  }
}
