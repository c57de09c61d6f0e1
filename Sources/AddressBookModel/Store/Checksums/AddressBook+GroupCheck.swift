import GRDB

extension AddressBook {
  /// Checks whether the groups and their members are intact. SQLite stores them twice, in a table and in an index, so
  /// damage to one of them makes the two differ. It also finds contacts that damage has marked as deleted. Damage is
  /// recorded as ``DamageLog/isListIncomplete``.
  public func checkGroups() throws(StoreError) {
    let isIntact = try store.read { db in
      let names = try Row.fetchAll(db, sql: "SELECT id, name FROM contact_group NOT INDEXED ORDER BY name, id")
      let indexed = try Row.fetchAll(
        db, sql: "SELECT id, name FROM contact_group INDEXED BY sqlite_autoindex_contact_group_2 ORDER BY name, id")
      // Sums over the pairs from the table and from the index; a single flipped bit changes them. Without a condition,
      // SQLite would read the index both times.
      let sums = "count(*), total(contact_id), total(group_id), total(contact_id * (group_id % 8191))"
      let pairs = try Row.fetchAll(db, sql: "SELECT \(sums) FROM group_member NOT INDEXED WHERE group_id >= 0")
      let inverse = try Row.fetchAll(db, sql: "SELECT \(sums) FROM group_member INDEXED BY group_member_contact")
      // Sizes of groups leave out the contacts that an index says are deleted.
      let deleted = try Double.fetchOne(
        db, sql: "SELECT total(id) FROM contact NOT INDEXED WHERE deleted_at IS NOT NULL")
      let indexedDeleted = try Double.fetchOne(
        db, sql: "SELECT total(id) FROM contact INDEXED BY contact_deleted WHERE deleted_at IS NOT NULL")
      let living = try Int.fetchOne(db, sql: "SELECT count(*) FROM contact NOT INDEXED WHERE deleted_at IS NULL")
      return try names == indexed && pairs == inverse && living == Self.contactCount(db) && deleted == indexedDeleted
    }
    if !isIntact { damage.noteIncompleteList() }
  }

  /// Checks whether the indexes, by which conditions and orders find contacts, agree with the tables: damage to either
  /// would leave out a contact, although nothing that was read is damaged. It takes as long as reading the tables, and is
  /// recorded as ``DamageLog/isListIncomplete``.
  public func checkIndexes() throws(StoreError) {
    let isIntact = try store.read { db in
      let differing = try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM contact i INDEXED BY contact_order LEFT JOIN contact c ON c.id = i.id
          WHERE i.deleted_at IS NULL
            AND (c.deleted_at IS NOT NULL OR (c.section, c.sort_key) IS NOT (i.section, i.sort_key))
          """)
      let living = "SELECT count(*) FROM contact"
      let numbers = try Int.fetchSet(
        db,
        sql: """
          \(living) NOT INDEXED WHERE deleted_at IS NULL UNION ALL SELECT total(count) FROM section_count
          UNION ALL \(living) INDEXED BY contact_order WHERE deleted_at IS NULL
          """)
      return try differing == 0 && numbers.count == 1
        && (Schema.labeledTables + ["address"]).allSatisfy { table in
          // Of every value the index has the contact, the position and the id. A flipped bit changes a sum.
          let sums = "SELECT count(*), total(id), total(contact_id), total(position) FROM \(table)"
          return try Row.fetchOne(db, sql: "\(sums) NOT INDEXED")
            == Row.fetchOne(db, sql: "\(sums) INDEXED BY \(table)_contact")
        }
    }
    if !isIntact { damage.noteIncompleteList() }
  }

  /// Checks whether all deleted contacts are known, and as they were saved. It reads all of them.
  public func checkDeleted() throws(StoreError) {
    try checkGroups()
    let ids = try allDeleted().map(\.id)
    try store.read { try ContactLoader($0, damage: damage).check(ids) }
  }
}
