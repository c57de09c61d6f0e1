import GRDB

/// The migrations from any shipped schema to the current one. New ones are added at the end, and none is ever edited.
enum Migrations {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
      try db.execute(sql: Schema.version1)
      try addChangeLog(db)
      try db.execute(sql: "PRAGMA user_version = 1")
    }
    migrator.registerMigration("v2") { db in
      for statement in PartLogSchema.statements { try db.execute(sql: statement) }
      try db.execute(sql: "PRAGMA user_version = 2")
    }
    migrator.registerMigration("v3") { db in
      for statement in VersionSchema.statements { try db.execute(sql: statement) }
      try db.execute(sql: "PRAGMA user_version = 3")
    }
    migrator.registerMigration("v4") { db in
      for statement in HistorySchema.statements { try db.execute(sql: statement) }
      try db.execute(sql: "PRAGMA user_version = 4")
    }
    migrator.registerMigration("v5") { db in
      for statement in ChecksumSchema.statements { try db.execute(sql: statement) }
      try db.execute(sql: "PRAGMA user_version = 5")
    }
    migrator.registerMigration("v6") { db in
      for statement in NotSameSchema.statements { try db.execute(sql: statement) }
      try db.execute(sql: "PRAGMA user_version = 6")
    }
    return migrator
  }

  /// The migrations that the book has seen, read in one transaction: GRDB queries its table and, if that fails, checks
  /// whether it exists, and another process may create it in between.
  private static func applied(_ db: Database) throws -> Set<String> {
    _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
    return try migrator.appliedIdentifiers(db)
  }

  /// Migrates a book. Another process may do the same at the same time: a migration that fails because the other
  /// process did it is not an error, and the rest is tried again.
  static func migrate(_ database: any DatabaseWriter) throws {
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

  /// The log that tells lists about the writes of any connection or process.
  private static func addChangeLog(_ db: Database) throws {
    for table in Schema.trackedTables {
      for statement in ChangeLogSchema(table: table).statements { try db.execute(sql: statement) }
    }
  }
}
