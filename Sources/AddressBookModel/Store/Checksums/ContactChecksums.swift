import GRDB

/// The checksums that are stored with the contacts. Triggers delete the checksum of a contact that is written.
package enum ContactChecksums {
  /// A transaction that wrote more contacts leaves their checksums to ``AddressBook/completeChecksums(isCancelled:)``.
  static let limit = 500

  /// Sets the checksums of the contacts that were written since a line of the change log and have none, if they are few.
  /// - Returns: false if they are many; they get none.
  static func set(_ db: Database, writtenSince line: Int64) throws -> Bool {
    let written = try Int64.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT DISTINCT new_id FROM results_log_contact WHERE seq > ? AND new_id IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM contact_checksum WHERE contact_id = new_id) LIMIT ?
          """), arguments: [line, limit + 1])
    guard written.count <= limit else { return false }
    if !written.isEmpty { try set(written, db) }
    return true
  }

  /// Returns the number of the last line of the change log; 0 if there was none yet.
  package static func line(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'results_log_contact'")) ?? 0
  }

  /// Sets the checksums of contacts as they are in the book.
  package static func set(_ ids: [Int64], _ db: Database) throws { try set(ContactLoader(db).loadStored(ids), db) }

  /// Sets the checksums of contacts that were just read.
  static func set(_ contacts: [StoredContact], _ db: Database) throws {
    var digest = ContactDigest()
    let statement = try insertion(db)
    for stored in contacts { try insert(stored.contact.id, stored.whole(&digest), statement) }
  }

  /// Removes the checksums of contacts that a write changed without any trigger for them.
  static func remove(_ ids: [Int64], _ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM contact_checksum WHERE contact_id IN (SELECT value FROM json_each(?))")
      .execute(arguments: [ContactLoader.json(ids)])
  }

  /// Runs `body`, then puts back the checksums that its triggers deleted: without them, damage to the contacts would go
  /// unnoticed.
  /// - Parameter ids: a query for the ids of the contacts.
  package static func keeping(
    of ids: String, _ arguments: StatementArguments, _ db: Database, _ body: () throws -> Void
  ) throws {
    let rows = try Row.fetchAll(
      db, sql: "SELECT contact_id, whole FROM contact_checksum WHERE contact_id IN (\(ids))", arguments: arguments)
    try body()
    let statement = try insertion(db)
    for row in rows { try insert(row.integer(0), row.integer(1), statement) }
  }

  static func insertion(_ db: Database) throws -> Statement {
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO contact_checksum(contact_id, whole) VALUES (?, ?)")
  }

  static func insert(_ id: Int64, _ whole: Int64, _ statement: Statement) throws {
    statement.setUncheckedArguments([id, whole])
    try statement.execute()
  }
}

extension AddressBook {
  /// True after a write of so many contacts that their checksums are left to ``completeChecksums(isCancelled:)``.
  public var hasUncheckedWrites: Bool { store.uncheckedWrites.withLock { $0 > 0 } }

  /// Sets the checksums of contacts that have none: those of a book of an earlier version, those that other programs
  /// wrote, and those of a write of many contacts. Call it on a separate thread; writers wait for it no longer than for a
  /// save.
  /// - Parameter isCancelled: called for each page of contacts; true ends the work, and the checksums set by then are
  ///   kept.
  /// - Returns: the number of contacts that had none; 0 for a book that cannot be changed.
  @discardableResult
  public func completeChecksums(isCancelled: () -> Bool = { false }) throws(StoreError) -> Int {
    let writes = store.uncheckedWrites.withLock(\.self)
    var count = 0
    if !isReadOnly, try lacksChecksums() {
      var pages = ContactIDPages.unchecked
      while true {
        if isCancelled() { return count }
        let page = try uncheckedContacts(&pages)
        if page.isEmpty { break }
        count += page.count
        // Contacts that have been written since they were read are skipped: they have a checksum, or get one next time.
        try store.writeUnlessBusy { db in
          let statement = try db.cachedStatement(
            sql: """
              INSERT OR IGNORE INTO contact_checksum(contact_id, whole)
              SELECT id, ? FROM contact WHERE id = ? AND version = ?
              """)
          for contact in page {
            statement.setUncheckedArguments([contact.whole, contact.id, contact.version])
            try statement.execute()
          }
        }
      }
    }
    store.uncheckedWrites.withLock { $0 = max(0, $0 - writes) }
    return count
  }

  /// Returns true if there are fewer checksums than contacts, which are counted without reading their rows.
  private func lacksChecksums() throws(StoreError) -> Bool {
    try store.read { db in
      let contacts = """
        SELECT (SELECT total(count) FROM section_count) + (SELECT count(*) FROM contact WHERE deleted_at IS NOT NULL)
        """
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM contact_checksum") ?? 0 < Int.fetchOne(db, sql: contacts)
        ?? 0
    }
  }

  private func uncheckedContacts(
    _ pages: inout ContactIDPages
  ) throws(StoreError) -> [(id: Int64, version: Int, whole: Int64)] {
    try store.read { db in
      let ids = try pages.next(db)
      var digest = ContactDigest()
      return try ContactLoader(db).loadStored(ids).map { ($0.contact.id, $0.contact.version, $0.whole(&digest)) }
    }
  }
}
