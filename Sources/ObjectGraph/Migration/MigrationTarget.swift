import Foundation
import GRDB

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
    let registration = try OpenDatabases.register(path)
    defer { withExtendedLifetime(registration) {} }
    let queue = try DatabaseQueue(path: path, configuration: SQLiteStore.configuration(options))
    defer { try? queue.close() }
    while true {
      guard let (_, descriptions) = try queue.read(SQLiteMetadata.load), !fits(descriptions) else { return nil }
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
    guard let (identifier, _) = try SQLiteMetadata.load(db) else { return }
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
