import GRDB

/// Groups whose names differ between the table and its unique index, which only damage can cause.
struct GroupCheck {
  struct Difference {
    let id: Int64
    let name: String
    let indexed: String
  }

  let differences: [Difference]

  init(_ db: Database) throws {
    let names = try Self.names(db, "NOT INDEXED")
    let indexed = try Self.names(db, "INDEXED BY sqlite_autoindex_contact_group_2")
    differences = names.compactMap { id, name in
      indexed[id].flatMap { $0 == name ? nil : Difference(id: id, name: name, indexed: $0) }
    }.sorted { $0.id < $1.id }
  }

  private static func names(_ db: Database, _ source: String) throws -> [Int64: String] {
    let rows = try Row.fetchAll(db, sql: "SELECT id, name FROM contact_group \(source) ORDER BY name")
    return Dictionary(rows.map { ($0.integer(0), $0.text(1)) }, uniquingKeysWith: { first, _ in first })
  }

  var findings: [Finding] {
    differences.isEmpty
      ? []
      : [
        Finding(
          .groups, .damage, count: differences.count, details: differences.map { "\($0.name) / \($0.indexed)" },
          isRepairable: true)
      ]
  }
}
