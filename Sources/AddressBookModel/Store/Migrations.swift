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
    return migrator
  }

  /// Brings a book up to date. Another process may do the same at the same moment: whoever comes second finds it done.
  static func migrate(_ database: any DatabaseWriter) throws {
    if try database.read({ try migrator.hasCompletedMigrations($0) }) { return }
    do {
      try migrator.migrate(database)
    } catch {
      guard try database.read({ try migrator.hasCompletedMigrations($0) }) else { throw error }
    }
  }

  /// The log from which lists learn what any connection or process wrote.
  private static func addChangeLog(_ db: Database) throws {
    for table in Schema.trackedTables {
      for statement in ChangeLogSchema(table: table).statements { try db.execute(sql: statement) }
    }
  }
}
