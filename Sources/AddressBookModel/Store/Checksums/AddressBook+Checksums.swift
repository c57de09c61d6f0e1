import GRDB

extension AddressBook {
  /// Sets the checksums of contacts that have none: of a book that an earlier version made, and of what other programs wrote.
  /// For a thread of its own; nobody who writes waits for it longer than for a save.
  /// - Parameter isCancelled: asked often; what was done by then stays.
  /// - Returns: how many were set.
  @discardableResult
  public func completeChecksums(isCancelled: () -> Bool = { false }) throws(StoreError) -> Int {
    guard !isReadOnly, try lacksChecksums() else { return 0 }
    var last: Int64 = 0
    var count = 0
    while !isCancelled() {
      let page = try uncheckedContacts(after: last)
      guard let end = page.last?.id else { break }
      last = end
      count += page.count
      // Reading took the time. What was written since is passed over; it has a checksum, or the next time gives it one.
      try store.writeUnlessBusy { db in
        let statement = try db.cachedStatement(
          sql: """
            INSERT OR IGNORE INTO contact_checksum SELECT id, ?, ? FROM contact WHERE id = ? AND version = ?
            """)
        for contact in page {
          statement.setUncheckedArguments([contact.whole, contact.list, contact.id, contact.version])
          try statement.execute()
        }
      }
    }
    return count
  }

  /// True when some contacts have no checksum; both counts come from indexes.
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
    after id: Int64
  ) throws(StoreError) -> [(id: Int64, version: Int, whole: Int64, list: Int64)] {
    try store.read { db in
      let ids = try Int64.fetchAll(
        db,
        sql: """
          SELECT id FROM contact WHERE id > ? AND NOT EXISTS (SELECT 1 FROM contact_checksum WHERE contact_id = id)
          ORDER BY id LIMIT 500
          """, arguments: [id])
      var digest = ContactDigest()
      return try ContactLoader(db).loadStored(ids).map { stored in
        (stored.contact.id, stored.contact.version, stored.whole(&digest), stored.list(&digest))
      }
    }
  }
}
