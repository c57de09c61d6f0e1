import GRDB

/// The way from any shipped schema to the current one. Steps are added at the end and never edited.
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
    migrator.registerMigration("v5") { db in
      for statement in ChecksumSchema.statements { try db.execute(sql: statement) }
      try db.execute(sql: "PRAGMA user_version = 5")
    }
    return migrator
  }

  /// The migrations that the book has seen. In one state of the file: GRDB asks for its table, and when that fails whether it is
  /// there, which another process may have made in between.
  private static func applied(_ db: Database) throws -> Set<String> {
    _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
    return try migrator.appliedIdentifiers(db)
  }

  /// Brings a book up to date. Another process may do the same at the same moment: a step that fails because the other took it
  /// is no failure, and the rest is tried again.
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

  /// The log from which lists learn what any connection or process wrote.
  private static func addChangeLog(_ db: Database) throws {
    for table in Schema.trackedTables {
      for statement in ChangeLogSchema(table: table).statements { try db.execute(sql: statement) }
    }
  }
}
