import Foundation
import GRDB
import SystemCalls

/// Migrates a store to another model.
///
/// Entities, attributes and relationships are matched by their `renamingID`, which is the name in the old model, or by
/// name. New attributes get their default, properties without a counterpart are dropped, and a to-one may become a
/// to-many. The methods of the migration describe the rest. The old content of a file is kept in another file next to
/// it. A migration that fails leaves the store as it was. The whole content is in memory while the migration runs.
///
/// ```swift
/// var migration = StoreMigration(.sqlite("college.db"))
/// migration.convert("Student", "age") { old in … }
/// try migration.migrate(to: newModel)
/// ```
public struct StoreMigration {
  private let store: StoreDescription
  private let options: StackOptions
  private var transformation = GraphTransformation.Closures()

  /// Creates a migration of a store. A SQLite file that a stack of this process has open is refused; stacks of other
  /// processes, and those of other stores, can no longer save what they have read.
  public init(_ store: StoreDescription, options: StackOptions = StackOptions()) {
    self.store = store
    self.options = options
  }

  /// Computes an attribute of the new model from an object's old attributes, by their old names: to change a type, or
  /// to split one attribute into two. This also applies to child entities, unless they have a conversion of their own.
  public mutating func convert(
    _ entity: String, _ attribute: String, using body: @escaping (_ old: [String: Value]) throws -> Value
  ) {
    transformation.conversions[entity, default: [:]][attribute] = body
  }

  /// Keeps only the objects of an entity of the new model whose old attributes pass the test. Objects of its child
  /// entities are kept.
  public mutating func filter(_ entity: String, where body: @escaping (_ old: [String: Value]) throws -> Bool) {
    transformation.filters[entity] = body
  }

  /// Lets a to-many become a to-one, which keeps the first object: the first in order or, if the to-many was not
  /// ordered, the one with the lowest number. This also applies to child entities.
  public mutating func keepFirst(_ entity: String, _ relationship: String) {
    transformation.reductions.insert("\(entity).\(relationship)")
  }

  /// Migrates the store. A store that already fits the model is left alone, and so is a mapped store.
  /// - Returns: the path of the file with the old content; nil if nothing was done, and for a store in memory.
  /// - Throws: `migrationImpossible` with an entity or property of the new model that cannot be migrated;
  ///   `typeMismatch` if a closure returns a value of another type; `unknownEntity`; `store`, also for errors of the
  ///   closures, and `busy` if a stack has the file open.
  @discardableResult
  public func migrate(to model: ObjectModel) throws(ObjectGraphError) -> String? {
    try translating {
      let entities = try store.entities.map { names in
        let roots = try names.map { try model.entity($0).root }
        return model.entities.filter { roots.contains($0.root) }
      }
      let target = MigrationTarget(
        model: model, entities: entities ?? model.entities, closures: transformation, options: options)
      switch store.kind {
      case .sqlite(let path): return try target.migrateSQLite(path)
      case .propertyList(let path, let format): return try target.migratePropertyList(path, format)
      case .memory(let storage):
        try target.migrateMemory(storage)
        return nil
      case .mapped:
        // The tables belong to the host.
        return nil
      }
    }
  }
}

struct MigrationTarget {
  let model: ObjectModel
  let entities: [Entity]
  let closures: GraphTransformation.Closures
  let options: StackOptions

  private func fits(_ descriptions: [EntityDescription]) -> Bool {
    StoredModel(descriptions) == StoredModel(entities.map(\.description))
  }

  private func transform(_ graph: MemoryGraph, from descriptions: [EntityDescription]) throws -> MemoryGraph {
    try GraphTransformation(
      old: ObjectModel(entities: descriptions), new: model, entities: entities, closures: closures
    ).transform(graph)
  }

  func migrateMemory(_ storage: MemoryStorage) throws {
    try storage.content.withLock { content in
      guard let descriptions = content.descriptions, !fits(descriptions) else { return }
      content.graph = try transform(content.graph, from: descriptions)
      content.descriptions = entities.map(\.description)
      content.migrations += 1
    }
  }

  func migratePropertyList(_ path: String, _ format: StoreDescription.PropertyListFormat) throws -> String? {
    let file = PropertyListFile(path: path, format: format)
    guard try file.stamp() != nil else { return nil }
    return try file.lockedForWriting {
      guard let archive = try file.read(), !fits(archive.descriptions) else { return nil }
      let graph = try transform(archive.graph, from: archive.descriptions)
      let backup = Self.backupPath(path)
      guard link(path, backup) == 0 else { throw StoreFailure.file(backup) }
      do {
        try file.replace(
          PropertyListArchive(identifier: archive.identifier, descriptions: entities.map(\.description), graph: graph))
      } catch {
        // If the file was replaced, only the backup has the old content.
        if let old = try? PropertyListFile(path: backup, format: format).stamp(), old == (try? file.stamp()) {
          unlink(backup)
        }
        throw error
      }
      return backup
    }
  }

  /// Migrates the file in place, in one transaction, so other programs never see a partial result.
  func migrateSQLite(_ path: String) throws -> String? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    // Its contexts would go on with the old model.
    guard !HeldFiles.contain(path) else {
      throw StoreFailure(reason: .busy, description: "a stack of this process has the file open: \(path)")
    }
    let registration = try OpenDatabases.register(path)
    defer { withExtendedLifetime(registration) {} }
    let queue = try DatabaseQueue(path: path, configuration: SQLiteStore.configuration(options))
    defer { try? queue.close() }
    while true {
      guard let descriptions = try queue.read(SQLiteMetadata.load)?.descriptions(), !fits(descriptions) else {
        return nil
      }
      let backup = Self.backupPath(path)
      do {
        let isDone = try queue.writeWithoutTransaction { db in
          let version = try Int.fetchOne(db, sql: "PRAGMA data_version")
          // SQLite keeps the mode of an existing file.
          try OpenDatabases.createPrivateFile(backup)
          try db.execute(sql: "VACUUM INTO ?", arguments: [backup])
          var isDone = false
          try db.inTransaction(.immediate) {
            // If another program wrote after the copy was made, start again with a new copy.
            guard try Int.fetchOne(db, sql: "PRAGMA data_version") == version else { return .rollback }
            try replaceTables(db, descriptions)
            isDone = true
            return .commit
          }
          return isDone
        }
        if isDone { return backup }
        unlink(backup)
      } catch {
        unlink(backup)
        throw error
      }
    }
  }

  private func replaceTables(_ db: Database, _ descriptions: [EntityDescription]) throws {
    guard let identifier = try SQLiteMetadata.load(db)?.identifier else { return }
    let old = try ObjectModel(entities: descriptions)
    let graph = try transform(SQLiteGraph.read(db, old), from: descriptions)
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    for table in tables { try db.execute(sql: "DROP TABLE \(table.sqlIdentifier)") }
    try SQLiteMetadata.create(db, entities: entities, identifier: identifier)
    try SQLiteGraph.write(graph, db, model, entities)
  }

  /// Returns an unused path for the old content.
  private static func backupPath(_ path: String) -> String {
    var number = 1
    while FileManager.default.fileExists(atPath: "\(path).\(number).bak") { number += 1 }
    return "\(path).\(number).bak"
  }
}
