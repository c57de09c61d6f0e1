import Contacts
import GRDB

/// The statements of a bulk write, prepared once.
struct BulkStatements {
  static let contactColumns =
    ["uid", "kind", "birthday"] + ContactFields.standard.texts.map(\.column) + DerivedColumns.columns
    + ["created_at", "modified_at"]

  let insert: Statement
  let update: Statement
  let find: Statement
  let state: Statement
  let same: Statement
  let labeled: [Statement]
  let address: Statement
  let card: Statement
  let member: Statement
  let photo: Statement
  let checksum: Statement

  init(_ db: Database) throws {
    func inserting(_ table: String, _ columns: [String], _ suffix: String = "") throws -> Statement {
      let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
      return try db.makeStatement(
        sql: "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))\(suffix)")
    }
    insert = try inserting("contact", Self.contactColumns)
    let sets = Self.contactColumns.filter { $0 != "uid" && $0 != "created_at" }.map { "\($0) = ?" }
    update = try db.makeStatement(
      sql: """
        UPDATE contact SET \(sets.joined(separator: ", ")), version = version + 1, deleted_at = NULL WHERE id = ?
        """)
    find = try db.makeStatement(sql: "SELECT id, deleted_at IS NOT NULL FROM contact WHERE uid = ?")
    state = try db.makeStatement(sql: "SELECT version, deleted_at IS NOT NULL FROM contact WHERE id = ?")
    same = try db.makeStatement(
      sql: """
        SELECT id FROM contact
        WHERE deleted_at IS NULL AND section = ? AND sort_key = ? AND display_name = ? ORDER BY id LIMIT 100
        """)
    labeled = try ContactFields.standard.values.map {
      try inserting($0.table, ["contact_id", "position", "label", "value"])
    }
    address = try inserting(
      "address", ["contact_id", "position", "label"] + AddressPart.inCardOrder.map(\.column))
    card = try inserting("contact_card", ["contact_id", "lines"])
    member = try inserting("group_member", ["group_id", "contact_id"], " ON CONFLICT DO NOTHING")
    checksum = try ContactChecksums.insertion(db)
    photo = try inserting("avatar", ["contact_id", "media_type", "byte_count", "sha256", "data"])
  }
}
