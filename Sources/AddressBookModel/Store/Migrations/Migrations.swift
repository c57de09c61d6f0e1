import GRDB

/// The migrations from any shipped schema to the current one. New ones are added at the end, and none is ever edited: each
/// is a text of its own, which nothing else in the program can change.
package enum Migrations {
  /// All migrations, in order. Only a test adds one, before the first book is opened.
  nonisolated(unsafe) static var all = [
    version1, version2, version3, version4, version5, version6, version7, version8, version9, version10,
    version11, version12, version13, version14,
  ]

  /// The identifiers of all migrations, in order. The migrator has them too, but setting it up would delay the first
  /// frame, even for a book that needs no migration.
  package static let identifiers = all.indices.map { "v\($0 + 1)" }

  package static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for (version, statements) in zip(1..., all) {
      migrator.registerMigration("v\(version)") { db in
        try db.execute(sql: statements)
        try db.execute(sql: "PRAGMA user_version = \(version)")
      }
    }
    return migrator
  }

  /// Returns the migrations that were applied to the book. The first query starts the snapshot of the transaction: GRDB
  /// queries its table and, if that fails, checks whether the table exists, and another process could create it in
  /// between.
  private static func applied(_ db: Database) throws -> Set<String> {
    _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
    return try migrator.appliedIdentifiers(db)
  }

  /// Migrates a book. Another process may migrate it at the same time: a migration that fails because the other process
  /// did it is not an error, and the remaining ones are tried again.
  package static func migrate(_ database: any DatabaseWriter) throws {
    while true {
      let before = try database.read(applied)
      if before.isSuperset(of: migrator.migrations) { return }
      do {
        try migrator.migrate(database)
        return
      } catch {
        guard try database.read(applied) != before else { throw error }
      }
    }
  }

  /// Creates an empty in-memory book with this schema version.
  package static func freshBook(version: Int32 = Schema.version) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try migrator.migrate(queue, upTo: "v\(version)")
    return queue
  }
}
