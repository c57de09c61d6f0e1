import ChangeLog
import Foundation
import GRDB
import Testing

@testable import AddressBookModel

/// The text of the schema is frozen, and that of its triggers must be what the library expects.
struct SchemaTests {
  private func triggers(_ book: AddressBook) throws -> [String: String] {
    let rows = try book.database.read { db in
      try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    }
    return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func theLogIsTheOneThatListsRead() throws {
    let book = try AddressBook.inMemory()
    #expect(try book.database.read { try ChangeTracking.contacts.isInstalled(in: $0) })
    // The library would create triggers with exactly the same text.
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: Migrations.version1)
      for name in try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'results%'")
      { try db.execute(sql: "DROP TRIGGER \(name)") }
      try db.execute(sql: "DROP TABLE results_log_contact")
      try ChangeTracking.contacts.install(in: db)
    }
    let rows = try queue.read {
      try Row.fetchAll($0, sql: "SELECT name, sql FROM sqlite_master WHERE name LIKE 'results%' ORDER BY name")
    }
    let ours = try book.database.read {
      try Row.fetchAll($0, sql: "SELECT name, sql FROM sqlite_master WHERE name LIKE 'results%' ORDER BY name")
    }
    #expect(rows.count == 8)
    #expect(rows.map { $0[0] as String } == ours.map { $0[0] as String })
    for (row, our) in zip(rows, ours) where (row[0] as String) != "results_log_contact" {
      #expect(row[1] as String == our[1] as String)
    }
  }

  @Test func versionTriggersEqualThoseOfTheLibrary() throws {
    let book = try AddressBook.inMemory()
    let library = VersionTriggers(
      table: "contact", parts: Schema.partTables.map { .init(table: $0, owner: ["contact_id"]) },
      pause: "EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised')")
    let texts = try book.database.read { try library.statements(in: $0) }.values
    // The texts may differ in names, quotation marks, some parentheses and line ends.
    func body(_ sql: String) -> String {
      let words = sql.replacing("\"", with: "").replacing("NOT (EXISTS", with: "NOT EXISTS").replacing(
        "'))", with: "')"
      )
      .split { $0 == " " || $0 == "\n" }
      return words.dropFirst(3).joined(separator: " ")
    }
    let names = try triggers(book).filter { $0.key == "contact_version" || $0.key.hasPrefix("part_") }
    #expect(names.count == 1 + 3 * Schema.partTables.count)
    #expect(names.values.map(body).sorted() == texts.map(body).sorted())
  }

  /// Existing books keep what a migration created, so a later program must not change its text.
  /// `UPDATE_GOLDENS=1` adds what a new migration makes.
  @Test(arguments: [nil] + MigrationTests.versions) func theSchemaIsFrozen(version: Int?) throws {
    let folder = try version.map { try MigrationTests.book(ofVersion: $0) } ?? TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    defer { book.close() }
    let texts = try book.database.read {
      try String.fetchAll(
        $0, sql: "SELECT type || ' ' || name || char(10) || sql FROM sqlite_master WHERE sql != '' ORDER BY type, name")
    }
    let schema = texts.joined(separator: "\n\n") + "\n"
    if version == nil, ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try schema.write(to: Self.frozen, atomically: true, encoding: .utf8)
    }
    #expect(schema == (try String(contentsOf: Self.frozen, encoding: .utf8)))
  }

  private static let frozen = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/Books/schema.txt")
}
