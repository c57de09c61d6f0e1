import Contacts
import GRDB
import ObjectGraph
import SystemCalls

/// An address book: the interface of this module for screens and commands.
///
/// Safe to use from several threads. Contacts are changed through a context (``newContext(waitsBriefly:session:)``) or,
/// many at once, through ``bulkWrite(groups:as:in:waitsBriefly:_:)``.
public final class AddressBook: Sendable {
  /// How the book is opened.
  public enum Mode: Hashable, Sendable {
    /// For reading and writing; falls back to reading if a book of the current version cannot be written
    /// (``AddressBook/isReadOnly``).
    case readWrite
    /// For reading once, without changes: faster to open, and creates no book if there is none. An older book is
    /// migrated first.
    case readOnly
  }

  package let store: Store
  let objects: BookObjects
  /// The session of writes that specify no other.
  public let session = EditSession(program: "command")

  private init(store: Store) {
    self.store = store
    objects = BookObjects(store: store)
  }

  /// Opens a book, and migrates an older one. If there is none, ``Mode/readWrite`` creates it.
  /// - Throws: `StoreError` with a message that says what happened, where, and for most reasons what to do.
  public static func open(at location: StoreLocation, mode: Mode = .readWrite) throws(StoreError) -> AddressBook {
    try open(at: location, mode: mode, configuration: StoreConfiguration())
  }

  /// Opens a book, and passes each statement with its duration to `trace`.
  public static func open(
    at location: StoreLocation, mode: Mode, trace: @escaping @Sendable (String) -> Void
  ) throws(StoreError) -> AddressBook {
    try open(at: location, mode: mode, configuration: StoreConfiguration(trace: trace))
  }

  /// Opens a book with this configuration, for tests of faults.
  static func open(
    at location: StoreLocation, mode: Mode = .readWrite, configuration: StoreConfiguration
  ) throws(StoreError) -> AddressBook {
    AddressBook(
      store: try Store.open(location, access: mode == .readOnly ? .readOnly : .readWrite, configuration: configuration))
  }

  /// Creates an empty book in memory, which is lost when it is closed.
  public static func inMemory() throws(StoreError) -> AddressBook { try open(at: .inMemory) }

  /// Contacts that were read and turned out to be damaged.
  public var damage: DamageLog { store.damage }

  /// The location of the book.
  public var location: StoreLocation { store.location }

  /// True if the book cannot be changed because its file or folder is read-only, its disk is full, or it was opened
  /// with ``Mode/readOnly``.
  public var isReadOnly: Bool { store.isReadOnly }

  /// Why the book cannot be changed, `diskFull` or `readOnly`; nil if it can.
  public var readOnlyReason: StoreError.Reason? { store.readOnlyReason }

  /// The database, for a results controller to read and observe. Code that writes through it must set the derived
  /// columns.
  public var database: any DatabaseWriter { store.database }

  /// Explains an error that a reader of ``database`` met.
  /// - Parameters:
  ///   - code: the extended result code; see https://www.sqlite.org/rescode.html.
  ///   - message: SQLite's message.
  public func storeError(code: Int32, message: String) -> StoreError {
    store.storeError(DatabaseError(resultCode: ResultCode(rawValue: code), message: message))
  }

  /// Returns true if a path leads, under any name, to a file of a book that this process has open: the book or one of
  /// SQLite's additional files.
  ///
  /// Such a file must be neither opened nor replaced: closing any descriptor of it drops SQLite's locks
  /// (https://www.sqlite.org/howtocorrupt.html, 2.2), and later writes can be lost.
  public static func isOpen(path: UnsafePointer<CChar>) -> Bool { HeldFiles.contain(path) }

  /// The new name of a write-ahead log that was beside the book when it was opened, but belongs to another file that had
  /// the book's name before; nil if there was none.
  public var renamedLog: String? { store.renamedLog.withLock { $0 } }

  /// Calls `body` once, from any thread, when a read or a write finds that the book's files are no longer those that
  /// were opened: moved, deleted, replaced, or written other than through SQLite (`StoreError.replaced`, `removed`,
  /// `logRemoved`). Every write fails with that error from then on; the book must be opened again.
  public func onFileLoss(_ body: @escaping @Sendable (StoreError) -> Void) { store.onFileLoss(body) }

  /// Checkpoints and truncates the write-ahead log, which takes some milliseconds. Unless other connections prevent it,
  /// the file alone is complete afterwards. For programs that keep a book open.
  public func shortenLog() { store.shortenLog() }

  /// Calls `body` when no thread of this process is writing to the book, and prevents writes during the call: a program
  /// that suspends itself must not hold the lock that other programs wait for. If a write takes longer than a second,
  /// `body` is called anyway.
  public func betweenWrites(_ body: () -> Void) { store.betweenWrites(atMost: 1000, body) }

  /// Closes the book, which cannot be used afterwards, and checkpoints the write-ahead log unless others have the book
  /// open.
  public func close() { store.close() }

  // MARK: - Editing

  /// Returns a context for changing the book. It belongs to the thread that uses it.
  /// - Parameters:
  ///   - waitsBriefly: true if a save should fail with `StoreError.busy` after a fifth of a second while another
  ///     thread or process is writing: for a thread that must not block. Otherwise it waits until the thread has
  ///     finished, or some eight seconds for the process.
  ///   - session: the session of its saves, for the history.
  public func newContext(waitsBriefly: Bool = false, session: EditSession? = nil) -> BookContext {
    BookContext(objects, waiting: waitsBriefly ? .briefly : .usual, session: session ?? self.session)
  }

  /// Stops SQLite from counting the memory that it uses, which takes a lock for each of its thousands of allocations,
  /// and from preallocating 20 pages for each page cache. Affects the whole process; call it before a book is opened.
  public static func simplifySQLiteMemory() { StoreConfiguration.simplifyMemory() }

  // MARK: - Reading

  /// Returns the contact with this id; nil if there is none or it was deleted.
  public func contact(id: Int64) throws(StoreError) -> Contact? {
    try contacts(ids: [id]).first
  }

  /// Returns the contact with this UID; nil if there is none or it was deleted.
  public func contact(uid: String) throws(StoreError) -> Contact? {
    try store.read { db in
      guard let match = try CardMatcher(db).match(uid: uid), !match.isDeleted else { return nil }
      return try ContactLoader(db, damage: store.damage).load([match.id]).first
    }
  }

  /// Returns the id of the contact with this UID, even if it was deleted; nil if there is none.
  public func idOfContactOrDeleted(uid: String) throws(StoreError) -> Int64? {
    try store.read { try CardMatcher($0).match(uid: uid)?.id }
  }

  /// Returns the contacts with these ids, in this order, each once, read with one query per table, however many there
  /// are. Unknown and deleted ones are left out.
  public func contacts(ids: [Int64]) throws(StoreError) -> [Contact] {
    try store.read { db in
      try ContactLoader(db, damage: store.damage).loadStored(ids).filter { !$0.isDeleted }.map(\.contact)
    }
  }

  /// Returns the ids among these that belong to contacts; deleted ones do not count.
  public func existingIDs(_ ids: [Int64]) throws(StoreError) -> Set<Int64> {
    Set(
      try store.values(
        "SELECT id FROM contact WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?))",
        [ContactLoader.json(ids)]))
  }

  /// Returns the id of the contact with each of these UIDs; nil where there is none or it was deleted.
  public func ids(ofUIDs uids: [String]) throws(StoreError) -> [Int64?] {
    try store.read { db in
      let matcher = try CardMatcher(db)
      return try uids.map { try matcher.match(uid: $0).flatMap { $0.isDeleted ? nil : $0.id } }
    }
  }

  /// Returns the contact with this id, deleted or not; nil if there is none.
  public func contactOrDeleted(id: Int64) throws(StoreError) -> Contact? {
    if let contact = try contact(id: id) { return contact }
    return try deletedContact(id: id)
  }

  /// Returns the deleted contact with this id, which can be restored; nil if there is none.
  public func deletedContact(id: Int64) throws(StoreError) -> Contact? {
    let isDeleted = try objects.read { context throws(ObjectGraphError) in
      try context.deletedObject("Person", number: id) != nil
    }
    return isDeleted ? try store.read { try ContactLoader($0, damage: store.damage).load([id]) }.first : nil
  }

  /// Returns deleted contacts that can be restored, most recently deleted first.
  /// - Parameter limit: the maximum number; 0 for all.
  public func deletedContacts(limit: Int = 1000) throws(StoreError) -> [Contact] {
    let ids = try objects.read { context throws(ObjectGraphError) in
      try context.result(of: BookRequests.deleted(limit: limit)).ids
    }
    return try store.read { try ContactLoader($0, damage: store.damage).load(ids) }
  }

  /// Returns rows of a list in section order.
  /// - Parameters:
  ///   - limit: the maximum number; -1 for all.
  ///   - offset: how many to skip; the time grows with this number.
  public func listRows(limit: Int = -1, offset: Int = 0) throws(StoreError) -> [ContactRow] {
    try store.read { db in
      try ContactRow.fetchAll(
        db, sql: "\(ContactRow.selection) WHERE deleted_at IS NULL ORDER BY section, sort_key, id LIMIT ? OFFSET ?",
        arguments: [limit, offset])
    }
  }

  /// Returns the ids of these contacts in section order; unknown and deleted ones are left out.
  public func idsInOrder(of ids: [Int64]) throws(StoreError) -> [Int64] {
    try store.read { try Self.idsInOrder(of: ids, $0) }
  }

  package static func idsInOrder(of ids: [Int64], _ db: Database) throws -> [Int64] {
    try Int64.fetchAll(
      db,
      sql: """
        SELECT id FROM contact WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL
        ORDER BY section, sort_key, id
        """, arguments: [ContactLoader.json(ids)])
  }

  // MARK: - Photos

  /// Returns the photo of a contact; nil if there is none.
  public func photo(of id: Int64) throws(StoreError) -> Photo? {
    try store.read { try Photo.fetch($0, contact: id, damage: store.damage) }
  }

  // MARK: - Groups and counts

  /// Returns all groups except smart ones, sorted by name, each with the number of its contacts.
  public func groups() throws(StoreError) -> [GroupSummary] {
    let rows = try objects.read { context throws(ObjectGraphError) in try context.result(of: BookRequests.groups).rows }
    return rows.compactMap { row in
      guard case .object(let group)? = row[BookRequests.object], let id = group.number,
        case .string(let name)? = row[BookRequests.name]
      else { return nil }
      return GroupSummary(id: id, name: name, count: row.integer(BookRequests.count))
    }
  }

  /// Returns the ids of the contacts in a group, in section order.
  public func memberIDs(ofGroup id: Int64) throws(StoreError) -> [Int64] {
    try store.values(
      """
      SELECT c.id FROM group_member m JOIN contact c ON c.id = m.contact_id AND c.deleted_at IS NULL
      WHERE m.group_id = ? ORDER BY c.section, c.sort_key, c.id
      """, [id])
  }

  /// Returns true if all of these contacts are in the group with this name.
  public func areMembers(_ ids: [Int64], ofGroup name: String) throws(StoreError) -> Bool {
    try store.read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT NOT EXISTS (
            SELECT 1 FROM json_each(?1) j WHERE NOT EXISTS (
              SELECT 1 FROM group_member m JOIN contact_group g ON g.id = m.group_id
              WHERE m.contact_id = j.value AND g.name = ?2))
          """, arguments: [ContactLoader.json(ids), name]) ?? false
    }
  }

  /// Returns the number of contacts, from the counts of the sections.
  public func contactCount() throws(StoreError) -> Int {
    try store.read { try Self.contactCount($0) }
  }

  package static func contactCount(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT total(count) FROM section_count") ?? 0
  }

  /// Returns statistics of the book.
  public func statistics() throws(StoreError) -> BookStatistics {
    let bytes = location.path.map { FileBytes.count(of: $0) + StoreFile.logSize(of: $0) } ?? 0
    return try objects.read { context throws(ObjectGraphError) in try BookStatistics(context, bytes: bytes) }
  }
}

/// A group with the number of its contacts.
public struct GroupSummary: Hashable, Sendable, Identifiable {
  /// The id of the group.
  public let id: Int64
  /// Its name.
  public let name: String
  /// The number of its contacts that are not deleted.
  public let count: Int
}
