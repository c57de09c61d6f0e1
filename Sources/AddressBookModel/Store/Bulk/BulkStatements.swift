import Contacts
import GRDB

/// The statements of a bulk write, prepared once.
struct BulkStatements {
  enum Table: Sendable {
    case contact
    /// The labeled values of a field, by its index in `ContactFields.standard.values`.
    case labeled(Int)
    case address
    case card
    case photo
    case checksum
  }

  static let contactColumns =
    ["uid", "kind", "birthday"] + ContactFields.standard.texts.map(\.column) + DerivedColumns.columns
    + ["created_at", "modified_at"]

  let member: BulkInsertion
  let update: Statement
  let find: Statement
  let state: Statement
  let same: Statement
  private let contact: BulkInsertion
  private let labeled: [BulkInsertion]
  private let address: BulkInsertion
  private let card: BulkInsertion
  private let photo: BulkInsertion
  private let checksum: BulkInsertion

  init(_ db: Database) throws {
    contact = try BulkInsertion(db, "contact", Self.contactColumns)
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
      try BulkInsertion(db, $0.table, ["contact_id", "position", "label", "value"])
    }
    address = try BulkInsertion(
      db, "address", ["contact_id", "position", "label"] + AddressPart.inCardOrder.map(\.column))
    card = try BulkInsertion(db, "contact_card", ["contact_id", "lines"])
    member = try BulkInsertion(db, "group_member", ["contact_id", "group_id"], suffix: " ON CONFLICT DO NOTHING")
    checksum = try BulkInsertion(
      db, "contact_checksum", ["contact_id", "whole"], suffix: " ON CONFLICT DO UPDATE SET whole = excluded.whole")
    photo = try BulkInsertion(db, "avatar", ["contact_id", "media_type", "byte_count", "sha256", "data"])
  }

  func insertion(_ table: Table) -> BulkInsertion {
    switch table {
    case .contact: contact
    case .labeled(let number): labeled[number]
    case .address: address
    case .card: card
    case .photo: photo
    case .checksum: checksum
    }
  }
}
