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
      let counted = try Int.fetchOne(db, sql: "SELECT total(count) FROM section_count")
      return names == indexed && pairs == inverse && living == counted && deleted == indexedDeleted
    }
    if !isIntact { damage.noteIncompleteList() }
  }
}
