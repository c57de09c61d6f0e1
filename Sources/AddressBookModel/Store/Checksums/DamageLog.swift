import GRDB
import Synchronization

/// The contacts that differed from their checksums when they were last read, because of a disk, cable or memory error.
public final class DamageLog: Sendable {
  /// The part of a contact that was compared.
  package enum Scope: Hashable {
    /// Everything except the bytes of the photo.
    case whole
    /// The bytes of the photo.
    case photo
  }

  private struct State {
    var contacts: [Int64: Set<Scope>] = [:]
    var isListIncomplete = false
    var onChange: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// An empty log.
  package init() {}

  /// The ids of the damaged contacts, in ascending order.
  public var contacts: [Int64] { state.withLock { $0.contacts.keys.sorted() } }

  /// True if the list of all contacts lacked a contact, had one twice, or had one at the wrong position, or if the
  /// groups and their members are not intact (``AddressBook/checkGroups()``).
  public var isListIncomplete: Bool { state.withLock { $0.isListIncomplete } }

  /// True if no damage is recorded.
  public var isEmpty: Bool { state.withLock { $0.contacts.isEmpty && !$0.isListIncomplete } }

  /// Returns true if the contact with this id was found to be damaged.
  public func has(_ id: Int64) -> Bool { state.withLock { $0.contacts[id] != nil } }

  /// Sets the function that is called, on any thread, whenever a contact is found to be damaged or no longer damaged. It
  /// replaces the previous one.
  public func onChange(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onChange = body } }

  package func note(_ id: Int64, _ scope: Scope, isDamaged: Bool) {
    let onChange = state.withLock { state -> (@Sendable () -> Void)? in
      // The usual case, which must be fast: this runs for every contact that is read.
      if !isDamaged, state.contacts.isEmpty { return nil }
      let before = state.contacts[id]
      guard isDamaged || before != nil else { return nil }
      var scopes = before ?? []
      if isDamaged { scopes.insert(scope) } else { scopes.remove(scope) }
      state.contacts[id] = scopes.isEmpty ? nil : scopes
      return (before == nil) != scopes.isEmpty ? state.onChange : nil
    }
    onChange?()
  }

  package func noteIncompleteList() { state.withLock { $0.isListIncomplete = true } }
}

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
