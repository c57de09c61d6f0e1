import Foundation
import GRDB

/// Compares the tables, indexes, triggers and views of a book with those of a new one.
struct SchemaCheck {
  /// A table, index, trigger or view.
  struct Object: Hashable {
    let type: String
    let name: String
    let sql: String?
  }

  /// Tables that are missing, or whose columns or constraints differ other than by added columns.
  private(set) var tables: [String] = []
  /// Indexes and triggers to recreate, in the order in which the program makes them.
  private(set) var missing: [Object] = []
  /// Altered indexes and triggers that must be removed first.
  private(set) var altered: [Object] = []
  /// The names of objects that another program added, and tables with the columns that it added.
  private(set) var additions: [String] = []

  /// - Parameter version: the version of the schema that the book says it has.
  init(_ db: Database, version: Int32) throws {
    let expected = try Self.expected(version: version)
    let present = try Self.objects(db)
    var columns: [String] = []
    let byName = Dictionary(present.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for object in expected where byName[object.name] != object {
      if object.type == "table" {
        if let added = byName[object.name].flatMap({ Self.columns(added: $0, to: object) }) {
          columns.append("\(object.name) (\(added))")
        } else {
          tables.append(object.name)
        }
      } else if object.sql != nil {
        missing.append(object)
        if let other = byName[object.name] { altered.append(other) }
      } else {
        // The index of a UNIQUE column has no SQL text: it differs because its table does.
        tables.append(object.name)
      }
    }
    let known = Set(expected.map(\.name))
    additions = present.map(\.name).filter { !known.contains($0) && !$0.hasPrefix("sqlite_stat") } + columns
  }

  /// Returns the definitions of the columns that `ALTER TABLE` added to a table, which SQLite puts after the others; nil
  /// if anything else differs.
  private static func columns(added present: Object, to expected: Object) -> String? {
    let (old, new) = (Array((expected.sql ?? "").utf8), Array((present.sql ?? "").utf8))
    let common = zip(old, new).prefix { $0 == $1 }.count
    guard new.count > old.count, old[common...].elementsEqual(new.suffix(old.count - common)) else { return nil }
    // A comma before the columns may equal the one that followed there.
    let added = String(decoding: new[common..<common + new.count - old.count], as: UTF8.self)
    guard added.hasPrefix(",") || added.hasSuffix(",") else { return nil }
    return added.trimmingCharacters(in: CharacterSet(charactersIn: ", \n"))
  }

  var findings: [Finding] {
    var findings: [Finding] = []
    if !tables.isEmpty {
      findings.append(Finding(.tables, .damage, count: tables.count, details: tables, isRepairable: true))
    }
    if !missing.isEmpty {
      findings.append(
        Finding(.schema, .damage, count: missing.count, details: missing.map(\.name), isRepairable: true))
    }
    if !additions.isEmpty {
      findings.append(Finding(.additions, .note, count: additions.count, details: additions))
    }
    return findings
  }

  func restore(_ db: Database) throws {
    for object in altered {
      try db.execute(sql: "DROP \(object.type.uppercased()) \(object.name.quotedDatabaseIdentifier)")
    }
    for object in missing { try object.sql.map { try db.execute(sql: $0) } }
  }

  /// Returns the tables, indexes and triggers of a new book with this schema version.
  static func expected(version: Int32) throws -> [Object] { try freshBook(version: version).read(objects) }

  /// Creates an empty in-memory book with this schema version.
  static func freshBook(version: Int32 = Schema.version) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try Migrations.migrator.migrate(queue, upTo: "v\(version)")
    return queue
  }

  private static func objects(_ db: Database) throws -> [Object] {
    try Row.fetchAll(db, sql: "SELECT type, name, sql FROM sqlite_master ORDER BY rowid").map {
      Object(type: $0.text(0), name: $0.text(1), sql: $0.optionalText(2))
    }
  }
}
