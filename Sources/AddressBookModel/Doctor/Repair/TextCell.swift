import Contacts
import GRDB

/// A text of a contact as stored: bytes that, after damage, may not be valid text.
struct TextCell {
  let bytes: [UInt8]
  /// Replaces this text in a contact.
  let set: (inout StoredContact, String) -> Void

  /// Returns the texts of a contact, except derived ones and the names of its groups.
  static func all(of id: Int64, _ db: Database) throws -> [TextCell] {
    try row(id, db) + labeled(id, db) + addresses(id, db) + lines(id, db) + photo(id, db)
  }

  private static func row(_ id: Int64, _ db: Database) throws -> [TextCell] {
    let texts = ContactFields.standard.texts
    var setters: [(String, (inout StoredContact, String) -> Void)] = [
      ("uid", { $0.contact.uid = $1 }),
      ("birthday", { $0.contact.birthday = PartialDate($1) }),
      ("created_at", { $0.contact.created = $1 }),
      ("modified_at", { $0.contact.modified = $1 }),
      ("deleted_at", { $0.row.deleted = $1 }),
    ]
    for field in texts { setters.append((field.column, { $0.contact[field] = $1 })) }
    let row = try Row.fetchOne(
      db, sql: "SELECT \(setters.map { "CAST(\($0.0) AS BLOB)" }.joined(separator: ", ")) FROM contact WHERE id = ?",
      arguments: [id])
    guard let row else { return [] }
    return setters.enumerated().map { TextCell(bytes: row.bytes($0), set: $1.1) }.filter { !$0.bytes.isEmpty }
  }

  private static func labeled(_ id: Int64, _ db: Database) throws -> [TextCell] {
    try ContactFields.standard.values.flatMap { field in
      let list = field.property
      return try parts(id, field.table, ["label", "value"], db) { index, column in
        column == 0
          ? { $0.contact[keyPath: list][index].label = $1 } : { $0.contact[keyPath: list][index].value = $1 }
      }
    }
  }

  private static func addresses(_ id: Int64, _ db: Database) throws -> [TextCell] {
    let parts = AddressPart.inCardOrder
    return try self.parts(id, "address", ["label"] + parts.map(\.column), db) { index, column in
      column == 0
        ? { $0.contact.addresses[index].label = $1 } : { $0.contact.addresses[index][parts[column - 1]] = $1 }
    }
  }

  private static func lines(_ id: Int64, _ db: Database) throws -> [TextCell] {
    let row = try Row.fetchOne(
      db, sql: "SELECT CAST(lines AS BLOB) FROM contact_card WHERE contact_id = ?", arguments: [id])
    guard let row, !row.bytes(0).isEmpty else { return [] }
    return [TextCell(bytes: row.bytes(0)) { $0.contact.cardLines = StoredLines.lines($1) }]
  }

  private static func photo(_ id: Int64, _ db: Database) throws -> [TextCell] {
    let row = try Row.fetchOne(
      db, sql: "SELECT CAST(media_type AS BLOB), CAST(sha256 AS BLOB) FROM avatar WHERE contact_id = ?",
      arguments: [id])
    guard let row else { return [] }
    return [
      TextCell(bytes: row.bytes(0)) { $0.contact.photo?.mediaType = $1 },
      TextCell(bytes: row.bytes(1)) { $0.contact.photo?.sha256 = $1 },
    ]
  }

  private static func parts(
    _ id: Int64, _ table: String, _ columns: [String], _ db: Database,
    _ setter: (_ index: Int, _ column: Int) -> (inout StoredContact, String) -> Void
  ) throws -> [TextCell] {
    let selected = columns.map { "CAST(\($0) AS BLOB)" }.joined(separator: ", ")
    let rows = try Row.fetchAll(
      db, sql: "SELECT \(selected) FROM \(table) WHERE contact_id = ? ORDER BY position, id", arguments: [id])
    return rows.enumerated().flatMap { index, row in
      columns.indices.map { TextCell(bytes: row.bytes($0), set: setter(index, $0)) }
    }.filter { !$0.bytes.isEmpty }
  }
}
