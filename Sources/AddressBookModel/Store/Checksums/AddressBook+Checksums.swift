import GRDB

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
