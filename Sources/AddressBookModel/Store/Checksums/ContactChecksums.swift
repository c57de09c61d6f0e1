import GRDB

enum ContactChecksums {
  /// A subquery for the checksum of the values that a list shows, as a column of a SELECT from `contact`.
  static let ofList = "(SELECT list FROM contact_checksum WHERE contact_id = contact.id)"

  /// Sets the checksums of the contacts that were written since a line of the change log and have none.
  /// - Parameter damage: contacts that were damaged before the write stay marked, because nobody checked their values.
  ///   They are marked even if the log has no line for them: it keeps only its newest lines, and has none for a deleted
  ///   contact whose groups changed.
  static func set(_ db: Database, writtenSince line: Int64, damage: DamageLog) throws {
    var written = try Int64.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT DISTINCT new_id FROM results_log_contact WHERE seq > ? AND new_id IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM contact_checksum WHERE contact_id = new_id)
          """), arguments: [line])
    let damaged = damage.contacts
    if !damaged.isEmpty { written += try unchecked(damaged, db) }
    for batch in written.batches(of: 500) { try set(batch, db, isDamaged: damage.has) }
  }

  /// Returns the contacts among these that have no checksum.
  private static func unchecked(_ ids: [Int64], _ db: Database) throws -> [Int64] {
    try Int64.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT id FROM contact WHERE id IN (SELECT value FROM json_each(?))
          AND NOT EXISTS (SELECT 1 FROM contact_checksum WHERE contact_id = id)
          """), arguments: [ContactLoader.json(ids)])
  }

  /// Returns the number of the last line of the change log; 0 if there was none yet.
  static func line(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'results_log_contact'")) ?? 0
  }

  /// Sets the checksums of contacts as they are in the book.
  /// - Parameter isDamaged: true for a contact whose checksums must not match, so that its damage is found again.
  static func set(_ ids: [Int64], _ db: Database, isDamaged: (Int64) -> Bool = { _ in false }) throws {
    try set(ContactLoader(db).loadStored(ids), db, isDamaged: isDamaged)
  }

  /// Sets the checksums of contacts that were just read.
  static func set(_ contacts: [StoredContact], _ db: Database, isDamaged: (Int64) -> Bool) throws {
    var digest = ContactDigest()
    let statement = try insertion(db)
    for stored in contacts {
      let mask = Self.mask(isDamaged(stored.contact.id))
      try insert(stored.contact.id, stored.whole(&digest) ^ mask, stored.list(&digest) ^ mask, statement)
    }
  }

  /// Returns the bits that are combined with the checksums of a contact (XOR): those of a damaged contact never match.
  static func mask(_ isDamaged: Bool) -> Int64 { isDamaged ? -1 : 0 }

  /// Runs `body`, then puts back the checksums that its triggers deleted: without them, damage to the contacts would go
  /// unnoticed.
  /// - Parameter ids: a query for the ids of the contacts.
  static func keeping(
    of ids: String, _ arguments: StatementArguments, _ db: Database, _ body: () throws -> Void
  ) throws {
    let rows = try Row.fetchAll(
      db, sql: "SELECT contact_id, whole, list FROM contact_checksum WHERE contact_id IN (\(ids))",
      arguments: arguments)
    try body()
    let statement = try insertion(db)
    for row in rows { try insert(row.integer(0), row.integer(1), row.integer(2), statement) }
  }

  static func insertion(_ db: Database) throws -> Statement {
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO contact_checksum(contact_id, whole, list) VALUES (?, ?, ?)")
  }

  static func insert(_ id: Int64, _ whole: Int64, _ list: Int64, _ statement: Statement) throws {
    statement.setUncheckedArguments([id, whole, list])
    try statement.execute()
  }
}
